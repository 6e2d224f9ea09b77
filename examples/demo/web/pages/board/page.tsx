import { memo, useEffect, useState } from 'react';
import { keyOf } from 'rejoin';
import { useController, useQuery, useSuspense } from 'rejoin/react';
import { useLiveItems } from '../../net/live-items.ts';
import { PerSecond } from '../../shell/per-second.tsx';
import { RateChoice } from '../../shell/rate-choice.tsx';
import { board, getStock, stock, StockItem } from './model.ts';

export function BoardPage() {
  // The only fetch of this page. Everything on the screen is a live query of these records.
  useSuspense(getStock, { limit: 10_000 });
  const [rate, setRate] = useState(300);
  const [atMost, setAtMost] = useState(10);
  const controller = useController();
  useLiveItems(rate, (changes) => controller.store.write([StockItem], changes));
  return (
    <div className="stack">
      <div className="row">
        <RateChoice rate={rate} onChange={setRate} />
        <label className="row">
          Short means at most
          <input
            className="field num"
            type="number"
            min={0}
            max={500}
            value={atMost}
            onChange={(event) => setAtMost(event.target.valueAsNumber || 0)}
            style={{ width: '5.5em' }}
          />
        </label>
        <PerSecond count={columnsRendered} what="columns rendered" />
      </div>
      <Stock />
      <Columns atMost={atMost} />
    </div>
  );
}

/** One row for each warehouse, computed from ten thousand items. */
function Stock() {
  const warehouses = useQuery(stock) ?? [];
  return (
    <div className="card">
      <table className="plain" aria-label="Stock">
        <thead>
          <tr>
            <th scope="col">Warehouse</th>
            <th scope="col" className="right">
              Items
            </th>
            <th scope="col" className="right">
              Pieces
            </th>
            <th scope="col" className="right">
              Pieces of an item
            </th>
          </tr>
        </thead>
        <tbody>
          {warehouses.map(({ key, items, pieces, mean }) => (
            <tr key={key}>
              <td>{key}</td>
              <td className="right num">{items.toLocaleString('en')}</td>
              <td className="right num">{pieces.toLocaleString('en')}</td>
              <td className="right num">{mean?.toFixed(1)}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}

function Columns({ atMost }: { readonly atMost: number }) {
  const warehouses = useQuery(board, { atMost }) ?? [];
  return (
    <div className="pair">
      {warehouses.map(({ name, scarcest, short }) => (
        <Column key={name} name={name} scarcest={scarcest} short={short} />
      ))}
    </div>
  );
}

interface ColumnProps {
  readonly name: string;
  readonly scarcest: readonly StockItem[];
  readonly short: number;
}

let rendered = 0;
const columnsRendered = (): number => rendered;

// If an item changes that is not among the scarcest, the list stays the same array, and its column does not render.
const Column = memo(function Column({ name, scarcest, short }: ColumnProps) {
  useEffect(() => {
    rendered++;
  });
  return (
    <section className="card stack tight" aria-label={name}>
      <h2 className="row apart">
        {name} <span className={`chip num ${short > 0 ? 'warm' : ''}`}>{short} short</span>
      </h2>
      <ul className="lines">
        {scarcest.map((item) => (
          <li key={keyOf(item)} className="row apart one-line">
            <span>{item.name}</span>
            <strong className="num">{item.quantity}</strong>
          </li>
        ))}
      </ul>
    </section>
  );
});
