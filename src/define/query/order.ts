import { isPlain } from '../../std/plain.ts';
import { type Collation, compareValues } from './compare.ts';
import { fieldOf, type ReadField } from './condition.ts';
import { queryInvalid } from './query-invalid.ts';

export type Direction = 'asc' | 'desc';

export interface OrderOptions {
  /** Default: `asc`. */
  readonly direction?: Direction;
  /** Where records stand whose field is null, undefined or NaN. Default: last, in both directions. */
  readonly nulls?: 'first' | 'last';
  /** Compares texts. Default: by code unit. */
  readonly collation?: Collation | Pick<Intl.Collator, 'compare'>;
}

/** One field or function that orders records. */
export interface OrderStep {
  readonly by: string | ((record: never) => unknown);
  readonly options: OrderOptions;
}

/** Checks the arguments of `orderBy()` and returns them as a step. */
export function orderStep(by: OrderStep['by'], given: Direction | OrderOptions): OrderStep {
  assertField('orderBy()', by);
  const options = typeof given === 'string' ? { direction: given } : given;
  const { direction = 'asc', nulls = 'last' } = Object(options) as OrderOptions;
  if (!isPlain(options) || !DIRECTIONS.has(direction) || !PLACES.has(nulls))
    throw queryInvalid('orderBy()', given, "'asc', 'desc', or { direction, nulls: 'first' or 'last', collation }");
  return { by, options };
}

const DIRECTIONS: ReadonlySet<unknown> = /* #__PURE__ */ new Set(['asc', 'desc']);
const PLACES: ReadonlySet<unknown> = /* #__PURE__ */ new Set(['first', 'last']);

/** Throws unless `by` is the name of a field or a function. */
export function assertField(method: string, by: unknown): void {
  if (typeof by !== 'string' && typeof by !== 'function')
    throw queryInvalid(method, by, 'the name of a field, or a function');
}

export type Compare = (one: unknown, other: unknown) => number;

/** Returns a function that reads the sort key of a record for these steps. */
export function orderKeyOf(steps: readonly OrderStep[], read: ReadField = fieldOf): (record: unknown) => unknown {
  const keys = steps.map(({ by }) => keyBy(by, read));
  const [only] = keys;
  if (keys.length > 1) return (record) => keys.map((keyOf) => keyOf(record));
  return only ?? (() => undefined);
}

/** Compares sort keys: the first step in which they differ decides. */
export function compareOrderKeys(steps: readonly OrderStep[]): Compare {
  const compares = steps.map(({ options }) => compareStep(options));
  const [only] = compares;
  if (compares.length <= 1) return only ?? (() => 0);
  return (one, other) => {
    for (const [at, compare] of compares.entries()) {
      const order = compare((one as readonly unknown[])[at], (other as readonly unknown[])[at]);
      if (order !== 0) return order;
    }
    return 0;
  };
}

function compareStep({ direction = 'asc', nulls = 'last', collation }: OrderOptions): Compare {
  const collate = typeof collation === 'object' ? collation.compare : collation;
  const sign = direction === 'asc' ? 1 : -1;
  const lacking = nulls === 'last' ? 1 : -1;
  return (left, right) => {
    // A shortcut for numbers, which most keys are.
    if (typeof left === 'number' && typeof right === 'number') {
      if (left < right) return -sign;
      if (left > right) return sign;
    }
    if (isLacking(left) || isLacking(right))
      return isLacking(left) === isLacking(right) ? 0 : isLacking(left) ? lacking : -lacking;
    return sign * compareValues(left, right, collate);
  };
}

/** Returns a function that reads a field of a record, or `by` itself if it is a function. */
export function keyBy(
  by: string | ((record: never) => unknown),
  read: ReadField = fieldOf,
): (record: unknown) => unknown {
  return typeof by === 'function' ? (by as (record: unknown) => unknown) : (record) => read(record, by);
}

function isLacking(key: unknown): boolean {
  return key === null || key === undefined || Number.isNaN(key);
}
