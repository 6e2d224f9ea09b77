import { hasLists } from '../../define/schema/list-table.ts';
import type { Invalid, Row } from '../../define/schema/row.ts';
import type { Stamp } from '../../define/schema/stamp.ts';
import { joinVersions } from '../normalize/row-versions.ts';
import { WriteLog } from '../normalize/write-log.ts';
import type { Space } from '../tables/space.ts';
import type { StoreWriter } from './store-writer.ts';
import type { Commit } from './commit.ts';
import { type Alias, restoreAliases } from './rename.ts';
import type { RequestState, Result } from './request-state.ts';

/** A confirmed row with its table, pk and stamp. */
export interface StoredRow {
  readonly table: string;
  readonly pk: string;
  readonly row: Row | Invalid;
  readonly stamp: Stamp;
}

export interface RestoreOptions {
  /** Whether it is a later part of the state that was restored before. */
  readonly isLater?: boolean;
  /** By table, the fields in which responses had nested records. */
  readonly nestedFields?: Iterable<NestedFields>;
  /** The temporary pks that rows contain, with the pks that replaced them. */
  readonly aliases?: Iterable<Alias>;
  /** The keys of requests whose results were invalidated. */
  readonly invalidated?: Iterable<string>;
  /** By request key, the versions of results. */
  readonly versions?: ReadonlyMap<string, object>;
}

/** The fields of one table in which responses had nested records. Rows hold the pks of these records. */
export type NestedFields = readonly [table: string, fields: readonly string[]];

/** Returns one confirmed row. */
export function storedRow({ core }: StoreWriter, table: string, pk: string): StoredRow | undefined {
  const cell = core.reading.space.table(table).cells.get(pk);
  const { row, stamp } = cell === undefined ? NOTHING : core.confirmed(cell);
  return row === undefined || stamp === undefined ? undefined : { table, pk, row, stamp };
}

/** Returns the part of a commit that was not restored: restored rows and results are older than any request. */
export function withoutRestored(writer: StoreWriter, commit: Commit): Commit {
  return {
    ...commit,
    rows: commit.rows.filter(({ table, pk }) => storedRow(writer, table, pk)?.stamp.issue !== 0),
    requests: commit.requests.filter(({ after }) => after?.results[0]?.stamp.issue !== 0),
  };
}

const NOTHING = { row: undefined, stamp: undefined };

/** Returns every confirmed row, including deleted ones. */
export function* storedRows(writer: StoreWriter): Generator<StoredRow> {
  const { core } = writer;
  writer.removeDeletedFromCollections();
  for (const table of core.reading.space.tables.values()) {
    // A copy, because the caller may write between two rows.
    for (const cell of Array.from(table.order.cells.values())) {
      const { row, stamp } = core.confirmed(cell);
      if (row !== undefined && stamp !== undefined) yield { table: table.name, pk: cell.pk, row, stamp };
    }
  }
}

/** Returns the fields in which responses had nested records. */
export function* nestedFieldsOf({ core }: StoreWriter): Generator<NestedFields> {
  for (const [name, relations] of core.reading.space.relations) {
    const fields = [...relations.nested()];
    if (fields.length > 0) yield [name, fields];
  }
}

function restoreNested(space: Space, nested: Iterable<NestedFields>): void {
  for (const [table, fields] of nested) for (const field of fields) space.relationsOf(table).restore(field);
}

/** Returns the temporary pks of confirmed creates, with the pks that replaced them. */
export function* aliasesOf({ core }: StoreWriter): Generator<Alias> {
  for (const { name: table, aliases: known } of core.reading.space.tables.values())
    for (const [temporary, pk] of known) yield { table, temporary, pk };
}

/** Returns the keys of requests whose results were invalidated. */
export function* invalidatedOf({ core }: StoreWriter): Generator<string> {
  for (const [key, { results, note }] of core.states.entries())
    if (results.length === 0 && note?.isInvalidated === true) yield key;
}

/** Notes that the results of a request were invalidated, so that only a new request can answer. */
function invalidate(writer: StoreWriter, key: string): void {
  const { now, states } = writer.core;
  const { note } = states.confirmed.get(key) ?? {};
  writer.setRequest(key, { results: [], note: { edits: 0, ...note, since: now(), isInvalidated: true } });
}

