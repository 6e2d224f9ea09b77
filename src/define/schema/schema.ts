/**
 * What a schema is. The walks in `state/` know this file and no schema class but Entity; each schema class knows this
 * file and no walk.
 */

/** Stands in a table where a record was deleted, and in a value's place while it has no valid one. */
export const INVALID: unique symbol = Symbol('INVALID');
export type Invalid = typeof INVALID;

/** What a cell of a table holds: a row, that there is none any more, or nothing yet. */
export type RowState = Row | Invalid | undefined;

/** When a write was asked for, when it took effect, and until when it counts as fresh. One object for all rows of a write. */
export interface Stamp {
  /** Place in the order of requests; the only thing that ordering looks at. */
  readonly issue: number;
  readonly fetchedAt: number;
  readonly date: number;
  readonly expiresAt: number;
  /** Of a list whose members have changed since it was sent: the `issue` with which it was sent. */
  readonly sent?: number;
}

/** When a row was asked for as a whole. */
export function sentOf({ issue, sent }: Stamp): number {
  return sent ?? issue;
}

/** The stamp of a row of which only the server can say what is in it now. */
export function inDoubt(stamp: Stamp): Stamp {
  return { ...stamp, expiresAt: 0 };
}

export function isInDoubt({ expiresAt }: Stamp): boolean {
  return expiresAt === 0;
}

/** A row as a table holds it: a plain record, or a list (of a collection). */
export type Row = object;

/** What a schema that keeps rows of its own (Entity, Collection, Scalar) tells the table about them. */
export interface TableSchema {
  readonly key: string;
  merge(existing: never, incoming: never): unknown;
  mergeWithStore(existingMeta: Stamp, incomingMeta: Stamp, existing: never, incoming: never): unknown;
  mergeMetaWithStore(existingMeta: Stamp, incomingMeta: Stamp, existing: never, incoming: never): Stamp;
}

/** Which collections are meant: every member of their key that selects is one of its values. */
export interface CollectionQuery {
  selects(name: string): boolean;
  valuesOf(name: string): readonly unknown[];
  /** Whether collections whose keys have these names can be meant. Default: all can. */
  concerns?(names: readonly string[]): boolean;
}

/** A row, and when it was asked for. */
export interface StampedRow {
  readonly row: Row | Invalid | undefined;
  readonly stamp: Stamp | undefined;
}

/** A stored collection. */
export interface StoredCollection {
  readonly pk: string;
  readonly row: Row;
  /** The key object that the pk is the JSON of. */
  readonly args: Readonly<Record<string, unknown>>;
  /** When it was asked for as a whole. */
  readonly issue: number;
}

/** A record that a write has changed or, without `after`, deleted; without `before`, one that a mutation has changed and that was not known. */
export interface RecordChange {
  readonly table: string;
  readonly pk: string;
  readonly before: Row | undefined;
  readonly after: Row | undefined;
}

/** What `normalize` may ask of the walk. */
export interface NormalizeDelegate {
  readonly args: readonly unknown[];
  readonly meta: Stamp;
  /** Files `value` under `schema`. Returns what stays in the parent. `parentEntity` is handed on to `normalize`. */
  visit(schema: unknown, value: unknown, parent: unknown, key: string | undefined, parentEntity?: unknown): unknown;
  /** As `visit`, for a record that is being created: an entity without a pk gets a temporary one. */
  create(schema: unknown, value: unknown, parent: unknown, key: string | undefined): unknown;
  /** The row as this write has left it so far. */
  getEntity(table: string, pk: string): Row | Invalid | undefined;
  /** Every row of a table, in order of arrival, as this write has left them so far. */
  getEntities(table: string): Iterable<readonly [pk: string, row: Row | Invalid]>;
  /**
   * Every stored collection of a table, with the key object that its pk stands for (parsed once, kept). With `asked`,
   * those that may be meant: an index finds them.
   */
  getCollections(table: string, asked?: CollectionQuery): Iterable<StoredCollection>;
  /** Merges `incoming` into the row by the schema's own rules. */
  mergeEntity(schema: TableSchema, pk: string, incoming: Row): void;
  /** Replaces the row, whatever was there. */
  setEntity(schema: TableSchema, pk: string, row: Row): void;
  /** Deletes the row: it reads as invalid until a later request says otherwise, and leaves stored collections. */
  invalidate(schema: { readonly key: string }, pk: string): void;
  /** What is filed: the answer to a read, or what is set by hand; the answer to a mutation; a guess. */
  readonly source: WriteSource;
  /** When what is filed was sent: a mutation has another place in the order, that of its answer. */
  readonly sent: number;
  /** The place in the order that was handed out last. */
  readonly latest: number;
  /** Only the server can say what is in the row now: what shows it is asked for again. Of what no mutation has caused, nothing is. */
  doubt(table: string, pk: string): void;
  /** As `doubt`, whatever has caused it: what shows the row is asked for again also after a read. */
  suspect(table: string, pk: string): void;
  /** Whether a record is one that the mutation changes, or that a pending one does, where it is a read. */
  isMutated(table: string, pk: string): boolean;
  /** The row as it was before this write. */
  rowBefore(table: string, pk: string): Row | Invalid | undefined;
  /** The stamp of that row. */
  stampBefore(table: string, pk: string): Stamp | undefined;
  /** Finds the rows of a table, as this write has left them so far. */
  rowsOf(table: string): (pk: string) => StampedRow | undefined;
  /** What schemas remember of a table, as long as there is the store. */
  notes(table: string): Map<string, unknown>;
}

