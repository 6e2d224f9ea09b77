import { memo, useEffect, useRef, useState } from 'react';
import { keyOf } from 'rejoin';
import { useController, useSuspense } from 'rejoin/react';
import { getItems, Item } from './model.ts';

const RATES = [0, 50, 300, 1000];

export function RowsPage() {
  const items = useSuspense(getItems);
  const [rate, setRate] = useState(50);
  useLiveItems(rate);
  return (
    <div className="stack">
      <div className="row">
        <label className="row">
          Changes a second
          <select className="field" value={rate} onChange={(event) => setRate(Number(event.target.value))}>
            {RATES.map((one) => (
              <option key={one}>{one}</option>
            ))}
          </select>
        </label>
        <span className="chip num">{items.length.toLocaleString('en')} rows</span>
        <Rendered />
      </div>
      <div className="card rows" tabIndex={0} role="region" aria-label="All items">
        {items.map((item) => (
          <Row key={keyOf(item)} item={item} />
        ))}
      </div>
    </div>
  );
}

let rendered = 0;
const LIT = [{ backgroundColor: 'var(--accent-wash)', color: 'var(--accent)' }, {}];
const CALM = matchMedia('(prefers-reduced-motion: reduce)');

/** How many rows rendered in the last second. */
function Rendered() {
  const [perSecond, setPerSecond] = useState(0);
  useEffect(() => {
    let before = rendered;
    const timer = setInterval(() => {
      setPerSecond(rendered - before);
      before = rendered;
    }, 1000);
    return () => clearInterval(timer);
  }, []);
  return (
    <span className="chip accent num" style={{ minWidth: '15.5em' }}>
      {perSecond.toLocaleString('en')} rows rendered a second
    </span>
  );
}

// Unchanged records are the same objects, so of ten thousand rows only the changed ones render.
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

/** Files what the server pushes: parts of records, many at a time, in one commit for each frame. */
function useLiveItems(perSecond: number): void {
  const controller = useController();
  useEffect(() => {
    if (perSecond === 0) return undefined;
    const source = new EventSource(`/api/items/events?perSecond=${perSecond}`);
    let waiting: Partial<Item>[] = [];
    let frame = 0;
    const file = (): void => {
      frame = 0;
      controller.store.write([Item], waiting);
      waiting = [];
    };
    source.addEventListener('items', ({ data }) => {
      waiting.push(...(JSON.parse(data as string) as Partial<Item>[]));
      frame ||= requestAnimationFrame(file);
    });
    return () => {
      source.close();
      cancelAnimationFrame(frame);
    };
  }, [controller, perSecond]);
}
