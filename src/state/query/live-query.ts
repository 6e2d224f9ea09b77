import type { Aggregate } from '../../define/query/aggregates.ts';
import type { Argument, NamedArgs } from '../../define/query/argument.ts';
import { assertCondition, type Condition } from '../../define/query/condition.ts';
import {
  baseOf,
  describe,
  type Description,
  groupingOf,
  isOwned,
  isRelation,
  isUnordered,
  type Joining,
  type OwnerKey,
  schemasIn,
  sourceName,
  sourceOf,
} from '../../define/query/description.ts';
import type {
  ArgumentsBeside,
  ArgumentsIn,
  Beside,
  FieldConditions,
  FieldName,
  GroupOf,
  InstanceOf,
  JoinedItem,
  Joinable,
  JoinBy,
  LoadedEndpoint,
  Loader,
  MemberOf,
  NamedOf,
  OwnerBy,
  PathTo,
  QueryArgsOf,
  ResultOf,
} from '../../define/query/infer-query.ts';
import { assertField, type Direction, type OrderOptions, orderStep } from '../../define/query/order.ts';
import { queryInvalid } from '../../define/query/query-invalid.ts';
import type { AnyClass, SchemaTypes } from '../../define/schema/infer-schema.ts';
import { type EntityInterface, isEntity } from '../../define/schema/entity.ts';
import { isObject } from '../../define/schema/fields.ts';
import type {
  DenormalizeDelegate,
  NormalizeDelegate,
  QueryDelegate,
  SchemaSimple,
  Unvisit,
} from '../../define/schema/schema.ts';
import { isPlain } from '../../std/plain.ts';
import type { Cells } from '../denormalize/cells.ts';
import type { Cell } from '../graph/cell.ts';
import type { RowCell } from '../tables/table.ts';
import { LoadedSchema } from './loaded.ts';
import { resultCell } from './query-cells.ts';
import { entityIn, FieldPath, FieldsPath, FunctionPath, pathIn, type RelationPath } from './relation-path.ts';
import { showRelation } from './relation-cell.ts';

type ResultKind = Description['result'];

/** A query of the stored records. Its result is updated at the cost of what changes. Immutable: each method returns another query. */
export class LiveQuery<
  Row = unknown,
  Item = Row,
  Named = unknown,
  Owner extends readonly unknown[] = [],
  R extends ResultKind = 'list',
