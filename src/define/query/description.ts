import { type EntityInterface, isEntity } from '../schema/entity.ts';
import type { Fields } from '../../std/plain.ts';
import type { RowSchema, SchemaSimple } from '../schema/schema.ts';
import type { Argument } from './argument.ts';
import { checkArgument } from './check-argument.ts';
import type { Condition } from './condition.ts';
import type { OrderStep } from './order.ts';

/** The definition of a query, as data. */
export interface Description {
  /** Returns the source of the items: an entity, a collection or another query. */
  readonly source: () => unknown;
  /** Only for a relation: leads from the owner to its records. */
  readonly path?: RelationStart | undefined;
  /** Makes other items of those of the source: groups, or pairs. See `state/query/operator.ts`. */
  readonly operator?: OperatorStart | undefined;
  /** Conditions for the items. */
  readonly conditions: readonly Condition[];
  readonly order: readonly OrderStep[];
  /** The list begins after this item. The item is as it was when the query was built. */
  readonly after?: unknown;
  readonly offset: number | Argument;
  readonly limit?: number | Argument | undefined;
  /** Relations that are read for each record and added to it, by the name of the field. */
  readonly added: Readonly<Record<string, unknown>>;
  /** Makes the final value of each record. */
  readonly select?: ((record: never) => unknown) | undefined;
  readonly result: 'list' | 'one' | 'count' | 'exists';
}

/** The values of an owner that decide which records belong to it, as plain data. */
export type OwnerKey = readonly (readonly string[])[];

/** The first step of a relation from its owner. `state/query/relation-path.ts` has the other steps. */
export interface RelationStart {
  /** Names the relation: a field, several fields, or the entity of the linking records. */
  readonly by: string;
  /** Returns the values of an owner, or of its pk, that decide which records belong to it. */
  keyOf(owner: unknown, entity: EntityInterface): OwnerKey;
  /** The field that refers to the owner. A record nested in its owner gets the pk of the owner there. */
  readonly ownedBy?: string | undefined;
}

/** The data that an operator reads besides the items of its source. */
export interface OperatorStart {
  /** The schema of a joined source. */
  readonly schema: unknown;
}

/** Returns the description of a new query. `given`: an entity class, or a function that returns one that is declared later. */
export function describe(given: unknown, changes: Partial<Description> = {}): Description {
  return {
    source: isFunction(given) ? given : () => given,
    conditions: [],
    order: [],
    offset: 0,
    added: {},
    result: 'list',
    ...changes,
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

/** The source of the items of a query: one of these. */
export interface QuerySource {
  readonly entity?: EntityInterface;
  readonly collection?: RowSchema;
  readonly query?: SchemaSimple & Described;
}

export function sourceOf({ source }: Description): QuerySource {
  const given = source();
  if (isEntity(given)) return { entity: given };
  const schema = Object(given) as RowSchema & SchemaSimple & Described;
  if (schema.keepsRows) return { collection: schema };
  checkArgument(
    'from()',
    given,
    () =>
      (schema as Partial<Described>).description?.result !== 'list' &&
      'an entity class, a function that returns one, a collection, or a query of a list',
  );
  return { query: schema };
}

/** Returns the description of the innermost query, for a query whose source is another query. */
export function baseOf(description: Description): Description {
  const { query } = sourceOf(description);
  return query === undefined ? description : baseOf(query.description);
}

/** Returns whether a query needs an owner to be read: a record, or the arguments of a collection. */
export function isOwned(description: Description): boolean {
  const base = baseOf(description);
  return base.path !== undefined || sourceOf(base).collection !== undefined;
}

/** Returns the key of the entity or collection that is the source of a query. */
export function sourceName(description: Description): string {
  return (baseOf(description).source() as Pick<EntityInterface, 'key'>).key;
}

/** Returns every schema that a query mentions: its source, the joined source, and what it adds to each record. */
export function schemasIn({ source, operator, added }: Description): Fields {
  return Object.fromEntries([...Object.values(added), operator?.schema, source()].entries());
}

/** Returns whether a query only selects items: it has no order, no limits, no added fields and no `select`. */
export function isUnordered({ order, after, offset, limit, added, select }: Description): boolean {
  const isWhole = after === undefined && offset === 0 && limit === undefined;
  return isWhole && order.length === 0 && select === undefined && Object.keys(added).length === 0;
}