/** Returns the state of a request with a result that came after its results were invalidated, and the version of the result. */
function withLater(
  { core: { now, states } }: StoreWriter,
  key: string,
  result: Result,
  version: object | undefined,
): RequestState {
  const { results, note } = states.withResult(key, result);
  const known = note?.isInvalidated === true ? undefined : note;
  // The version of an earlier result than the stored one is out of date.
  const isLatest = version !== undefined && results[0]?.stamp.issue === result.stamp.issue;
  return { results, note: isLatest ? { edits: 0, since: now(), ...known, version, written: undefined } : known };
}

/**
 * Adds rows and results from elsewhere in one commit. They count as older than any request, and those that are stored already stay. With
 * `isLater`, they replace data that was restored before and has not been written since.
 */
export function restore(
  writer: StoreWriter,
  rows: Iterable<StoredRow>,
  results: Iterable<readonly [key: string, result: Result]>,
  { isLater = false, nestedFields = [], aliases = [], invalidated = [], versions }: RestoreOptions = {},
): void {
  writer.assertWritable();
  writer.removeDeletedFromCollections();
  const { core } = writer;
  const { covered, reading, states } = core;
  const { space } = reading;
  core.runBatch((batch) => {
    const log = new WriteLog(covered);
    for (const { table, pk, row, stamp } of rows) {
      const cell = space.table(table).cellOf(pk);
      const known = log.confirmed(cell);
      if (known.row !== undefined && !(isLater && known.stamp?.issue === 0)) continue;
      log.put(cell, row, stamp);
      if (cell.table.collection !== undefined) space.unlinked.add(cell);
    }
    writer.apply(log, batch);
    restoreAliases(writer, batch, aliases);
    for (const [key, result] of results)
      if (isOlder(states.confirmed.get(key), isLater))
        writer.setRequest(key, withLater(writer, key, result, versions?.get(key)));
    for (const key of invalidated) if (isOlder(states.confirmed.get(key), isLater)) invalidate(writer, key);
    restoreNested(space, nestedFields);
  });
}

/** Returns whether restored data may replace what is known of a request: nothing yet, or with `isLater`, data that was restored before. */
function isOlder(state: RequestState | undefined, isLater: boolean): boolean {
  const { results: [known] = [], note } = state ?? {};
  if (known === undefined) return isLater || note?.isInvalidated !== true;
  return isLater && known.stamp.issue === 0;
}

/** The changes of another store. */
export interface ChangedElsewhere {
  readonly rows: readonly StoredRow[];
  readonly results: readonly (readonly [key: string, result: Result])[];
  readonly invalidated: readonly string[];
  readonly nestedFields: Iterable<NestedFields>;
  readonly aliases: Iterable<Alias>;
  readonly versions: ReadonlyMap<string, object>;
}

/** Merges the changes of another store in one commit. `latest`: the latest place in the order that the other store had. */
export function joinRestored(writer: StoreWriter, changed: ChangedElsewhere, latest: number): void {
  writer.assertWritable();
  writer.removeDeletedFromCollections();
  const { covered, reading, states, tickets } = writer.core;
  const { space } = reading;
  tickets.noteIssue(latest);
  writer.core.runBatch((batch) => {
    const log = new WriteLog(covered);
    for (const { table, pk, ...incoming } of changed.rows) {
      const cell = space.table(table).cellOf(pk);
      const { row, stamp } = log.confirmed(cell);
      const isKnown = row !== undefined && stamp !== undefined;
      const joined = isKnown ? joinVersions({ row, stamp }, incoming, hasLists(table)) : incoming;
      log.put(cell, joined.row, joined.stamp);
      if (cell.table.collection !== undefined) space.unlinked.add(cell);
    }
    writer.apply(log, batch);
    restoreAliases(writer, batch, changed.aliases);
    restoreNested(space, changed.nestedFields);
    for (const key of changed.invalidated) {
      const [known] = states.confirmed.get(key)?.results ?? [];
      if (known === undefined || known.stamp.issue <= latest) invalidate(writer, key);
    }
    for (const [key, result] of changed.results)
      writer.setRequest(key, withLater(writer, key, result, changed.versions.get(key)));
  });
}
