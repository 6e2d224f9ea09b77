import { INVALID, type Stamp } from '../../define/schema/schema.ts';
import { copyPlain } from '../../std/plain.ts';
import type { Store } from '../store/store.ts';
import { type Dehydrated, type DehydratedRow, type DehydratedTimes, DEEPEST_STORED } from './dehydrated.ts';

/** What is confirmed in a store, as plain JSON. Guesses stay behind: their mutations belong to this session. */
export function dehydrate(store: Store): Dehydrated {
  const tables = new Map<string, DehydratedRow[]>();
  for (const { table, pk, row, stamp } of store.rows()) {
    const rows = tables.get(table) ?? [];
    rows.push([pk, row === INVALID ? null : (copyPlain(row, DEEPEST_STORED) as object), ...timesOf(stamp)]);
    tables.set(table, rows);
  }
  const results = [...store.results()].map(
    ([key, { stored, args, stamp }]) =>
      [key, copyPlain(stored, DEEPEST_STORED), copyPlain(args) as readonly unknown[], ...timesOf(stamp)] as const,
  );
  const relations = [...store.nestedFields()];
  const aliases = Array.from(store.aliases(), ({ table, temporary, pk }) => [table, temporary, pk] as const);
  return {
    format: 'rejoin',
    version: 1,
    tables: [...tables],
    results,
    ...(relations.length > 0 && { relations }),
    ...(aliases.length > 0 && { aliases }),
  };
}

function timesOf({ fetchedAt, date, expiresAt }: Stamp): DehydratedTimes {
  return [fetchedAt, date, Number.isFinite(expiresAt) ? expiresAt : null];
}
