import { type Fields, isPlain } from '../../std/plain.ts';
import { type Collation, compareValues } from './compare.ts';
import { queryInvalid } from './query-invalid.ts';

export type Direction = 'asc' | 'desc';

export interface OrderOptions {
  /** Default: `asc`. */
  readonly direction?: Direction;
  /** Where records stand that have nothing there. Default: last, in both directions. */
  readonly nulls?: 'first' | 'last';
  /** How texts are compared. Default: by code unit. */
  readonly collation?: Collation | Pick<Intl.Collator, 'compare'>;
}

/** By what records are ordered. */
export interface OrderStep {
  readonly by: string | ((record: never) => unknown);
  readonly options: OrderOptions;
}

/** What `orderBy()` was given, as a step. */
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

/** Throws for what names no field and is no function. */
export function assertField(method: string, by: unknown): void {
  if (typeof by !== 'string' && typeof by !== 'function')
    throw queryInvalid(method, by, 'the name of a field, or a function');
}

export type Compare = (one: unknown, other: unknown) => number;

/** Compares records by these steps, the first that tells them apart. */
export function compareBy(steps: readonly OrderStep[]): Compare {
  const compares = steps.map(compareStep);
  const [only] = compares;
  if (only !== undefined && compares.length === 1) return only;
  return (one, other) => {
    for (const compare of compares) {
      const order = compare(one, other);
      if (order !== 0) return order;
    }
    return 0;
  };
}

function compareStep({ by, options }: OrderStep): Compare {
  const keyOf = keyBy(by);
  const { direction = 'asc', nulls = 'last', collation } = options;
  const collate = typeof collation === 'object' ? collation.compare : collation;
  const sign = direction === 'asc' ? 1 : -1;
  const lacking = nulls === 'last' ? 1 : -1;
  return (one, other) => {
    const [left, right] = [keyOf(one), keyOf(other)];
    if (isLacking(left) || isLacking(right))
      return isLacking(left) === isLacking(right) ? 0 : isLacking(left) ? lacking : -lacking;
    return sign * compareValues(left, right, collate);
  };
}

/** What a record has in a field, or what a function makes of it. */
export function keyBy(by: string | ((record: never) => unknown)): (record: unknown) => unknown {
  return typeof by === 'function' ? (by as (record: unknown) => unknown) : (record) => (record as Fields)[by];
}

function isLacking(key: unknown): boolean {
  return key === null || key === undefined || Number.isNaN(key);
}
