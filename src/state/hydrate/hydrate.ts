import { INVALID, type Stamp } from '../../define/schema/schema.ts';
import { DataError } from '../../std/data-error.ts';
import { copyPlain, isPlain, TooDeep, type Fields } from '../../std/plain.ts';
import { DEEPEST_STORED, type DehydratedRelations } from './dehydrated.ts';
import type { StoredRow } from '../store/restore.ts';
import type { Result } from '../store/request-state.ts';
import type { Alias } from '../store/rename.ts';
import type { RestoreOptions, Store } from '../store/store.ts';

/**
 * Puts a dehydrated store into another, in one commit. Rows and results that are there already stay: they are newer,
 * unless this is a later part of what they came from.
 * Anything but the output of `dehydrate` is refused and changes nothing.
 */
export function hydrate(store: Store, given: unknown, options: RestoreOptions = {}): void {
  const rows: StoredRow[] = [];
  const results: (readonly [string, Result])[] = [];
  const relations: DehydratedRelations[] = [];
  const aliases: Alias[] = [];
  try {
    const state = opened(given);
    for (const [at, table] of list(state['tables'], 'tables').entries()) readTable(table, `tables[${at}]`, rows);
    for (const [at, each] of list(state['results'], 'results').entries())
      results.push(readResult(each, `results[${at}]`));
    for (const [at, each] of list(state['relations'] ?? [], 'relations').entries())
      relations.push(readRelations(each, `relations[${at}]`));
    for (const [at, each] of list(state['aliases'] ?? [], 'aliases').entries())
      aliases.push(readAlias(each, `aliases[${at}]`));
  } catch (error) {
    if (error instanceof DataError) throw error;
    throw refused(error instanceof TooDeep ? 'it is nested too deep' : 'it cannot be read', 'the top', error);
  }
  store.restore(rows, results, { ...options, nestedFields: relations, aliases });
}

function readRelations(relations: unknown, path: string): DehydratedRelations {
  const [table, fields] = list(relations, path);
  if (typeof table !== 'string') throw refused('a table has no name', path);
  return [table, list(fields, path).filter((field) => typeof field === 'string')];
}

function opened(state: unknown): Fields {
  if (!isPlain(state) || Array.isArray(state)) throw refused('it is no object', 'the top');
  const members = { ...state } as Fields;
  if (members['format'] !== 'rejoin') throw refused('it was not made by dehydrate()', 'format');
  if (members['version'] !== 1) throw refused(`version ${String(members['version'])} is not known here`, 'version');
  return members;
}

function readTable(table: unknown, path: string, rows: StoredRow[]): void {
  const [name, entries] = list(table, path);
  if (typeof name !== 'string' || name === '') throw refused('a table has no name', path);
  for (const [at, entry] of list(entries, path).entries()) {
    const place = `${path}[1][${at}]`;
    const [pk, row, ...times] = list(entry, place);
    if (typeof pk !== 'string' || pk === '') throw refused('a row has no pk', place);
    if (row !== null && !isPlain(row)) throw refused('a row is no object', place);
    if (row !== null && !isOfTable(row, name)) throw refused(`a row is of another kind than the table ${name}`, place);
    const kept = row === null ? INVALID : (copyPlain(row, DEEPEST_STORED) as object);
    rows.push({ table: name, pk, row: kept, stamp: readStamp(times, place) });
  }
}

/** Collections say by the name of their table whether they are lists or maps: a later `push` counts on that. */
function isOfTable(row: object, table: string): boolean {
  const isMap = table.startsWith('{') && table.endsWith('}');
  const isList = table.startsWith('[') && table.endsWith(']');
  return isList || isMap ? Array.isArray(row) === isList : true;
}

function readResult(result: unknown, path: string): readonly [string, Result] {
  const [key, stored, args, ...times] = list(result, path);
  if (typeof key !== 'string') throw refused('a result has no request key', path);
  const kept = copyPlain(list(args, path)) as readonly unknown[];
  return [
    key,
    { schema: undefined, stored: copyPlain(stored, DEEPEST_STORED), args: kept, stamp: readStamp(times, path) },
  ];
}

function readAlias(alias: unknown, path: string): Alias {
  const [table, temporary, pk] = list(alias, path);
  for (const text of [table, temporary, pk])
    if (typeof text !== 'string' || text === '') throw refused('an alias is no text', path);
  return { table, temporary, pk } as Alias;
}

/** What is restored is older than every request. */
function readStamp([fetchedAt, date, expiresAt]: readonly unknown[], path: string): Stamp {
  const until = expiresAt === null ? Number.POSITIVE_INFINITY : expiresAt;
  if (typeof fetchedAt !== 'number' || typeof date !== 'number' || typeof until !== 'number')
    throw refused('a time is no number', path);
  return { issue: 0, fetchedAt, date, expiresAt: until };
}

function list(value: unknown, path: string): readonly unknown[] {
  if (Array.isArray(value)) return value;
  throw refused('a list is missing', path);
}

function refused(why: string, path: string, cause?: unknown): DataError {
  return new DataError(
    'hydrate-invalid',
    `The state to hydrate was refused: ${why}. Pass what dehydrate() gave, after JSON.parse, unchanged.`,
    { path, cause },
  );
}
