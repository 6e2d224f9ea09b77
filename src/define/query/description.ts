import { DataError } from '../../std/data-error.ts';
import { type EntityInterface, isEntity } from '../schema/entity.ts';
import { isPlain } from '../../std/plain.ts';
import type { RowSchema, SchemaSimple } from '../schema/schema.ts';
import { Aggregate } from './aggregates.ts';
import type { Argument } from './argument.ts';
import type { Condition } from './condition.ts';
import { assertField, type OrderStep } from './order.ts';
import { queryInvalid } from './query-invalid.ts';

/** All that a query consists of, as data. */
export interface Description {
  /** Returns the source of the items: an entity, a collection or another query. */
  readonly source: () => unknown;
  /** Only for a relation: leads from the owner to its records. */
  readonly path: RelationStart | undefined;
  readonly conditions: readonly Condition[];
  /** The items are groups of the records, or pairs of a record and a joined one, instead of the records. */
  readonly group: Grouping | undefined;
  readonly join: Joining | undefined;
  /** Conditions for groups or pairs. */
  readonly having: readonly Condition[];
  readonly order: readonly OrderStep[];
  /** The list begins behind this item. The item is as it was when the query was built. */
  readonly after: unknown;
  readonly offset: number | Argument;
  readonly limit: number | Argument | undefined;
  /** Relations that are read for each record and added to it, by the name of the field. */
  readonly added: Readonly<Record<string, unknown>>;
  /** Makes the final value of each record. */
  readonly select: ((record: never) => unknown) | undefined;
  readonly result: 'list' | 'one' | 'count' | 'exists';
}

/** The values of an owner that decide which records belong to it, as plain data. */
export type OwnerKey = readonly (readonly string[])[];

/** The first step of a relation from its owner. `state/query/relation-path.ts` has the other steps. */
export interface RelationStart {
  /** Names the relation: a field, several fields, or the entity of the linking records. */
  readonly by: string;
  /** Whether one record can belong to several owners. */
  readonly isShared: boolean;
  /** Returns the values of an owner, or of its pk, that decide which records belong to it. */
  keyOf(owner: unknown, entity: EntityInterface): OwnerKey;
  /** The field that refers to the owner. A record nested in its owner gets the pk of the owner there. */
  readonly ownedBy?: string | undefined;
}

export interface Grouping {
  /** The field of a group that holds its key. `undefined` if the value of a group is the key itself. */
  readonly name: string | undefined;
  readonly by: string | ((record: never) => unknown);
  readonly aggregates: Readonly<Record<string, Aggregate>>;
}

export interface Joining {
  /** The field that holds the joined record. */
  readonly name: string;
  /** The source of the joined records: an entity or a function that returns one, a collection, or a query. */
  readonly other: unknown;
  readonly mine: string | ((record: never) => unknown);
  readonly theirs: string | ((record: never) => unknown);
  /** Whether a record without a joined one stays. */
  readonly isLeft: boolean;
}

/** Checks the arguments of `groupBy()`. */
export function groupingOf(by: Grouping['by'], aggregates: Grouping['aggregates']): Grouping {
  assertField('groupBy()', by);
  const name = typeof by === 'string' ? by : 'key';
  if (!isPlain(aggregates) || !Object.values(aggregates).every((one) => one instanceof Aggregate))
    throw queryInvalid('groupBy()', aggregates, 'aggregates: { posts: count() }');
  if (Object.hasOwn(aggregates, name))
    throw queryInvalid('groupBy()', aggregates, `other names: ${name} is the key of the group`);
  return { name, by, aggregates };
}

/** Returns the arguments of `join()` or `leftJoin()`. Throws if they are invalid. */
export function joiningOf(given: Joining): Joining {
  const method = given.isLeft ? 'leftJoin()' : 'join()';
  if (typeof given.name !== 'string')
    throw queryInvalid(method, given.name, 'a name for the field that has the other record');
  assertField(method, given.mine);
  assertField(method, given.theirs);
  return given;
}

/** Returns the description of a new query. `given`: an entity class, or a function that returns one that is declared later. */
export function describe(given: unknown, path?: RelationStart): Description {
  return {
    source: isFunction(given) ? given : () => given,
    path,
    conditions: [],
    group: undefined,
    join: undefined,
    having: [],
    order: [],
    after: undefined,
    offset: 0,
    limit: undefined,
    added: {},
    select: undefined,
    result: 'list',
  };
}

/** Returns whether `given` is a function to call, and not a class. The `prototype` of a class is not writable. */
function isFunction(given: unknown): given is () => unknown {
  const isClass = isEntity(given) || Object.getOwnPropertyDescriptor(Object(given), 'prototype')?.writable === false;
  return typeof given === 'function' && !isClass;
}

/** A query, seen as the holder of a description. */
interface Described {
  readonly description: Description;
}

/** The source of the items of a query. */
export type QuerySource =
  | { readonly kind: 'entity'; readonly entity: EntityInterface }
  | { readonly kind: 'collection'; readonly collection: RowSchema }
  | { readonly kind: 'query'; readonly query: SchemaSimple & Described };

export function sourceOf({ source }: Description): QuerySource {
  const given = source();
  if (isEntity(given)) return { kind: 'entity', entity: given };
  const schema = Object(given) as Partial<RowSchema & Described>;
  if (schema.keepsRows === true) return { kind: 'collection', collection: schema as RowSchema };
  if (schema.description?.result === 'list') return { kind: 'query', query: schema as SchemaSimple & Described };
  throw new DataError(
    'query-invalid',
    'The source of a query is not valid. Pass an entity class, a function that returns one, a collection, or a query of a list.',
  );
}

/** Returns the description of the innermost query, for a query whose source is another query. */
export function baseOf(description: Description): Description {
  const source = sourceOf(description);
  return source.kind === 'query' ? baseOf(source.query.description) : description;
}

/** Returns whether a query needs an owner to be read: a record, or the arguments of a collection. */
export function isOwned(description: Description): boolean {
  const base = baseOf(description);
  return base.path !== undefined || sourceOf(base).kind === 'collection';
}

/** Returns the key of the entity or collection that is the source of a query. */
export function sourceName(description: Description): string {
  return (baseOf(description).source() as Pick<EntityInterface, 'key'>).key;
}

/** Returns whether a value is a relation: a query with one cell for each owner. */
export function isRelation(given: unknown): boolean {
  return typeof (Object(given) as Partial<SchemaSimple>).keptBy === 'function';
}

/** Returns every schema that a query mentions: its source, the joined source, and what it adds to each record. */
export function schemasIn({ source, join, added }: Description): Readonly<Record<string, unknown>> {
  const others = join === undefined ? {} : { [join.name]: describe(join.other).source() };
  return { ...added, ...others, '': source() };
}

/** Returns whether a query only selects items: it has no order, no limits, no added fields and no `select`. */
export function isUnordered({ order, after, offset, limit, added, select }: Description): boolean {
  const isWhole = after === undefined && offset === 0 && limit === undefined;
  return isWhole && order.length === 0 && select === undefined && Object.keys(added).length === 0;
}
