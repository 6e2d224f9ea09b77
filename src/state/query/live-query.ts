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

/**
 * A question about the records that the store has. Its answer stays up to date, at the cost of what changes. Immutable: each method
 * returns another query.
 */
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

  /** The records whose fields are these, or of which a function is true. Several conditions all have to hold. */
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

  /** In this order; what is equal in it, in the order of a second call, and in the end by pk. */
  orderBy(
    by: FieldName<Row> | ((record: Row) => unknown),
    options?: Direction | OrderOptions,
  ): LiveQuery<Row, Item, Named, Owner, R>;
  orderBy(by: string | ((record: never) => unknown), options: Direction | OrderOptions = {}): unknown {
    return this.#with({ order: [...this.description.order, orderStep(by, options)] });
  }

  /** No more than so many. */
  limit(most: number): LiveQuery<Row, Item, Named, Owner, R>;
  limit<const Name extends string>(
    most: Argument<Name>,
  ): LiveQuery<Row, Item, Named & Readonly<Record<Name, number>>, Owner, R>;
  limit(limit: number | Argument): unknown {
    return this.#with({ limit });
  }

  /** Without so many of the first. */
  offset(first: number): LiveQuery<Row, Item, Named, Owner, R>;
  offset<const Name extends string>(
    first: Argument<Name>,
  ): LiveQuery<Row, Item, Named & Readonly<Record<Name, number>>, Owner, R>;
  offset(offset: number | Argument): unknown {
    return this.#with({ offset });
  }

  /**
   * Begins behind a record: the last one of the page before. It counts as it was when it was read, wherever it stands now. Without one,
   * the list begins at its beginning.
   */
  after(record: Row | undefined): LiveQuery<Row, Item, Named, Owner, R>;
  after<const Name extends string>(
    record: Argument<Name>,
  ): LiveQuery<Row, Item, Named & { readonly [name in Name]?: Row | undefined }, Owner, R>;
  after(after: unknown): unknown {
    return this.#with({ after });
  }

  /** One group for each value of a field, with what aggregates work out of its records. */
  groupBy<const Name extends FieldName<Row>, Aggregates extends Readonly<Record<string, Aggregate<Row>>>>(
    field: Name,
    aggregates: Aggregates,
  ): LiveQuery<GroupOf<Name, Row[Name], Aggregates, Row>, GroupOf<Name, Row[Name], Aggregates, Row>, Named, Owner, R>;
  /** One group for each value of a function, as `key`, with what aggregates work out of its records. */
  groupBy<Key, Aggregates extends Readonly<Record<string, Aggregate<Row>>>>(
    by: (record: Row) => Key,
    aggregates: Aggregates,
  ): LiveQuery<GroupOf<'key', Key, Aggregates, Row>, GroupOf<'key', Key, Aggregates, Row>, Named, Owner, R>;
  groupBy(by: string | ((record: never) => unknown), aggregates: Readonly<Record<string, Aggregate>>): unknown {
    return new LiveQuery({ ...this.#soFar(), group: groupingOf(by, aggregates) });
  }

  /** Each value once, of what `select()` makes of the records; in the order of the values. */
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
   * One record for each other one that is equal to it: in `mine`, a field or a function, and `theirs`. The other is in the field `name`.
   * Records without another one are left out.
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

  /** As `join`. Records without another one stay, with `undefined` in the field. */
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

  /** Reads relations of each record beside it, in fields of these names. */
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

  /** What a function makes of each record. */
  select<Selected>(select: (record: Item) => Selected): LiveQuery<Row, Selected, Named, Owner, R>;
  select(select: (record: never) => unknown): unknown {
    if (typeof select !== 'function') throw queryInvalid('select()', select, 'a function');
    return this.#with({ select });
  }

  /** The first one alone. */
  one(): LiveQuery<Row, Item, Named, Owner, 'one'>;
  one(): unknown {
    return this.#with({ result: 'one' });
  }

  /** How many there are. */
  count(): LiveQuery<Row, Item, Named, Owner, 'count'>;
  count(): unknown {
    return this.#with({ result: 'count' });
  }

  /** Whether there is any. */
  exists(): LiveQuery<Row, Item, Named, Owner, 'exists'>;
  exists(): unknown {
    return this.#with({ result: 'exists' });
  }

  /** Groups, pairs and distinct values are made of what a query has given so far. */
  #soFar(): Description {
    const { description } = this;
    const { group, join, result } = description;
    const isBare = group === undefined && join === undefined && isUnordered(description);
    return isBare ? description : { ...describe(result === 'list' ? this : this.#with({ result: 'list' })), result };
  }

  /**
   * An endpoint that sends the requests of this one, and whose answers are read by the query. So it is known whether all of it was
   * loaded, what is missing is fetched, and readers of either endpoint share a request. `argsOf` makes the arguments of the query of
   * those of the request, where they are not the same.
   */
  loadedBy<E extends Loader>(
    endpoint: E,
    argsOf?: (...args: Parameters<E>) => QueryArgsOf<Owner, Named>,
  ): LoadedEndpoint<E, ResultOf<R, Item>>;
  loadedBy(endpoint: Loader, argsOf: (...args: never[]) => readonly unknown[] = (...args) => args): unknown {
    const argsOfQuery = argsOf as (...args: readonly unknown[]) => readonly unknown[];
    return endpoint.extend({ schema: new LoadedSchema(endpoint.schema, this, argsOfQuery) } as never);
  }

  // What is read by the changed description is for the types of the methods to say.
  #with(changes: Partial<Description>): LiveQuery {
    return new LiveQuery({ ...this.description, ...changes });
  }

  /** Records that are nested in the one that they belong to say so from then on. */
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

  /** Never called: it has a cell of its own. */
  denormalize(_stored: unknown, _delegate: DenormalizeDelegate): undefined {}

  /** Missing as long as there is no table: nothing has been asked for yet, which is not the same as an empty list. */
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

/** Asks for the records of an entity that the store has. */
export function from<Class extends AnyClass>(entity: Class): LiveQuery<InstanceOf<Class>>;
/** Asks for what another query has. */
export function from<Row, Item, Named, Owner extends readonly unknown[]>(
  query: LiveQuery<Row, Item, Named, Owner>,
): LiveQuery<Item, Item, Named, Owner>;
/** Asks for the members of a collection. Its arguments come first. */
export function from<Args extends readonly unknown[], Value>(collection: {
  readonly keepsRows: true;
  readonly '~types': { readonly value: Value; readonly args: Args };
}): LiveQuery<MemberOf<Value>, MemberOf<Value>, unknown, [of: Args[0]]>;
export function from(given: unknown): unknown {
  return new LiveQuery(describe(given));
}

/** The record that each cell of a relation belongs to, as a key. */
const ownerKeys = new WeakMap<Cell, string>();

/**
 * The records of another entity that belong to one: those that refer to it in a field, whose fields are the same as some of its own
 * (`{ theirs: 'own' }`), of which a function gives its pk, or that are linked `through()` others. `useQuery(User.posts, user)`.
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

/** A record with the pk of the one that it is nested in, where it says nothing of that. A list of several is not known from one. */
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
