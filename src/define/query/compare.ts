import { hasPk, temporaryPksOf } from '../schema/key-of.ts';
import { pkIfAny } from '../schema/pk.ts';

/** Compares two texts: a function, or the `compare` of an `Intl.Collator`. */
export type Collation = (one: string, other: string) => number;

/**
 * Compares two values for sorting: numbers by size, texts by code unit, dates by time, `false` before `true`. Objects whose class has a
 * static `compare`, such as those of Temporal, are compared by it, decimals by their `comparedTo()` or `cmp()`, and other objects by
 * `valueOf()`. Values of different types have a fixed order by type. `null`, `undefined`, `NaN`, invalid dates, and the errors of fields that
 * cannot be converted are equal to each other and come last.
 */
export function compareValues(one: unknown, other: unknown, collate: Collation = ascending): number {
  const [left, right] = [primitiveOf(one), primitiveOf(other)];
  const rank = rankOf(left);
  const order = rank - rankOf(right);
  if (order !== 0 || rank === NOTHING) return order;
  if (rank === OBJECTS) return compareObjects(left as object, right as object);
  return (typeof left === 'string' ? collate : ascending)(left as string, right as string);
}

/** Returns whether two values are equal. `'1'` and `1` differ. A record equals another record of its table with the same pk, or that pk. */
export function isSameValue(one: unknown, other: unknown): boolean {
  if (one === other) return true;
  // A bare pk fits a record of any table.
  if (hasPk(one))
    return hasPk(other)
      ? String(one.pk()) === String(other.pk()) && keyIn(one) === keyIn(other)
      : [String(one.pk()), ...temporaryPksOf(one)].includes(pkIfAny(other) as string);
  const areObjects = typeof one === 'object' && typeof other === 'object' && one !== null && other !== null;
  if (!areObjects) return false;
  // Other objects are equal only to themselves.
  const areComparable = comparerOf(one) !== undefined && one.constructor === other.constructor;
  return (areComparable || rankOf(primitiveOf(one)) !== OBJECTS) && compareValues(one, other) === 0;
}

/** Returns whether a value is null, undefined, NaN, an invalid date or the error of a field. */
export function isLacking(value: unknown): boolean {
  const primitive = primitiveOf(value);
  return primitive === null || primitive === undefined || Number.isNaN(primitive);
}

/** Compares two texts by code unit, or two numbers. */
export function ascending<Value extends string | number>(one: Value, other: Value): number {
  return one < other ? -1 : one > other ? 1 : 0;
}

/** Returns the key of the class of a record. */
export function keyIn({ constructor }: object): unknown {
  return (constructor as { readonly key?: unknown }).key;
}

/** Numbers and bigints have one rank, because they can be compared with each other. */
const RANKS: Readonly<Record<string, number>> = { boolean: 1, number: 2, bigint: 2, string: 3 };
const OBJECTS = 4;
const NOTHING = 5;

function rankOf(value: unknown): number {
  return isLacking(value) ? NOTHING : (RANKS[typeof value] ?? OBJECTS);
}

function primitiveOf(value: unknown): unknown {
  if (typeof value !== 'object' || value === null) return value;
  if (value instanceof Error) return undefined;
  const comparer = comparerOf(value);
  // A decimal that is not a number does not equal itself.
  if (comparer !== undefined) return comparer !== compareByMethod || comparer(value, value) === 0 ? value : Number.NaN;
  if (hasPk(value)) return String(value.pk());
  // Plain data can have fields of any name, and an object without a prototype has no method.
  const { valueOf } = value as { readonly valueOf?: unknown };
  return typeof valueOf === 'function' ? Reflect.apply(valueOf, value, []) : value;
}

type Comparer = (one: object, other: object) => number;

/** Returns the static `compare` of the class of a value, such as `Temporal.PlainDate.compare()`, or what calls the method of a decimal. */
function comparerOf(value: object): Comparer | undefined {
  const { compare } = Object(value.constructor) as { readonly compare?: unknown };
  if (typeof compare === 'function') return compare as Comparer;
  return typeof methodOf(value) === 'function' ? compareByMethod : undefined;
}

/** Compares decimals: their `valueOf()` is a text, and would sort 10 before 9. */
const compareByMethod: Comparer = (one, other) => (methodOf(one) as (other: object) => number).call(one, other);

/** Returns the method of a decimal: `comparedTo()` in bignumber.js and decimal.js, `cmp()` in big.js. */
function methodOf(value: object): unknown {
  const { comparedTo, cmp } = value as { readonly comparedTo?: unknown; readonly cmp?: unknown };
  return comparedTo ?? cmp;
}

function compareObjects(one: object, other: object): number {
  return one.constructor === other.constructor ? (comparerOf(one)?.(one, other) ?? 0) : 0;
}
