/**
 * The interface between schemas and the walks that normalize and denormalize. Walks use this file and no schema class except Entity. Schema
 * classes use this file and no walk.
 */

import type { Stamp } from './stamp.ts';

/** The content of a table for a deleted record, and the value of a record that is not valid. */
export const INVALID: unique symbol = Symbol('INVALID');
export type Invalid = typeof INVALID;

/** The content of a cell: a row, INVALID if the row was deleted, or `undefined` if there was never one. */
export type RowState = Row | Invalid | undefined;

/** A row of a table: a plain record, or the members of a collection. */
export type Row = object;

/** The merge rules of a schema that has rows: Entity, Collection, Scalar. */
export interface TableSchema {
  readonly key: string;
  merge(existing: never, incoming: never): unknown;
  mergeWithStore(existingMeta: Stamp, incomingMeta: Stamp, existing: never, incoming: never): unknown;
  mergeMetaWithStore(existingMeta: Stamp, incomingMeta: Stamp, existing: never, incoming: never): Stamp;
  /**
   * Returns the stamp of the first row, if it differs from that of the write.
   *
   * @internal
   */
  firstMeta?(meta: Stamp, row: Row): Stamp;
  /**
   * Returns whether an answer comes too late for the row, which then stays, and the result of the request too.
   *
   * @internal
   */
  isLate?(known: Stamp, incoming: Stamp): boolean;
  /**
   * For rules that edit a row, whatever it contains: applies their edits to other rows.
   *
   * @internal
   */
  readonly repeat?: RepeatEdits | undefined;
}

/** An edit of a row: the merged data, and how to merge it again. */
export interface RowEdit {
  readonly repeat: RepeatEdits;
  readonly incoming: Row;
  /** When the mutation of the guess was issued. */
  readonly issue?: number | undefined;
}

/** A kind of edit. Edits with the same `over` are applied at once. */
export interface RepeatEdits {
  /** Returns a row with edits applied in order. Absent for the edits of the members of lists, which the store applies. */
  readonly over?: (row: Row, edits: readonly RowEdit[]) => Row;
  /** Whether the result depends on other rows, such as those of the members of a list. */
  readonly readsRows?: boolean;
  /** Whether an edit that is applied twice has the same result as if it was applied once. */
  readonly isOnce?: boolean;
}

/** Selects collections: each selecting argument in their key has one of these values. */
export interface CollectionQuery {
  selects(name: string): boolean;
  valuesOf(name: string): readonly unknown[];
  /** Returns whether collections whose keys have these names can match. Default: all can. */
  concerns?(names: readonly string[]): boolean;
}

/** A row with its stamp. */
export interface StampedRow {
  readonly row: Row | Invalid | undefined;
  readonly stamp: Stamp | undefined;
}

/** A stored collection. */
export interface StoredCollection {
  readonly pk: string;
  readonly row: Row;
  /** The key object whose JSON is the pk. */
  readonly args: Readonly<Record<string, unknown>>;
  /** When the collection was requested as a whole. */
  readonly issue: number;
}

