import type { Aggregate } from '../../define/query/aggregate.ts';
import type { Argument } from '../../define/query/argument.ts';
import { checkCondition, type Condition } from '../../define/query/condition.ts';
import { describe, type Description, isUnordered, type OperatorStart } from '../../define/query/description.ts';
import type {
  ArgumentsIn,
  AsFields,
  FieldConditions,
  FieldName,
  Judgement,
  KnownConditions,
  NoPromise,
  OrderField,
  SortKey,
} from '../../define/query/infer-condition.ts';
import type { ArgsMaker, LoadedEndpoint, Loader, LoaderOf } from '../../define/query/infer-loaded.ts';
import type { ArgumentsBeside, Beside, NewName, OwnedBy, RecordClass } from '../../define/query/infer-relation.ts';
import type {
  ClassOf,
  FromQuery,
  InstanceOf,
  ListOnly,
  ListSource,
  OfGroups,
  OfItems,
  Returning,
  RowOf,
  SelectedOnce,
  Selecting,
  SourceWith,
  ValueOfQuery,
} from '../../define/query/infer-source.ts';
import type {
  GroupOf,
  JoinedItem,
  Joinable,
  MemberOf,
  NamedOf,
  OwnerAmong,
  QueryArgsOf,
  SomeOf,
  WithNamed,
} from '../../define/query/infer-query.ts';
import { type Direction, type OrderOptions, orderStep } from '../../define/query/order.ts';
import { checkArgument, checkField } from '../../define/query/check-argument.ts';
import type { SchemaTypes } from '../../define/schema/infer-schema.ts';
import type { SchemaSimple } from '../../define/schema/schema.ts';
import { isPlain } from '../../std/plain.ts';
import { type ArgsOfQuery, LoadedSchema } from './loaded.ts';
import type { CanBeEqual, JoinOn, WrongOn } from './on.ts';
import { QuerySchema } from './query-schema.ts';

/** A query of the stored records. The cost of an update of its result depends only on what has changed. Immutable: each method returns another query. */
export class LiveQuery<Item = unknown, Args extends readonly unknown[] = [], Source = unknown> extends QuerySchema {
  declare readonly '~types': SchemaTypes<
    ValueOfQuery<Item, Source>,
    ValueOfQuery<Item, Source> | undefined,
    undefined,
    QueryArgsOf<Args>
  >;
  /** Exists only in types. */
  declare readonly '~args': Args;
  /** Exists only in types. */
  declare readonly '~owned': OwnerAmong<Args>;
  /** Keeps the records for which a function returns true. Several conditions must all hold. */
  where<Named = unknown, Kept = unknown>(
    predicate: (record: RowOf<Item, Source>, args: Named) => Kept & Judgement<Kept>,
  ): LiveQuery<Item, WithNamed<Args, Named>, Source>;
  // The compiler explains a wrong call by its last form, which is the one that names the field.
  /** Keeps the records whose fields have these values. Several conditions must all hold. */
  where<const Asked extends FieldConditions<RowOf<Item, Source>>>(
    conditions: Asked & KnownConditions<RowOf<Item, Source>, Asked>,
  ): LiveQuery<Item, WithNamed<Args, ArgumentsIn<Asked, RowOf<Item, Source>>>, Source>;
  where(condition: Condition): unknown {
    checkCondition(condition);
    return this.#with({ conditions: [...this.description.conditions, condition] });
  }

  /** Sorts by a field or a function. A further call sorts records that are equal by the one before, and finally they are sorted by pk. */
  orderBy<Key = unknown>(
    by: OrderField<RowOf<Item, Source>> | ((record: RowOf<Item, Source>) => Key & SortKey<Key>),
    options?: Direction | OrderOptions,
  ): LiveQuery<Item, Args, Source>;
  orderBy(by: string | ((record: never) => unknown), options: Direction | OrderOptions = {}): unknown {
    return this.#with({ order: [...this.description.order, orderStep(by, options)] });
  }

  /** Keeps at most this many records. */
  limit(most: number): LiveQuery<Item, Args, Source>;
  limit<const Name extends string>(
    most: Argument<Name>,
  ): LiveQuery<Item, WithNamed<Args, AsFields<Record<Name, number>>>, Source>;
  limit(limit: number | Argument): unknown {
    return this.#with({ limit });
  }

  /** Leaves out this many records at the start. */
  offset(first: number): LiveQuery<Item, Args, Source>;
  offset<const Name extends string>(
    first: Argument<Name>,
  ): LiveQuery<Item, WithNamed<Args, AsFields<Record<Name, number>>>, Source>;
  offset(offset: number | Argument): unknown {
    return this.#with({ offset });
  }

