import type { Row } from '../../define/schema/schema.ts';
import { INVALID } from '../../define/schema/schema.ts';
import { dehydrateResult, dehydrateRow } from '../../state/hydrate/dehydrate.ts';
import type { Dehydrated } from '../../state/hydrate/dehydrated.ts';
import { storedRow } from '../../state/store/restore.ts';
import type { Store } from '../../state/store/store.ts';

// The data of a store as entries, each a key with a text: one entry for each row and each result, and one about all of them. Tabs of two
// versions of an application can write to one storage, so each entry ends with its version.

/** Returns the part of a row to save: the row, another row, or `undefined` for nothing. */
export type Include = (row: Row, table: string) => Row | undefined;

/** The key of the entry about all entries. */
export const ABOUT = 'about';
/** The prefixes of the keys of rows and results. */
export const ROW = 'row ';
export const RESULT = 'result ';
/** The prefix of the key of an entry that is there while a mutation is pending, one for each start of an application. */
export const PENDING = 'pending ';
/** The key of the time of the last start that found such an entry. What was fetched before that time is stale. */
export const STALE = 'stale';

/** The data about all entries. */
export interface SavedAbout extends Pick<Dehydrated, 'format' | 'version' | 'relations' | 'aliases'> {
  /** The `version` option of the application. */
  readonly model: string;
  /** The time of the last write. */
  readonly savedAt: number;
}

/** Returns the entry about all entries. */
export function aboutOf(store: Store, model: string, savedAt: number): string {
  const about: SavedAbout = {
    format: 'rejoin',
    version: 1,
    model,
    savedAt,
    relations: [...store.nestedFields()],
    aliases: Array.from(store.aliases(), ({ table, temporary, pk }) => [table, temporary, pk]),
  };
  return JSON.stringify(about);
}

export function rowKey(table: string, pk: string): string {
  return ROW + JSON.stringify([table, pk]);
}

/** Returns a function that makes the entry of a row; `undefined` if the row was only removed to save memory. */
export function rowEntry(
  store: Store,
  table: string,
  pk: string,
  include: Include,
  model: string,
): (() => string | undefined) | undefined {
  const stored = storedRow(store.writer, table, pk);
  if (stored === undefined) return undefined;
  return () => {
    const row = stored.row === INVALID ? INVALID : include(stored.row, table);
    return row === undefined ? undefined : JSON.stringify([table, ...dehydrateRow({ ...stored, row }), model]);
  };
}

/** Returns a function that makes the entry of a result. For a result that must not be saved or was invalidated, it returns `undefined`: the entry is deleted. */
export function resultEntry(store: Store, key: string, model: string): (() => string | undefined) | undefined {
  const { results: [result] = [], note } = store.request(key) ?? {};
  if (note?.isInvalidated === true || note?.isPassing === true) return () => undefined;
  return result && (() => JSON.stringify([...dehydrateResult(key, result, note), model]));
}
