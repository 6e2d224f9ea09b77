/**
 * The interface between schemas and the walks that normalize and denormalize: this file, `delegate.ts` and `row.ts`. Walks use these files and no
 * schema class except Entity. Schema classes use these files and no walk.
 */

import type { NormalizeDelegate, DenormalizeDelegate, QueryDelegate, Unvisit } from './delegate.ts';
import type { Row, TableRef, TableSchema, StoredCollection, RecordChange } from './row.ts';

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
  /** Called after all these methods. Members that the write moves get their places. */
  settle?(delegate: NormalizeDelegate): void;
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