  /**
   * Begins after a record: the last one of the page before. Its place is that of the values it had when it was read, even if it has changed
   * since. Without a record, the list begins at its start.
   */
  after(record: RowOf<Item, Source> | undefined): LiveQuery<Item, Args, Source>;
  after<const Name extends string>(
    record: Argument<Name>,
  ): LiveQuery<Item, WithNamed<Args, { readonly [name in Name]?: RowOf<Item, Source> | undefined }>, Source>;
  after(after: unknown): unknown {
    return this.#with({ after });
  }

  // The compiler explains a wrong call by its last form, which is the one with a field.
  /** Makes one group for each value that a function returns, with the value as `key` and with aggregates of its records. */
  groupBy<Key, Aggregates extends Readonly<Record<string, Aggregate<Item>>>>(
    by: (record: Item) => Key & NoPromise<Key>,
    aggregates: Aggregates & SomeOf<Aggregates> & { readonly key?: never },
  ): LiveQuery<GroupOf<'key', Key, Aggregates, Item>, Args, OfGroups<Source>>;
  /** Makes one group for each value of a field, with aggregates of its records. */
  groupBy<const Name extends FieldName<Item> & string, Aggregates extends Readonly<Record<string, Aggregate<Item>>>>(
    field: Name,
    aggregates: Aggregates & SomeOf<Aggregates> & { readonly [name in Name]?: never },
  ): LiveQuery<GroupOf<Name, Item[Name], Aggregates, Item>, Args, OfGroups<Source>>;
  groupBy(by: string | ((record: never) => unknown), aggregates: Readonly<Record<string, Aggregate>>): unknown {
    const name = typeof by === 'string' ? by : 'key';
    checkField('groupBy()', by);
    checkArgument('groupBy()', aggregates, () => {
      const all = isPlain(aggregates) ? Object.values(aggregates) : [];
      if (all.length === 0 || !all.every((one) => typeof (Object(one) as Partial<Aggregate>).group === 'function'))
        return 'aggregates: { posts: count() }';
      return Object.hasOwn(aggregates, name) && `other names: ${name} is the key of the group`;
    });
    const [first] = Object.values(aggregates) as [Aggregate];
    return this.next(first.group(name, by, aggregates));
  }

  /**
   * Joins each record with each record of `other` that is equal to it: `join('author', User, on('authorId', 'id'))`. The other record is in
   * the field `name`. Records without a match are left out.
   */
  join<const Name extends string, Other extends Joinable>(
    name: Name & NewName<Item, Name, JoinedItem<Other>>,
    other: Other,
    on: CanBeEqual<Item, JoinedItem<Other>>,
  ): LiveQuery<Item & AsFields<Record<Name, JoinedItem<Other>>>, WithNamed<Args, NamedOf<Other>>, OfItems<Source>>;
  join<const Name extends string, Other extends Joinable>(
    name: Name & NewName<Item, Name, JoinedItem<Other>>,
    other: Other,
    on: WrongOn<Item, JoinedItem<Other>>,
  ): this;
  join(name: string, other: unknown, on: JoinOn): unknown {
    return this.#joined(name, other, on, false);
  }

  /** As `join`, but records without a match stay, with `undefined` in the field. */
  leftJoin<const Name extends string, Other extends Joinable>(
    name: Name & NewName<Item, Name, JoinedItem<Other> | undefined>,
    other: Other,
    on: CanBeEqual<Item, JoinedItem<Other>>,
  ): LiveQuery<
    Item & AsFields<Record<Name, JoinedItem<Other> | undefined>>,
    WithNamed<Args, NamedOf<Other>>,
    OfItems<Source>
  >;
  leftJoin<const Name extends string, Other extends Joinable>(
    name: Name & NewName<Item, Name, JoinedItem<Other> | undefined>,
    other: Other,
    on: WrongOn<Item, JoinedItem<Other>>,
  ): this;
  leftJoin(name: string, other: unknown, on: JoinOn): unknown {
    return this.#joined(name, other, on, true);
  }

