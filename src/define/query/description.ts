import { DataError } from '../../std/data-error.ts';
import { type EntityInterface, isEntity } from '../schema/entity.ts';
import { isPlain } from '../../std/plain.ts';
import type { RowSchema, SchemaSimple } from '../schema/schema.ts';
import { Aggregate } from './aggregates.ts';
import type { Argument } from './argument.ts';
import type { Condition } from './condition.ts';
import { assertField, type OrderStep } from './order.ts';
import { queryInvalid } from './query-invalid.ts';

/** What a query says, as data. */
export interface Description {
  /** What is looked through: the records of an entity, or what a collection or another query has. */
  readonly source: () => unknown;
  /** Of a relation: how it leads to its records from the one that it is read for. */
  readonly path: RelationStart | undefined;
  readonly conditions: readonly Condition[];
  /** What is made of the records that pass: groups of them, or pairs with others. */
  readonly group: Grouping | undefined;
  readonly join: Joining | undefined;
  /** What groups or pairs have to be. */
  readonly having: readonly Condition[];
  readonly order: readonly OrderStep[];
  /** The item behind which the list begins, as it was. */
  readonly after: unknown;
  readonly offset: number | Argument;
  readonly limit: number | Argument | undefined;
  /** What is read for each record, beside it: relations by the name of the field. */
  readonly added: Readonly<Record<string, unknown>>;
  /** What is made of each record in the end. */
  readonly select: ((record: never) => unknown) | undefined;
  readonly result: 'list' | 'one' | 'count' | 'exists';
}

/** What decides which records belong to one: plain data. */
export type OwnerKey = readonly (readonly string[])[];

/** How a relation begins; `state/query/relation-path.ts` says how it goes on. */
export interface RelationStart {
  /** What it goes by: a field, several, or the entity of links. */
  readonly by: string;
  /** Whether one record can belong to several. */
  readonly isShared: boolean;
  /** What of the record that a relation is read for, or of its pk, decides which others are in it. */
  keyOf(owner: unknown, entity: EntityInterface): OwnerKey;
  /** The field in which records that are nested in one get the pk of that one. */
  readonly ownedBy?: string | undefined;
}

export interface Grouping {
  /** The name of the field that has the key; `undefined` where a group reads as its key. */
  readonly name: string | undefined;
  readonly by: string | ((record: never) => unknown);
  readonly aggregates: Readonly<Record<string, Aggregate>>;
}

export interface Joining {
  /** The name of the field that has the other one. */
  readonly name: string;
  /** What the others are: an entity or its function, a collection, or a query. */
  readonly other: unknown;
  readonly mine: string | ((record: never) => unknown);
  readonly theirs: string | ((record: never) => unknown);
  /** Whether records stay that have no other one. */
  readonly isLeft: boolean;
}

/** What `groupBy()` was given. */
export function groupingOf(by: Grouping['by'], aggregates: Grouping['aggregates']): Grouping {
  assertField('groupBy()', by);
  const name = typeof by === 'string' ? by : 'key';
  if (!isPlain(aggregates) || !Object.values(aggregates).every((one) => one instanceof Aggregate))
    throw queryInvalid('groupBy()', aggregates, 'aggregates: { posts: count() }');
  if (Object.hasOwn(aggregates, name))
    throw queryInvalid('groupBy()', aggregates, `other names: ${name} is the key of the group`);
  return { name, by, aggregates };
}

/** `given`: an entity class, or a function that returns one that is declared later. */
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

/** Whether this is a function that is to be called: the `prototype` of a class cannot be replaced. */
function isFunction(given: unknown): given is () => unknown {
  const isClass = isEntity(given) || Object.getOwnPropertyDescriptor(Object(given), 'prototype')?.writable === false;
  return typeof given === 'function' && !isClass;
}

/** What a query was made of. */
interface Described {
  readonly description: Description;
}

/** What a query looks through. */
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
    'from(), join() and hasMany() take an entity class, a function that returns one, a collection, or a query that reads as a list.',
  );
}

/** The description that queries of queries begin with. */
export function baseOf(description: Description): Description {
  const source = sourceOf(description);
  return source.kind === 'query' ? baseOf(source.query.description) : description;
}

/** Whether a query is read for something: for a record, or with the arguments of a collection. */
export function isOwned(description: Description): boolean {
  const base = baseOf(description);
  return base.path !== undefined || sourceOf(base).kind === 'collection';
}

/** The entity whose records a query looks through, or the collection. */
export function sourceName(description: Description): string {
  return (baseOf(description).source() as Pick<EntityInterface, 'key'>).key;
}

/** Whether it has a cell for each record that it is read beside. */
export function isRelation(given: unknown): boolean {
  return typeof (Object(given) as Partial<SchemaSimple>).keptBy === 'function';
}

/** What a query looks through, and what it reads beside: classes that are known from then on. */
export function schemasIn({ source, join, added }: Description): Readonly<Record<string, unknown>> {
  const others = join === undefined ? {} : { [join.name]: describe(join.other).source() };
  return { ...added, ...others, '': source() };
}

/** Whether a query says which items there are, and neither in which order, nor which stretch, nor what is made of them. */
export function isUnordered({ order, after, offset, limit, added, select }: Description): boolean {
  const isWhole = after === undefined && offset === 0 && limit === undefined;
  return isWhole && order.length === 0 && select === undefined && Object.keys(added).length === 0;
}
