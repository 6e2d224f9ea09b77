import { useMemo, useSyncExternalStore } from 'react';
import { useController } from 'rejoin/react';
import { TableWatch, type WatchedTable } from './table-watch.ts';

/** What was hoisted where: the tables under the page. */
export function TablesPanel() {
  const { store } = useController();
  const watch = useMemo(() => new TableWatch(store), [store]);
  const tables = useSyncExternalStore(watch.subscribe, watch.current);
  if (tables.length === 0) return <p className="soft small">Nothing has been stored yet.</p>;
  return (
    <div className="tables">
      {tables.map((table) => (
        <Table key={table.name} {...table} />
      ))}
    </div>
  );
}

function Table({ name, size, rows }: WatchedTable) {
  return (
    <details open={size > 0 && size < 400}>
      <summary>
        <span className="mono">{name}</span>
        <span className="chip num">{size === 1 ? '1 row' : `${size.toLocaleString('en')} rows`}</span>
      </summary>
      <table>
        <tbody>
          {rows.map(({ pk, row, changedAt }) => (
            <tr key={`${pk} ${changedAt}`} className={changedAt > 0 ? 'changed' : undefined}>
              <th scope="row">{pk}</th>
              <td>{brief(row)}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </details>
  );
}

const LONGEST = 220;

/** A row as JSON, cut where it gets long. */
function brief(row: unknown): string {
  const text = JSON.stringify(row, (_, value: unknown) => (typeof value === 'bigint' ? `${value}n` : value));
  return text.length > LONGEST ? `${text.slice(0, LONGEST)} …` : text;
}