  #joined(name: string, other: unknown, on: JoinOn, isLeft: boolean): LiveQuery {
    const method = isLeft ? 'leftJoin()' : 'join()';
    checkArgument(method, name, () => typeof name !== 'string' && 'a name for the field that has the other record');
    checkArgument(
      method,
      on,
      () => typeof (Object(on) as Partial<JoinOn>).joining !== 'function' && "what is equal: on('authorId', 'id')",
    );
    return this.next(on.joining(name, other, isLeft));
  }

  /** Adds relations to each record, in fields of these names. */
  with<Added extends Readonly<Record<string, SchemaSimple>>>(
    added: Added & OwnedBy<Item, Added, Source, ClassOf<Source>>,
  ): LiveQuery<Item & Beside<Added>, WithNamed<Args, ArgumentsBeside<Added>>, SourceWith<Item, Source>>;
  with(added: Readonly<Record<string, SchemaSimple>>): unknown {
    checkArgument(
      'with()',
      added,
      () =>
        (!isPlain(added) ||
          !Object.values(added).every((one) => typeof (Object(one) as Partial<SchemaSimple>).keptBy === 'function')) &&
        'relations by name: { posts: User.posts }, made by hasMany(), belongsTo() or from()',
    );
    checkArgument(
      'with()',
      added,
      () => this.description.select !== undefined && 'it before select(): from(User).with(…).select(…)',
    );
    return this.#with({ added: { ...this.description.added, ...added } });
  }

  /** Replaces each record by what a function returns for it. */
  select<Value>(
    select: ((record: Item) => Value & NoPromise<Value>) & SelectedOnce<Source>,
  ): LiveQuery<Value, Args, Selecting<Item, Source>>;
  select(select: (record: never) => unknown): unknown {
    checkArgument('select()', select, () => typeof select !== 'function' && 'a function');
    checkArgument(
      'select()',
      select,
      () => this.description.select !== undefined && 'it to a query without a select(): from(query).select(…)',
    );
    return this.#with({ select });
  }

  /** Returns only the first item. */
  one(): LiveQuery<Item, Args, Returning<'one', ListSource<Source>>>;
  one(): unknown {
    return this.#with({ result: 'one' });
  }

  /** Returns the number of items. */
  count(): LiveQuery<Item, Args, Returning<'count', ListSource<Source>>>;
  count(): unknown {
    return this.#with({ result: 'count' });
  }

  /** Returns whether there is any item. */
  exists(): LiveQuery<Item, Args, Returning<'exists', ListSource<Source>>>;
  exists(): unknown {
    return this.#with({ result: 'exists' });
  }

  /**
   * Returns a query of the items that an operator makes of the items of this query.
   *
   * @internal
   */
  next(operator: OperatorStart): LiveQuery {
    return new LiveQuery(describe(this.#with({ result: 'list' }), { operator, result: this.description.result }));
  }

  /**
   * Returns an endpoint that sends the requests of `endpoint`, and whose answers are read by this query. The query then knows whether its
   * records were loaded, and missing ones are fetched. Readers of both endpoints share requests. `argsOf` makes the arguments of the query
   * from those of the request. Default: the same arguments.
   */
  loadedBy<E extends Loader>(
    endpoint: E & LoaderOf<RowOf<Item, Source>, Item, ClassOf<Source>, E['schema']>,
    ...argsOf: ArgsMaker<Parameters<E>, QueryArgsOf<Args>>
  ): LoadedEndpoint<E, ValueOfQuery<Item, Source>>;
  loadedBy(endpoint: Loader, ...[argsOf = (...args: readonly unknown[]) => args]: unknown[]): unknown {
    return endpoint.extend({ schema: new LoadedSchema(endpoint.schema, this, argsOf as ArgsOfQuery) } as never);
  }

  // The types of the methods say what the changed description reads as.
  #with(changes: Partial<Description>): LiveQuery {
    return new LiveQuery({ ...this.description, ...changes });
  }
}

/** Queries the result of another query. */
export function from<Item, Args extends readonly unknown[], Source>(
  query: LiveQuery<Item, Args, Source> & ListOnly<Source>,
): LiveQuery<Item, Args, FromQuery<Item, Source>>;
/** Queries the members of a collection. The arguments of the collection come first. */
export function from<Args extends readonly unknown[], Value>(collection: {
  readonly keepsRows: true;
  readonly '~types': { readonly value: Value; readonly args: Args };
}): LiveQuery<MemberOf<Value>, readonly [of: Args[0]]>;
// The compiler explains a wrong call by its last form.
/** Queries the stored records of an entity. */
export function from<Class extends RecordClass>(entity: Class): LiveQuery<InstanceOf<Class>, [], Class>;
export function from(given: unknown): unknown {
  // A query without an order or limits has the same items, so the conditions of both are those of one.
  const inner = given instanceof LiveQuery ? given.description : undefined;
  const isSame = inner !== undefined && inner.result === 'list' && isUnordered(inner);
  return new LiveQuery(isSame ? inner : describe(given));
}
