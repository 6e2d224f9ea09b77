/** What schemas may call while a value is normalized, denormalized or found. */

import type { Invalid, Row, StampedRow, RowEdit, TableSchema, StoredCollection } from './row.ts';
import type { Stamp } from './stamp.ts';

/** Selects collections: each selecting argument in their key has one of these values. */
export interface CollectionQuery {
  selects(name: string): boolean;
  valuesOf(name: string): readonly unknown[];
  /** Returns whether collections whose keys have these names can match. Default: all can. */
  concerns?(names: readonly string[]): boolean;
}

/** The methods of the walk that `normalize` may call. */
export interface NormalizeDelegate {
  readonly args: readonly unknown[];
  readonly meta: Stamp;
  /** Normalizes `value` with `schema`. Returns what the parent stores. `parentEntity` is passed to `normalize`. */
  visit(schema: unknown, value: unknown, parent: unknown, key: string | undefined, parentEntity?: unknown): unknown;
  /** As `visit`, for a record that is being created: an entity without a pk gets a temporary one. */
  create(schema: unknown, value: unknown, parent: unknown, key: string | undefined): unknown;
  /** Returns the row as it is at this point of the write. */
  getEntity(table: string, pk: string): Row | Invalid | undefined;
  /** Returns every row of a table as it is at this point of the write, in the order in which the rows arrived. */
  getEntities(table: string): Iterable<readonly [pk: string, row: Row | Invalid]>;
  /**
   * As `getEntities`, for the rows that were added or changed since the last call of a reader, in any order. It may return others. The first call
   * returns all.
   *
   * @internal
   */
  getChanged(table: string, reader: string): Iterable<readonly [pk: string, row: Row | Invalid]>;
  /**
   * Returns every stored collection of a table, with the key object for its pk, which is parsed once. With `query`, returns only those that
   * may match, which an index finds.
   */
  getCollections(table: string, query?: CollectionQuery): readonly StoredCollection[];
  /** Merges `incoming` into the row by the rules of the schema. */
  mergeEntity(schema: TableSchema, pk: string, incoming: Row): void;
  /**
   * Edits a row of a guess, whatever it contains. The guess stays the same if the row changes.
   *
   * @internal
   */
  editEntity(table: string, pk: string, edit: RowEdit): void;
  /** Replaces the row. */
  setEntity(schema: TableSchema, pk: string, row: Row): void;
  /** Deletes the row. It reads as invalid until a later request stores it again, and leaves stored collections. */
  invalidate(schema: { readonly key: string }, pk: string): void;
  /** The kind of the stored input: the answer to a read or a value set by hand, the answer to a mutation, or a guess. */
  readonly source: WriteSource;
  /** When the request was sent. For a mutation this differs from its place in the order, which is that of its answer. */
  readonly sent: number;
  /** Whether the input is the answer of a read, but not a further page, and no mutation has settled since it was sent: it is not from before a mutation. */
  readonly isCurrentRead: boolean;
  /** Whether the store has newer data of a record of the input, which differs from that in the input. */
  readonly isOutdated: boolean;
  /** The highest issue that the store knows. */
  readonly latest: number;
  /**
   * For the answer of a mutation: its place in the order of issue.
   *
   * @internal
   */
  readonly issued: Issued | undefined;
  /**
   * Marks a row of which only the server knows the present content. It is fetched again where it is shown. Does nothing in a read that no
   * mutation caused.
   */
  doubt(table: string, pk: string): void;
  /** As `doubt`, also in a read. */
  doubtAlways(table: string, pk: string): void;
  /** Returns whether the mutation changes this record, or for a read, whether a pending mutation does. */
  isMutated(table: string, pk: string): boolean;
  /** Returns whether only the server knows the present content of a row. */
  isInDoubt(table: string, pk: string): boolean;
  /** Returns the row as it was before this write. */
  rowBefore(table: string, pk: string): Row | Invalid | undefined;
  /** Returns the stamp of the row before this write. */
  stampBefore(table: string, pk: string): Stamp | undefined;
  /** Returns a function that reads rows of a table as they are at this point of the write. */
  rowsOf(table: string): (pk: string) => StampedRow | undefined;
  /** Returns the collection that decides for all with the same key: the one with rules. */
  decidingCollection(key: string): TableSchema | undefined;
  /** Returns notes that schemas keep about a table as long as the store exists. */
  notes(table: string): Map<string, unknown>;
  /**
   * Adds a function that undoes changes of notes if the write is undone.
   *
   * @internal
   */
  onUndo(undo: () => void): void;
}

/** The place of a mutation in the order of issue. */
export interface Issued {
  readonly issue: number;
  /** When the oldest mutation was issued that is still pending. `Infinity` if none is. */
  readonly oldestPending: number;
}

/** See `NormalizeDelegate.source`. */
export type WriteSource = 'read' | 'mutation' | 'guess';

/** The methods of the walk that `denormalize` may call. Each value that it reads is tracked: after a change, the result is rebuilt. */
export interface DenormalizeDelegate {
  readonly args: readonly unknown[];
  /**
   * Whether this run only collects the parts of the value. `unvisit` then returns `undefined` for parts that are not built yet, and the
   * result is discarded. Costly code may be skipped if every part is still read. Parts that are read only in the second run are built on
   * the call stack, and in a cycle they may be missing.
   */
  readonly isGathering?: boolean;
  /** Makes the value depend only on what `lens` returns for the arguments. `lens` must always be the same function. */
  argsKey(lens: (args: readonly unknown[]) => string | undefined): string | undefined;
  /** Returns the value of `stored` under `schema`: `undefined` if missing, `INVALID` if invalid. */
  unvisit(schema: unknown, stored: unknown): unknown;
  /** Returns a row as it is stored. */
  getEntity(table: string, pk: string): Row | Invalid | undefined;
}

/** The methods of the store that `queryKey` may call. Each result is tracked. */
export interface QueryDelegate {
  readonly INVALID: Invalid;
  /**
   * Returns whether there is a row, also for a deleted row. It is cheaper to track than `getEntity`, because the content of the row does
   * not matter.
   */
  hasEntity(table: string, pk: string): boolean;
  getEntity(table: string, pk: string): Row | Invalid | undefined;
  getEntities(table: string): Iterable<readonly [pk: string, row: Row | Invalid]> | undefined;
  /** Returns the pks of the rows of a table, without deleted ones, in the order in which they arrived. Depends only on which rows exist. */
  getPks(table: string): Iterable<string> | undefined;
  /** Returns whether a table has, or ever had, a row. An empty table differs from an unknown one. */
  hasTable(table: string): boolean;
  /** Returns the pk for `value` in an index of `static indexes`. For an index of several fields, `value` is the list of their values. */
  getIndex(table: string, field: string | readonly string[], value: unknown): string | undefined;
}

/** Returns the stored form that a schema finds for arguments. */
export type Unvisit = (schema: unknown, args: readonly unknown[]) => unknown;
