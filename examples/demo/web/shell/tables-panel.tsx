import { useMemo, useSyncExternalStore } from 'react';
import { useController } from 'rejoin/react';
import type { References } from './references.ts';
import { TableWatch, type WatchedTable } from './table-watch.ts';

/** What was hoisted where: the tables under the page. */
export function TablesPanel({ references }: { readonly references: References }) {
  const { store } = useController();
  const watch = useMemo(() => new TableWatch(store), [store]);
  const tables = useSyncExternalStore(watch.subscribe, watch.current);
  if (tables.length === 0) return <p className="soft small">Nothing has been stored yet.</p>;
  return (
    <div className="tables">
      {tables.map((table) => (
        <Table key={table.name} {...table} fields={references.get(table.name)} />
      ))}
    </div>
  );
}

type Fields = ReadonlyMap<string, string> | undefined;

function Table({ name, size, rows, fields }: WatchedTable & { readonly fields: Fields }) {
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
              <td>{Array.isArray(row) ? <Members pks={row} of={name} /> : <Row row={row} fields={fields} />}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </details>
  );
}

/** A list keeps the pks of its members. */
function Members({ pks, of }: { readonly pks: readonly unknown[]; readonly of: string }) {
  return (
    <span>
      {of.replaceAll(/[[\]]/g, '')} <span className="ref">{pks.slice(0, MOST_MEMBERS).join(' ')}</span>
      {pks.length > MOST_MEMBERS && ` and ${pks.length - MOST_MEMBERS} more`}
    </span>
  );
}

function Row({ row, fields }: { readonly row: object; readonly fields: Fields }) {
  return (
    <dl>
      {Object.entries(row).map(([field, value]) => {
        const to = fields?.get(field);
        return (
          <div key={field}>
            <dt>{field}</dt>
            {to === undefined || value === null ? (
              <dd>{brief(value)}</dd>
            ) : (
              <dd className="ref">
                → {to} {Array.isArray(value) ? value.slice(0, MOST_MEMBERS).join(' ') : String(value)}
              </dd>
            )}
          </div>
        );
      })}
    </dl>
  );
}

const LONGEST = 44;
const MOST_MEMBERS = 24;

/** A value as JSON, cut where it gets long. */
function brief(value: unknown): string {
  const text = JSON.stringify(value, (_, inner: unknown) => (typeof inner === 'bigint' ? `${inner}n` : inner)) ?? '';
  return text.length > LONGEST ? `${text.slice(0, LONGEST)} …` : text;
}
