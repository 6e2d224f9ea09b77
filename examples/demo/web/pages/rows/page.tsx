import { memo, useEffect, useRef, useState } from 'react';
import { keyOf } from 'rejoin';
import { useController, useSuspense } from 'rejoin/react';
import { useLiveItems } from '../../net/live-items.ts';
import { PerSecond } from '../../shell/per-second.tsx';
import { RateChoice } from '../../shell/rate-choice.tsx';
import { WindowList } from '../../tracker/parts/window-list.tsx';
import { getItems, Item } from './model.ts';

export function RowsPage() {
  const items = useSuspense(getItems);
  const [rate, setRate] = useState(1000);
  const controller = useController();
  useLiveItems(rate, (changes) => controller.store.write([Item], changes));
  return (
    <div className="stack">
      <div className="row">
        <RateChoice rate={rate} onChange={setRate} />
        <span className="chip num">{items.length.toLocaleString('en')} rows</span>
        <PerSecond count={rowsRendered} what="rows rendered" />
      </div>
      <WindowList className="card rows" label="All items" items={items} keyOf={keyOf} rowHeight={36}>
        {(item) => <Row item={item} />}
      </WindowList>
    </div>
  );
}

let rendered = 0;
const rowsRendered = (): number => rendered;
const LIT = [{ backgroundColor: 'var(--accent-wash)', color: 'var(--accent)' }, {}];
const CALM = matchMedia('(prefers-reduced-motion: reduce)');

// Unchanged records stay the same objects, so only the changed rows render.
const Row = memo(function Row({ item }: { readonly item: Item }) {
  const quantity = useRef<HTMLElement>(null);
  const isNew = useRef(true);
  useEffect(() => {
    rendered++;
    if (!isNew.current && !CALM.matches) quantity.current?.animate(LIT, 900);
    isNew.current = false;
  });
  return (
    <div className="item">
      <span className="soft num">{item.id}</span>
      <span>{item.name}</span>
      <span className="soft">{item.warehouse}</span>
      <strong ref={quantity} className="num">
        {item.quantity}
      </strong>
    </div>
  );
});