/** A record that a write changed. Without `after`, the write deleted it. Without `before`, a mutation changed it, and it was not stored. */
export interface RecordChange {
  readonly table: string;
  readonly pk: string;
  readonly before: Row | undefined;
  readonly after: Row | undefined;
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
  /** The last place in the order that was handed out. */
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
  decidingCollection(key: string): RowSchema | undefined;
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

/** A schema and its input, with the parent and key of the input. */
export type SchemaPart = readonly [schema: unknown, value: unknown, parent: unknown, key: string | undefined];

/**
 * A schema other than an entity class, a function, or a plain array or object: all schema classes of this library, and your own. All three
 * methods must be pure. `denormalize` may run more often than its value is read, and gets `undefined` for parts that are not built yet.
 */
export interface SchemaSimple {
  /**
   * Stores `input`. Returns what its parent stores: a pk, or a plain copy. Never changes `input`. If this is the schema of a field,
   * `parentEntity` is the entity class and `parent` the record.
   */
  normalize(
    input: unknown,
    parent: unknown,
    key: string | undefined,
    delegate: NormalizeDelegate,
    parentEntity?: unknown,
  ): unknown;
  /**
   * Returns the parts of an object that `normalize` visits first, in this order, so that a large answer can be stored part by part. A class
   * that overrides `normalize` but not this method is stored as a whole.
   *
   * @internal
   */
  partsOf?(input: Readonly<Record<string, unknown>>, parent: unknown, key: string | undefined): readonly SchemaPart[];
  /** Builds the value for the stored form. */
  denormalize(stored: unknown, delegate: DenormalizeDelegate): unknown;
  /** Returns the stored form for `args`, without a request. `undefined` if there is none. */
  queryKey(args: readonly unknown[], unvisit: Unvisit, delegate: QueryDelegate): unknown;
  /**
   * The schema of the items, if this schema is only a list of one schema or of a `Choice`. The walks then process the list themselves, so
   * that they can patch it.
   */
  readonly listOf?: unknown;
  /** The schema of the entries, if this schema is only a map of one schema or of a `Choice`. The walks then process the map themselves. */
  readonly mapOf?: unknown;
  /**
   * The kind of structure, if the value consists only of the values of its parts. Schemas of one kind with equal parts read the same value.
   *
   * @internal
   */
  readonly composes?: 'object' | 'map' | 'union' | undefined;
  /** Set if this is one record of several classes. */
  readonly isUnion?: true;
  /**
   * For a map, also one of your own class: the schema of its entries, or the choice of schemas.
   *
   * @internal
   */
  readonly entrySchema?: unknown;
  /** The schema that normalizes in place of this one, if this one only reads differently. */
  readonly normalizesAs?: unknown;
  /** The entities, if this schema is the list of all their records. The store then keeps the list itself, so that it can patch it. */
  readonly allOf?: readonly unknown[];
  /**
   * Makes the cell that holds the value, for a schema that has a cell of its own. `old` is the cell that it replaces.
   *
   * @internal
   */
  cell?(cells: unknown, stored: unknown, args: readonly unknown[], old: unknown): unknown;
  /**
   * Returns the arguments by which a value is cached, if they differ from the given ones.
   *
   * @internal
   */
  keptBy?(args: readonly unknown[]): readonly unknown[];
  /**
   * For a schema that is read for a record: returns a function that shows it in the value of a row, in a field of this name.
   *
   * @internal
   */
  showIn?(name: string): (row: never, cells: never) => void;
}

/** Several schemas. Each stored member names one of them. */
export interface Choice {
  readonly isChoice: true;
  /** Returns the name of the schema for an input. `undefined` if it fits none, and is stored as it is. */
  nameOf(input: unknown, parent: unknown, key: string | undefined): string | undefined;
  schemaOf(name: string | undefined): unknown;
  /** Returns the stored form of an input that was normalized to `id`. */
  ref(name: string, id: unknown): unknown;
  isRef(stored: unknown): stored is { readonly schema: string; readonly id: unknown };
}

/** A table and a pk. */
export interface TableRef {
  readonly table: string;
  readonly pk: string;
}

/** A schema whose value is a row of its own: a collection. The parent stores the pk, and `schema` reads the row. */
export interface RowSchema extends SchemaSimple, TableSchema {
  /** The schema of the row, such as the array schema of a collection. */
  readonly schema: unknown;
  /** Returns the record of a member of the row. If the record is deleted, the member leaves the row. */
  refOf?(stored: unknown): TableRef | undefined;
  readonly keepsRows: true;
  /** The tables of the members. `follow` is called for changes in them. */
  readonly follows?: readonly string[] | undefined;
  /** Called after a write for each record that the write changed or deleted. The write may be the answer of any request. */
  follow?(change: RecordChange, delegate: NormalizeDelegate): void;
  /**
   * Called after a write for each record that an answer describes differently (`after`) than the store (`before`), if either may be right.
   */
  contradict?(change: RecordChange, delegate: NormalizeDelegate): void;
  /** The tables of the records to which members refer. `followRelated` is called for changes in them. */
  readonly reads?: ReadonlySet<string> | undefined;
  /** Called after a write with changed or deleted records to which members may refer. */
  followRelated?(changed: readonly RecordChange[], delegate: NormalizeDelegate): void;
  /**
   * Called after a write for each row that it brought as a whole. `sent`: the row of this write. The stored one can be an equal row of an earlier
   * write, or have fewer members, because some were deleted meanwhile.
   */
  arrived?(list: StoredCollection, sent: Row, delegate: NormalizeDelegate): void;
  /** Whether it has rules for its rows that other schemas with the same key lack. */
  readonly isRuled?: boolean;
  /** The field with the total of a row, if it has one. */
  readonly total?: string | undefined;
  /** Returns whether any row whose key has these names depends on one of these fields of a member. */
  dependsOn?(fields: readonly string[], names: Iterable<string>): boolean;
}
