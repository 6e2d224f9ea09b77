import { INVALID } from '../../define/schema/row.ts';
import type { AddedPages, Stamp } from '../../define/schema/stamp.ts';
import { DataError } from '../../std/data-error.ts';
import { inDevelopment } from '../../std/development.ts';
import { copyPlain, isPlain, TooDeep, type Fields } from '../../std/plain.ts';
import { stampInOrder } from '../normalize/field-order.ts';
import type { Alias } from '../store/rename.ts';
import type { Result } from '../store/request-state.ts';
import { areIssueParts, issueOfParts } from '../store/issue-parts.ts';
import type { StoredRow } from '../store/restore.ts';
import { DEEPEST_STORED, type DehydratedRelations, type DehydratedVersion } from './dehydrated.ts';

/** The checked content of a dehydrated store or commit. */
export interface ReadState {
  readonly rows: readonly StoredRow[];
  readonly results: readonly (readonly [key: string, result: Result])[];
  readonly invalidated: readonly string[];
  readonly nestedFields: readonly DehydratedRelations[];
  readonly aliases: readonly Alias[];
  readonly versions: ReadonlyMap<string, object>;
  /** All other members. */
  readonly members: Fields;
}

/**
 * Reads plain JSON. Throws for anything but the output of `dehydrate` or `dehydrateCommit`. Rows without a place in the order count as
 * older than every request.
 */
export function readDehydrated(given: unknown): ReadState {
  try {
    const members = fieldsOfState(given);
    const rows: StoredRow[] = [];
    for (const [at, table] of list(members['tables'], 'tables').entries()) readTable(table, `tables[${at}]`, rows);
    const each = <Read>(name: string, read: (one: unknown, path: string) => Read): Read[] =>
      list(members[name] ?? [], name).map((one, at) => read(one, `${name}[${at}]`));
    list(members['results'], 'results');
    return {
      rows,
      results: each('results', readResult),
      invalidated: each('invalidated', text),
      nestedFields: each('relations', readRelations),
      aliases: each('aliases', readAlias),
      versions: new Map(each('versions', readVersion)),
      members,
    };
  } catch (error) {
    if (error instanceof DataError) throw error;
    throw stateInvalid(error instanceof TooDeep ? 'it is nested too deep' : 'it cannot be read', 'the top', error);
  }
}

function readRelations(relations: unknown, path: string): DehydratedRelations {
  const [table, fields] = list(relations, path);
  return [text(table, path), list(fields, path).filter((field) => typeof field === 'string')];
}

function readVersion(given: unknown, path: string): DehydratedVersion {
  const [key, version] = list(given, path);
  return [text(key, path), copyPlain(plain(version, path)) as object];
}

function fieldsOfState(state: unknown): Fields {
  const members = { ...plain(state, 'the top') } as Fields;
  if (members['format'] !== 'rejoin') throw stateInvalid('it was not made by dehydrate()', 'format');
  if (members['version'] !== 1)
    throw stateInvalid(`version ${String(members['version'])} is not known here`, 'version');
  return members;
}

function readTable(table: unknown, path: string, rows: StoredRow[]): void {
  const [given, entries] = list(table, path);
  const name = nonEmpty(given, path);
  for (const [at, entry] of list(entries, path).entries()) {
    const place = `${path}[1][${at}]`;
    const [pk, row, ...times] = list(entry, place);
    if (row !== null && !isOfTable(plain(row, place), name))
      throw stateInvalid(`a row is of another kind than the table ${name}`, place);
    const kept = row === null ? INVALID : (copyPlain(row, DEEPEST_STORED) as object);
    rows.push({ table: name, pk: nonEmpty(pk, place), row: kept, stamp: readStamp(times, place) });
  }
}

/** Checks that a collection is a list or a map as the name of its table says. A later `push` relies on that. */
function isOfTable(row: object, table: string): boolean {
  const isMap = table.startsWith('{') && table.endsWith('}');
  const isList = table.startsWith('[') && table.endsWith(']');
  return isList || isMap ? Array.isArray(row) === isList : true;
}

function readResult(result: unknown, path: string): readonly [string, Result] {
  const [key, stored, args, ...times] = list(result, path);
  const kept = copyPlain(list(args, path)) as readonly unknown[];
  const stamp = readStamp(times, path);
  return [text(key, path), { schema: undefined, stored: copyPlain(stored, DEEPEST_STORED), args: kept, stamp }];
}

function readAlias(alias: unknown, path: string): Alias {
  const [table, temporary, pk] = list(alias, path);
  return { table: nonEmpty(table, path), temporary: nonEmpty(temporary, path), pk: nonEmpty(pk, path) };
}

function readStamp([fetchedAt, date, expiresAt, order]: readonly unknown[], path: string): Stamp {
  const times = {
    issue: 0,
    fetchedAt: number(fetchedAt, path),
    date: number(date, path),
    expiresAt: expiresAt === null ? Number.POSITIVE_INFINITY : number(expiresAt, path),
  };
  return order === undefined ? times : readOrder(times, order, path);
}

function readOrder(times: Stamp, given: unknown, path: string): Stamp {
  const { at, sent, fields, deletion, whole, pages } = { ...plain(given, path) } as Fields;
  const stamp = {
    ...times,
    issue: readIssue(at, path),
    ...(sent !== undefined && { sent: readIssue(sent, path) }),
    ...(pages !== undefined && { pages: readPages(pages, path) }),
  };
  const issues = list(fields ?? [], path).map((each): [string, number] => {
    const [name, place] = list(each, path);
    return [text(name, path), readIssue(place, path)];
  });
  return stampInOrder(
    stamp,
    issues.length > 0 ? new Map(issues) : undefined,
    deletion === undefined ? 0 : readIssue(deletion, path),
    whole === undefined ? -1 : readIssue(whole, path),
  );
}

function readPages(pages: unknown, path: string): AddedPages {
  const [without, arrived, ...added] = list(pages, path);
  return {
    without: readIssue(without, path),
    arrived: readIssue(arrived, path),
    added: added.map((page) => {
      const [at, members] = list(page, path);
      return [readIssue(at, path), list(copyPlain(members), path)] as const;
    }),
  };
}

export function readIssue(place: unknown, path: string): number {
  if (areIssueParts(place)) return issueOfParts(place);
  throw stateInvalid('a place in the order is not a pair', path);
}

function list(value: unknown, path: string): readonly unknown[] {
  if (Array.isArray(value)) return value;
  throw missing('list', path);
}

function plain(value: unknown, path: string): object {
  if (isPlain(value)) return value;
  throw missing('plain object', path);
}

function text(value: unknown, path: string): string {
  if (typeof value === 'string') return value;
  throw missing('text', path);
}

/** Returns the name of a table, or a pk. */
function nonEmpty(value: unknown, path: string): string {
  if (value !== '') return text(value, path);
  throw missing('text', path);
}

function number(value: unknown, path: string): number {
  if (typeof value === 'number') return value;
  throw missing('number', path);
}

function missing(what: string, path: string): DataError {
  return stateInvalid(`a ${what} is missing`, path);
}

function stateInvalid(why: string, path: string, cause?: unknown): DataError {
  return new DataError('hydrate-invalid', `The state to hydrate was refused: ${why}.`, {
    path,
    cause,
    cure: inDevelopment(() => 'Pass the result of dehydrate() unchanged, after JSON.parse.'),
  });
}