export type WriteSource = 'read' | 'mutation' | 'guess';

/** What `denormalize` may ask of the walk. Everything asked for is tracked: the value is rebuilt when it changes. */
export interface DenormalizeDelegate {
  readonly args: readonly unknown[];
  /**
   * Whether parts are only being named so far: `unvisit` gives `undefined` for those that are not there yet, and what
   * `denormalize` returns is thrown away. Code that is costly, or cannot do without its parts, need not run, as long as
   * every part is named: what is asked for only later is read on the call stack, and in a circle may not be there yet.
   */
  readonly isGathering?: boolean;
  /** Makes the value depend on what `lens` finds in the args, and on nothing else of them. `lens` must be stable. */
  argsKey(lens: (args: readonly unknown[]) => string | undefined): string | undefined;
  /** The value that `stored` stands for under `schema`: `undefined` when missing, `INVALID` when invalid. */
  unvisit(schema: unknown, stored: unknown): unknown;
  /** A raw row, read as it is. */
  getEntity(table: string, pk: string): Row | Invalid | undefined;
}

/** What `queryKey` may ask of the store. Everything asked for is tracked. */
export interface QueryDelegate {
  readonly INVALID: Invalid;
  /** Whether there is a row, deleted ones included. Asks nothing of what is in it, so it is cheaper to keep than `getEntity`. */
  hasEntity(table: string, pk: string): boolean;
  getEntity(table: string, pk: string): Row | Invalid | undefined;
  getEntities(table: string): Iterable<readonly [pk: string, row: Row | Invalid]> | undefined;
  /** The pks of a table's rows, in order of arrival, deleted ones left out. Tracks which there are, not what they hold. */
  getPks(table: string): Iterable<string> | undefined;
  /** Whether a table is known: there is, or was, a row. An empty table is not the same as an unknown one. */
  hasTable(table: string): boolean;
  /** The pk filed under `value` in an index, a field that an entity lists in `static indexes`. */
  getIndex(table: string, field: string, value: unknown): string | undefined;
}

export type Unvisit = (schema: unknown, args: readonly unknown[]) => unknown;

/** An input under a schema, with where it stands. */
export type SchemaPart = readonly [schema: unknown, value: unknown, parent: unknown, key: string | undefined];

/**
 * A schema that is not an entity class, a function, or a plain array or object: every schema class of ours, and yours.
 * All three must be pure; `denormalize` may run more often than a value is asked for, and sees `undefined` for parts
 * that are not there yet.
 */