> implements SchemaSimple {
  declare readonly '~types': SchemaTypes<
    ResultOf<R, Item>,
    ResultOf<R, Item> | undefined,
    undefined,
    QueryArgsOf<Owner, Named>
  >;
  /** @internal */
  readonly description: Description;

  constructor(description: Description) {
    this.description = description;
  }

  /** Keeps the records whose fields have these values, or for which a function returns true. Several conditions must all hold. */
  where<const Asked extends FieldConditions<Row>>(
    conditions: Asked,
  ): LiveQuery<Row, Item, Named & ArgumentsIn<Asked, Row>, Owner, R>;
  where<Args = unknown>(predicate: (record: Row, args: Args) => unknown): LiveQuery<Row, Item, Named & Args, Owner, R>;
  where(condition: Condition): unknown {
    assertCondition(condition);
    const { conditions, group, join, having } = this.description;
    const isFirst = group === undefined && join === undefined;
    return this.#with(isFirst ? { conditions: [...conditions, condition] } : { having: [...having, condition] });
  }

  /** Sorts by a field or a function. A further call sorts records that are equal by the one before, and finally they are sorted by pk. */
  orderBy(
    by: FieldName<Row> | ((record: Row) => unknown),
    options?: Direction | OrderOptions,
  ): LiveQuery<Row, Item, Named, Owner, R>;
  orderBy(by: string | ((record: never) => unknown), options: Direction | OrderOptions = {}): unknown {
    return this.#with({ order: [...this.description.order, orderStep(by, options)] });
  }

  /** Keeps at most this many records. */
  limit(most: number): LiveQuery<Row, Item, Named, Owner, R>;
  limit<const Name extends string>(
    most: Argument<Name>,
  ): LiveQuery<Row, Item, Named & Readonly<Record<Name, number>>, Owner, R>;
  limit(limit: number | Argument): unknown {
    return this.#with({ limit });
  }

  /** Leaves out this many records at the start. */
  offset(first: number): LiveQuery<Row, Item, Named, Owner, R>;
  offset<const Name extends string>(
    first: Argument<Name>,
  ): LiveQuery<Row, Item, Named & Readonly<Record<Name, number>>, Owner, R>;
  offset(offset: number | Argument): unknown {
    return this.#with({ offset });
  }

  /**
   * Begins after a record: the last one of the page before. Its place is that of the values it had when it was read, even if it has changed
   * since. Without a record, the list begins at its start.
   */
  after(record: Row | undefined): LiveQuery<Row, Item, Named, Owner, R>;
  after<const Name extends string>(
    record: Argument<Name>,
  ): LiveQuery<Row, Item, Named & { readonly [name in Name]?: Row | undefined }, Owner, R>;
  after(after: unknown): unknown {
    return this.#with({ after });
  }

  /** Makes one group for each value of a field, with aggregates of its records. */
  groupBy<const Name extends FieldName<Row>, Aggregates extends Readonly<Record<string, Aggregate<Row>>>>(
    field: Name,
    aggregates: Aggregates,
  ): LiveQuery<GroupOf<Name, Row[Name], Aggregates, Row>, GroupOf<Name, Row[Name], Aggregates, Row>, Named, Owner, R>;
  /** Makes one group for each value that a function returns, with the value as `key` and with aggregates of its records. */
  groupBy<Key, Aggregates extends Readonly<Record<string, Aggregate<Row>>>>(
    by: (record: Row) => Key,
    aggregates: Aggregates,
  ): LiveQuery<GroupOf<'key', Key, Aggregates, Row>, GroupOf<'key', Key, Aggregates, Row>, Named, Owner, R>;
  groupBy(by: string | ((record: never) => unknown), aggregates: Readonly<Record<string, Aggregate>>): unknown {
    return new LiveQuery({ ...this.#soFar(), group: groupingOf(by, aggregates) });
  }

  /** Keeps each value once, for example each result of `select()`. Sorted by value. */
  distinct(): LiveQuery<Item, Item, Named, Owner, R>;
  distinct(): unknown {
    const { select } = this.description;
    const { description } = this.#with({ select: undefined });
    const isSelecting = select !== undefined && isUnordered(description);
    const query = isSelecting ? new LiveQuery(description) : this;
    const by = isSelecting ? select : (item: unknown): unknown => item;
    return new LiveQuery({ ...query.#soFar(), group: { name: undefined, by, aggregates: {} } });
  }

  /**
   * Joins each record with each record of `other` that is equal to it: the value of `mine`, a field or a function, equals that of `theirs`.
   * The other record is in the field `name`. Records without a match are left out.
   */
  join<const Name extends string, Other extends Joinable>(
    name: Name,
    other: Other,
    mine: JoinBy<Item>,
    theirs: JoinBy<JoinedItem<Other>>,
  ): LiveQuery<
    Item & Readonly<Record<Name, JoinedItem<Other>>>,
    Item & Readonly<Record<Name, JoinedItem<Other>>>,
    Named & NamedOf<Other>,
    Owner,
    R
  >;
  join(name: string, other: unknown, mine: Joining['mine'], theirs: Joining['theirs']): unknown {
    assertJoin('join()', name, mine, theirs);
    return new LiveQuery({ ...this.#soFar(), join: { name, other, mine, theirs, isLeft: false } });
  }

  /** As `join`, but records without a match stay, with `undefined` in the field. */
  leftJoin<const Name extends string, Other extends Joinable>(
    name: Name,
    other: Other,
    mine: JoinBy<Item>,
    theirs: JoinBy<JoinedItem<Other>>,
  ): LiveQuery<
    Item & Readonly<Record<Name, JoinedItem<Other> | undefined>>,
    Item & Readonly<Record<Name, JoinedItem<Other> | undefined>>,
    Named & NamedOf<Other>,
    Owner,
    R
  >;
  leftJoin(name: string, other: unknown, mine: Joining['mine'], theirs: Joining['theirs']): unknown {
    assertJoin('leftJoin()', name, mine, theirs);
    return new LiveQuery({ ...this.#soFar(), join: { name, other, mine, theirs, isLeft: true } });
  }

  /** Adds relations to each record, in fields of these names. */
  with<Added extends Readonly<Record<string, SchemaSimple>>>(
    added: Added,
  ): LiveQuery<Row, Item & Beside<Added>, Named & ArgumentsBeside<Added>, Owner, R>;
  with(added: Readonly<Record<string, SchemaSimple>>): unknown {
    const relations = isPlain(added) ? Object.values(added) : [undefined];
    if (!relations.every(isRelation))
      throw queryInvalid(
        'with()',
        added,
        'relations by name: { posts: User.posts }, made by hasMany(), belongsTo() or from()',
      );
    return this.#with({ added: { ...this.description.added, ...added } });
  }

  /** Replaces each record by what a function returns for it. */
  select<Selected>(select: (record: Item) => Selected): LiveQuery<Row, Selected, Named, Owner, R>;
  select(select: (record: never) => unknown): unknown {
    if (typeof select !== 'function') throw queryInvalid('select()', select, 'a function');
    return this.#with({ select });
  }

  /** Returns only the first item. */
  one(): LiveQuery<Row, Item, Named, Owner, 'one'>;
  one(): unknown {
    return this.#with({ result: 'one' });
  }

  /** Returns the number of items. */
  count(): LiveQuery<Row, Item, Named, Owner, 'count'>;
  count(): unknown {
    return this.#with({ result: 'count' });
  }

  /** Returns whether there is any item. */
  exists(): LiveQuery<Row, Item, Named, Owner, 'exists'>;
  exists(): unknown {
    return this.#with({ result: 'exists' });
  }

  /**
   * Returns the description on which groups, pairs and distinct values are built: the query so far, as a source if it has an order or
   * limits.
   */
  #soFar(): Description {
    const { description } = this;
    const { group, join, result } = description;
    const isBare = group === undefined && join === undefined && isUnordered(description);
    return isBare ? description : { ...describe(result === 'list' ? this : this.#with({ result: 'list' })), result };
  }

  /**
   * Returns an endpoint that sends the requests of `endpoint`, and whose answers are read by this query. The query then knows whether its
   * records were loaded, and missing ones are fetched. Readers of both endpoints share requests. `argsOf` makes the arguments of the query
   * from those of the request. Default: the same arguments.
   */
  loadedBy<E extends Loader>(
    endpoint: E,
    argsOf?: (...args: Parameters<E>) => QueryArgsOf<Owner, Named>,
  ): LoadedEndpoint<E, ResultOf<R, Item>>;
  loadedBy(endpoint: Loader, argsOf: (...args: never[]) => readonly unknown[] = (...args) => args): unknown {
    const argsOfQuery = argsOf as (...args: readonly unknown[]) => readonly unknown[];
    return endpoint.extend({ schema: new LoadedSchema(endpoint.schema, this, argsOfQuery) } as never);
  }

  // The types of the methods say what the changed description reads as.
  #with(changes: Partial<Description>): LiveQuery {
    return new LiveQuery({ ...this.description, ...changes });
  }

  /** Stores nested records. If the relation goes by a field, each record gets the pk of its parent there. */
  normalize(
    input: unknown,
    parent: unknown,
    key: string | undefined,
    delegate: NormalizeDelegate,
    parentEntity?: unknown,
  ): undefined {
    const base = baseOf(this.description);
    const source = sourceOf(base);
    if (source.kind !== 'entity') return void delegate.visit(base.source(), input, parent, key);
    const ownedBy = pathIn(base)?.ownedBy;
    const owner = isEntity(parentEntity) ? parentEntity.pk(parent, undefined, undefined, delegate.args) : undefined;
    const isNested = owner !== undefined && ownedBy !== undefined && Array.isArray(input);
    const owned = isNested ? input.map((item) => withOwner(item, ownedBy, source.entity, String(owner))) : input;
    delegate.visit([source.entity], owned, parent, key);
  }

  /** Never called, because `cell` makes the value. */
  denormalize(_stored: unknown, _delegate: DenormalizeDelegate): undefined {}

  /** Missing until there is a table. A table that was never filled differs from an empty list. */
  queryKey([given]: readonly unknown[], unvisit: Unvisit, delegate: QueryDelegate): unknown {
    const source = sourceOf(baseOf(this.description));
    if (source.kind === 'collection') return unvisit(source.collection, [given]);
    return delegate.hasTable(sourceName(this.description)) ? 'query' : undefined;
  }

  /** @internal */
  get schema(): Readonly<Record<string, unknown>> {
    return schemasIn(this.description);
  }

  /** @internal */
  showIn(name: string): (row: RowCell, cells: Cells) => void {
    return showRelation(this, name);
  }

  /** @internal */
  keptBy(args: readonly unknown[]): readonly unknown[] {
    const base = baseOf(this.description);
    const path = pathIn(base);
    if (path === undefined) return args;
    const [owner, ...named] = args;
    return [path.keyOf(owner, entityIn(base)), ...named];
  }

  /** @internal */
  cell(cells: Cells, stored: unknown, args: readonly unknown[], old: Cell | undefined): Cell {
    const [owner, named] = isOwned(this.description) ? args : [[], args[0]];
    const key = JSON.stringify(owner);
    if (old !== undefined && ownerKeys.get(old) === key) return old;
    const made = resultCell(this.description, {
      cells,
      stored,
      owner: owner as OwnerKey,
      named: (named ?? {}) as NamedArgs,
    });
    ownerKeys.set(made, key);
    return made;
  }
}

/** Queries the stored records of an entity. */
export function from<Class extends AnyClass>(entity: Class): LiveQuery<InstanceOf<Class>>;
/** Queries the result of another query. */
export function from<Row, Item, Named, Owner extends readonly unknown[]>(
  query: LiveQuery<Row, Item, Named, Owner>,
): LiveQuery<Item, Item, Named, Owner>;
/** Queries the members of a collection. The arguments of the collection come first. */
export function from<Args extends readonly unknown[], Value>(collection: {
  readonly keepsRows: true;
  readonly '~types': { readonly value: Value; readonly args: Args };
}): LiveQuery<MemberOf<Value>, MemberOf<Value>, unknown, [of: Args[0]]>;
export function from(given: unknown): unknown {
  return new LiveQuery(describe(given));
}

/** The owner of each cell of a relation, as JSON. */
const ownerKeys = new WeakMap<Cell, string>();

/**
 * Defines a relation to many records of another entity: those that refer to the owner in a field, those whose fields equal fields of the
 * owner (`{ theirs: 'own' }`), those for which a function returns the pk of the owner, or those linked `through()` others.
 * `useQuery(User.posts, user)`.
 */
export function hasMany<Class extends AnyClass, const Path extends PathTo<InstanceOf<Class>>>(
  entity: Class | (() => Class),
  path: Path,
): LiveQuery<InstanceOf<Class>, InstanceOf<Class>, unknown, [owner: OwnerBy<InstanceOf<Class>, Path>]>;
export function hasMany(entity: unknown, path: unknown): unknown {
  return new LiveQuery(describe(entity, pathOf(path)));
}

function pathOf(path: unknown): RelationPath {
  if (typeof path === 'string') return new FieldPath(path);
  if (typeof path === 'function' && !isEntity(path)) return new FunctionPath(path as (record: never) => unknown);
  if (typeof (Object(path) as Partial<RelationPath>).keyOf === 'function') return path as RelationPath;
  if (isPlain(path) && Object.values(path).every((own) => typeof own === 'string'))
    return new FieldsPath(path as Readonly<Record<string, string>>);
  throw queryInvalid('hasMany()', path, "a field of the other class, { theirs: 'own' }, a function, or through()");
}

/** Returns a nested record with the pk of its owner in `field`, if the record lacks it. A field that is a list of owners stays as it is. */
function withOwner(item: unknown, field: string, { defaults }: EntityInterface, owner: string): unknown {
  if (!isObject(item) || item[field] !== undefined) return item;
  const given = (defaults as Readonly<Record<string, unknown>>)[field];
  if (Array.isArray(given)) return item;
  return { ...item, [field]: typeof given === 'number' ? Number(owner) : owner };
}

function assertJoin(method: string, name: unknown, mine: unknown, theirs: unknown): void {
  if (typeof name !== 'string') throw queryInvalid(method, name, 'a name for the field that has the other record');
  assertField(method, mine);
  assertField(method, theirs);
}
