import { DataError } from '../../std/data-error.ts';
import { type EntityInterface, isEntity } from '../schema/entity.ts';
import type { Aggregate } from './aggregates.ts';
import type { Argument } from './argument.ts';
import type { Condition } from './condition.ts';
import type { OrderStep } from './order.ts';

/** What a query says, as data. */
export interface Description {
  /** The entity whose records are looked through. */
  readonly source: () => unknown;
  /** Of a relation: the field by which records belong to the one that the query is read for. */
  readonly ownedBy: string | undefined;
  readonly conditions: readonly Condition[];
  readonly group: Grouping | undefined;
  /** What groups have to be. */
  readonly having: readonly Condition[];
  readonly order: readonly OrderStep[];
  readonly offset: number | Argument;
  readonly limit: number | Argument | undefined;
  /** What is read for each record, beside it: relations by the name of the field. */
  readonly added: Readonly<Record<string, unknown>>;
  /** What is made of each record in the end. */
  readonly select: ((record: never) => unknown) | undefined;
  readonly result: 'list' | 'one' | 'count' | 'exists';
}

export interface Grouping {
  /** The name of the field that has the key. */
  readonly name: string;
  readonly by: string | ((record: never) => unknown);
  readonly aggregates: Readonly<Record<string, Aggregate>>;
}

/** `given`: an entity class, or a function that returns one that is declared later. */
export function describe(given: unknown, ownedBy?: string): Description {
  return {
    source: isFunction(given) ? given : () => given,
    ownedBy,
    conditions: [],
    group: undefined,
    having: [],
    order: [],
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

/** The entity whose records a query looks through. */
export function entityOf({ source }: Description): EntityInterface {
  const entity = source();
  if (isEntity(entity)) return entity;
  throw new DataError('query-invalid', 'from() and hasMany() take an entity class, or a function that returns one.');
}
