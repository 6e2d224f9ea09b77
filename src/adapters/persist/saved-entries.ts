import type { Row } from '../../define/schema/row.ts';
import { INVALID } from '../../define/schema/row.ts';
import { dehydrateResult, dehydrateRow, dehydrateVersions } from '../../state/hydrate/dehydrate.ts';
import type { Dehydrated } from '../../state/hydrate/dehydrated.ts';
import { aliasesOf, invalidatedOf, nestedFieldsOf, storedRow } from '../../state/store/restore.ts';
import type { Store } from '../../state/store/store.ts';
import { isPlain } from '../../std/plain.ts';

// The data of a store as entries, each a key with a text: one entry for each row and each result, and one about all of them. Tabs of several
// versions of an application can write to one storage, so each version has keys of its own. A tab can miss a logout, so each entry has its session.
// Fixed format: disks have these keys and texts.

/** Returns the part of a row to save: the row, another row, or `undefined` for nothing. */
export type Include = (row: Row, table: string) => Row | undefined;

/** The kinds of entries that each version of the application has for itself: one about all of its entries, those of rows, and those of results. */
export const ABOUT = 'about';
export const ROW = 'row';
export const RESULT = 'result';
/** The prefix of the key of an entry that is there while a mutation is pending, one for each start of an application. */
export const PENDING = 'pending ';
/** The key of the time of the last start that found an entry of a pending mutation. Data that was fetched before that time is stale. */
export const STALE = 'stale';
/** The key of an entry that is there if a part of the data was left out. What was fetched before the next start is stale then. */
export const PARTIAL = 'partial';
/** The key of the number of the session. Each logout begins the next session. Entries of another session are not restored. */
export const SESSION = 'session';

/** What has written an entry: the version of the application, which is a part of the key, and the session, which is a part of the text. */
export interface Writer {
  readonly model: string;
  readonly session: number;
}

/** The data about all entries. */
export interface SavedAbout extends Pick<Dehydrated, 'format' | 'version' | 'relations' | 'aliases' | 'invalidated'> {
  /** The `version` option of the application. */
  readonly model: string;
  /** The time of the last write. */
  readonly savedAt: number;
  /** The number of the session, as in the other entries. */
  readonly session?: number;
}

/** The place of the session in the text of an entry, and of the version of an answer, for HTTP caching. */
const SESSION_AT = 6;
const CACHED_AT = 7;

/** Returns the session of the text of a row or a result. `undefined` for other entries. */
export function sessionOf(record: unknown): number | undefined {
  return Array.isArray(record) ? Number(record[SESSION_AT] ?? 0) : undefined;
}

/** Returns the number of the session in a storage. `undefined` if it is damaged. */
export function sessionIn(texts: ReadonlyMap<string, string>): number | undefined {
  const session = Number(texts.get(SESSION) ?? 0);
  return Number.isSafeInteger(session) && session >= 0 ? session : undefined;
}

/**
 * The first item of a list that is saved in place of a value that JSON does not have: `[MARK, time]` for a date, `[MARK, text]` for a number such as
 * NaN. A list of the application that begins with `MARK` is saved with one `MARK` more.
 */
const MARK = '\0';

/** Returns the text of rows and results as JSON. Throws for a value that would be another one when it is read, such as a `Blob` or a `Map`. */
function textOfEntry(entry: readonly unknown[]): string {
  return JSON.stringify(entry, function (this: object, field: string, value: unknown): unknown {
    // `value` is the text of a date already.
    const given: unknown = Reflect.get(this, field);
    if (given instanceof Date) return [MARK, given.getTime()];
    if (typeof given === 'number' && !Number.isFinite(given)) return [MARK, String(given)];
    if (typeof given === 'object' && given !== null && !isPlain(given)) assertInJson(given);
    return Array.isArray(value) && value[0] === MARK ? [MARK, ...(value as unknown[])] : value;
  });
}

/** Throws for an object of the platform, such as a `Blob`. A record of a class, as in arguments, is saved as plain data. */
function assertInJson(value: object): void {
  const kind = Object.prototype.toString.call(value);
  if (kind !== '[object Object]') throw new TypeError(`JSON has no form for ${kind}.`);
}

function withMarked(_: string, value: unknown): unknown {
  if (!Array.isArray(value) || value[0] !== MARK) return value;
  const [, marked] = value as readonly unknown[];
  if (marked === MARK) return value.slice(1);
  // The time of an invalid date is NaN, which JSON turns into null.
  return typeof marked === 'string' ? Number(marked) : new Date((marked as number | null) ?? Number.NaN);
}

/** Returns the value of a stored text. `undefined` for text that is damaged. */
export function parsedEntry(text: unknown): unknown {
  try {
    if (typeof text !== 'string') return undefined;
    return JSON.parse(text, text.includes('\\u0000') ? withMarked : undefined) as unknown;
  } catch {
    return undefined;
  }
}

/** Returns the beginning of the keys of one kind and one version. It is the whole key of the entry about all others. */
export function keyPrefix(kind: string, model: string): string {
  return model === '' ? kind : `${kind}@${encodeURIComponent(model)}`;
}

/** Returns the kind of the entry with a key. */
export function entryKind(key: string): string {
  const [kindAndModel = ''] = key.split(' ', 1);
  return kindAndModel.split('@', 1)[0] as string;
}

/** Returns the entry about all entries. */
export function aboutOf(store: Store, { model, session }: Writer, savedAt: number): string {
  const about: SavedAbout = {
    format: 'rejoin',
    version: 1,
    model,
    savedAt,
    session,
    relations: [...nestedFieldsOf(store.writer)],
    aliases: Array.from(aliasesOf(store.writer), ({ table, temporary, pk }) => [table, temporary, pk]),
    invalidated: [...invalidatedOf(store.writer)],
  };
  return JSON.stringify(about);
}

export function rowKey(model: string, table: string, pk: string): string {
  return `${keyPrefix(ROW, model)} ${JSON.stringify([table, pk])}`;
}

export function resultKey(model: string, key: string): string {
  return `${keyPrefix(RESULT, model)} ${key}`;
}

/** Returns a function that makes the entry of a row; `undefined` if the row was only removed to save memory. */
export function rowEntry(
  store: Store,
  table: string,
  pk: string,
  include: Include,
  session: number,
): (() => string | undefined) | undefined {
  const stored = storedRow(store.writer, table, pk);
  if (stored === undefined) return undefined;
  return () => {
    const row = stored.row === INVALID ? INVALID : include(stored.row, table);
    return row === undefined ? undefined : textOfEntry([table, ...dehydrateRow({ ...stored, row }), session]);
  };
}

/** Returns a function that makes the entry of a result. For a result that must not be saved or was invalidated, it returns `undefined`: the entry is deleted. */
export function resultEntry(store: Store, key: string, session: number): (() => string | undefined) | undefined {
  const { results: [result] = [], note } = store.request(key) ?? {};
  if (note?.isInvalidated === true || note?.isNoStore === true) return () => undefined;
  const cached = (): readonly object[] => dehydrateVersions(key, note).map(([, version]) => version);
  return result && (() => textOfEntry([...dehydrateResult(key, result, note), session, ...cached()]));
}

/** Returns the version in the entry of a result, in a list; an empty list if there is none. */
export function versionsIn({ 0: key, [CACHED_AT]: version }: readonly unknown[]): readonly unknown[] {
  return version === undefined ? [] : [[key, version]];
}
