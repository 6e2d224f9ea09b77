import { isPlain } from '../../std/plain.ts';
import { checkArgument, checkField } from './check-argument.ts';
import { type Collation, compareValues, isLacking } from './compare.ts';
import { fieldOf, type ReadField } from './condition.ts';

/** The direction of an order: ascending or descending. */
export type Direction = 'asc' | 'desc';

/** The options of `orderBy()`. */
export interface OrderOptions {
  /** Default: `asc`. */
  readonly direction?: Direction;
  /** The place of records whose field is null, undefined, NaN or an invalid date. Default: last, in both directions. */
  readonly nulls?: 'first' | 'last';
  /** Compares texts. Default: by code unit. */
  readonly collation?: Collation | Pick<Intl.Collator, 'compare'>;
}

/** One field or function that orders records. */
export interface OrderStep {
  readonly by: string | ((record: never) => unknown);
  readonly options: OrderOptions;
}

/** Returns the arguments of `orderBy()` as a step. */
export function orderStep(by: OrderStep['by'], given: Direction | OrderOptions): OrderStep {
  const options = typeof given === 'string' ? { direction: given } : given;
  checkField('orderBy()', by);
  checkArgument('orderBy()', given, () => {
    const { direction = 'asc', nulls = 'last' } = Object(options) as OrderOptions;
    const isTaken = isPlain(options) && ['asc', 'desc'].includes(direction) && ['first', 'last'].includes(nulls);
    return !isTaken && "'asc', 'desc', or { direction, nulls: 'first' or 'last', collation }";
  });
  return { by, options };
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
  const signOfNulls = nulls === 'last' ? 1 : -1;
  return (left, right) => {
    // A shortcut for numbers, which most keys are.
    if (typeof left === 'number' && typeof right === 'number') {
      if (left < right) return -sign;
      if (left > right) return sign;
    }
    if (left === right) return 0;
    const places = Number(isLacking(left)) - Number(isLacking(right));
    return places * signOfNulls || sign * compareValues(left, right, collate);
  };
}

/** Names a field, or a function, in texts. */
export function nameOfKey(by: OrderStep['by']): string {
  return typeof by === 'string' ? by : 'a function';
}

/** Returns a function that reads a field of a record, or `by` itself if it is a function. */
export function keyBy(
  by: string | ((record: never) => unknown),
  read: ReadField = fieldOf,
): (record: unknown) => unknown {
  return typeof by === 'function' ? (by as (record: unknown) => unknown) : (record) => read(record, by);
}
