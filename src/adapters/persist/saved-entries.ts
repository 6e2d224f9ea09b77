import type { Row } from '../../define/schema/schema.ts';
import { INVALID } from '../../define/schema/schema.ts';
import { dehydrateResult, dehydrateRow } from '../../state/hydrate/dehydrate.ts';
import type { Dehydrated } from '../../state/hydrate/dehydrated.ts';
import { storedRow } from '../../state/store/restore.ts';
import type { Store } from '../../state/store/store.ts';

/** What of a row is kept: the row, another one in its place, or, with `undefined`, nothing. */
export type Include = (row: Row, table: string) => Row | undefined;

/** The key of what is known of all entries together. */
export const ABOUT = 'about';
/** What the keys of rows and results begin with. */
export const ROW = 'row ';
export const RESULT = 'result ';

/** What is known of all entries together. */
export interface SavedAbout extends Pick<Dehydrated, 'format' | 'version' | 'relations' | 'aliases'> {
  /** The version of the model that the application has given. */
  readonly model: string;
  /** When something was written last. */
  readonly savedAt: number;
}

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

/** What makes the entry of a row, as it is now; `undefined` where the row was only forgotten, to save memory. */
export function rowEntry(
  store: Store,
  table: string,
  pk: string,
  include: Include,
): (() => string | undefined) | undefined {
  const stored = storedRow(store.writer, table, pk);
  if (stored === undefined) return undefined;
  return () => {
    const row = stored.row === INVALID ? INVALID : include(stored.row, table);
    return row === undefined ? undefined : JSON.stringify([table, ...dehydrateRow({ ...stored, row })]);
  };
}

/** The same of a result. What must not be kept, or was thrown away because it is not true any more, is taken away. */
export function resultEntry(store: Store, key: string): (() => string | undefined) | undefined {
  const { results: [result] = [], note } = store.request(key) ?? {};
  if (note?.isInvalidated === true || note?.isPassing === true) return () => undefined;
  return result && (() => JSON.stringify(dehydrateResult(key, result, note)));
}