export interface SchemaSimple {
  /**
   * Files `input` away. Returns what stays in the parent: a pk, or a plain copy. Never changes `input`.
   * `parentEntity` is the entity class whose field `key` this is, `parent` being the record; elsewhere it is absent.
   */
  normalize(
    input: unknown,
    parent: unknown,
    key: string | undefined,
    delegate: NormalizeDelegate,
    parentEntity?: unknown,
  ): unknown;
  /**
   * What `normalize` visits of an object before it does anything else, in this order: a large answer is filed part by part. A class that
   * overrides `normalize` and not this is filed as a whole.
   *
   * @internal
   */
  partsOf?(input: Readonly<Record<string, unknown>>, parent: unknown, key: string | undefined): readonly SchemaPart[];
  /** Rebuilds what `normalize` filed away. */
  denormalize(stored: unknown, delegate: DenormalizeDelegate): unknown;
  /** The stored form that `args` lead to, without a request; `undefined` when there is none. */
  queryKey(args: readonly unknown[], unvisit: Unvisit, delegate: QueryDelegate): unknown;
  /**
   * Set where this is nothing but a list of the one schema, or of a `Choice`: the walks go through it themselves, so that
   * it can be patched.
   */
  readonly listOf?: unknown;
  /** Set where this is nothing but a map of the one schema, or of a `Choice`: the walks read it themselves, as they do lists. */
  readonly mapOf?: unknown;
  /**
   * Set where a value is made of the values of its parts, and of nothing else: the kind of structure. Schemas of one kind with equal parts
   * read the same.
   *
   * @internal
   */
  readonly composes?: 'object' | 'map' | 'union' | undefined;
  /** Set where this is one record of several kinds. */
  readonly isUnion?: true;
  /**
   * Set where this is a map, also by a class of yours: the schema of its entries, or the choice of them.
   *
   * @internal
   */
  readonly entrySchema?: unknown;
  /** The schema that files instead of this one, where this one does nothing but read otherwise. */
  readonly filesAs?: unknown;
  /** Set where this is every record of these entities: the store keeps that list itself, so that it can be patched. */
  readonly allOf?: readonly unknown[];
  /**
   * Set where this keeps its value itself, in a cell of the store. `old` is the cell that was in the same place before.
   *
   * @internal
   */
  cell?(cells: unknown, stored: unknown, args: readonly unknown[], old: unknown): unknown;
  /**
   * The arguments by which a value is kept, where that is not those that were given.
   *
   * @internal
   */
  keptBy?(args: readonly unknown[]): readonly unknown[];
  /**
   * Set where this is read for a record: returns what has the value of a row show it in a field of this name.
   *
   * @internal
   */
  showIn?(name: string): (row: never, cells: never) => void;
}

/** Several schemas, one of which each stored member names. */
export interface Choice {
  readonly isChoice: true;
  /** The name of the schema of an input; `undefined` where it is none of them, and stays as it is. */
  nameOf(input: unknown, parent: unknown, key: string | undefined): string | undefined;
  schemaOf(name: string | undefined): unknown;
  /** What is stored for an input that was filed as `id`. */
  ref(name: string, id: unknown): unknown;
  isRef(stored: unknown): stored is { readonly schema: string; readonly id: unknown };
}

/** A place in a table. */
export interface TableRef {
  readonly table: string;
  readonly pk: string;
}

/** A schema whose value is a row of its own (Collection): a pk stays in the parent, `schema` reads the row. */
export interface RowSchema extends SchemaSimple, TableSchema {
  /** What the row itself is made of, such as the array schema of a collection. */
  readonly schema: unknown;
  /** The record that a member of the row stands for: a member that is deleted leaves the row. */
  refOf?(stored: unknown): TableRef | undefined;
  readonly keepsRows: true;
  /** The tables of the records that are members, of which `follow` is to be told. */
  readonly follows?: readonly string[] | undefined;
  /** Called after a write for each record that it has changed or deleted: whatever was filed, by whichever request. */
  follow?(change: RecordChange, delegate: NormalizeDelegate): void;
  /** Called after a write for each record of which an answer says something else, `after`, than what is filed: either may be so. */
  contradict?(change: RecordChange, delegate: NormalizeDelegate): void;
  /** The tables of the records, besides its members, of which `followRelated` is to be told. */
  readonly reads?: ReadonlySet<string> | undefined;
  /** Called after a write with the records that it has changed or deleted, and that members may refer to. */
  followRelated?(changed: readonly RecordChange[], delegate: NormalizeDelegate): void;
  /** Called after a write for each row that it has brought or changed. */
  arrived?(list: StoredCollection, delegate: NormalizeDelegate): void;
  /** Whether it says more of its rows than others with the same key. */
  readonly isRuled?: boolean;
  /** Whether it counts its rows. */
  readonly total?: string | undefined;
  /** Whether any row, of keys with these names, depends on one of these fields of a member. */
  dependsOn?(fields: readonly string[], names: Iterable<string>): boolean;
}
