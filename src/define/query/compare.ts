import { hasPk } from '../schema/key-of.ts';

/** Compares two texts: a function, or the `compare` of an `Intl.Collator`. */
export type Collation = (one: string, other: string) => number;

/**
 * Compares two values for sorting: numbers by size, texts by code unit, dates by time, `false` before `true`. Objects whose class has a
 * static `compare`, such as those of Temporal, are compared by it, and other objects by `valueOf()`. Values of different types have a fixed
 * order by type. `null`, `undefined` and `NaN` are equal to each other and come last.
 */
export function compareValues(one: unknown, other: unknown, collate: Collation = byCodeUnit): number {
  const [left, right] = [primitiveOf(one), primitiveOf(other)];
  const [rank, otherRank] = [rankOf(left), rankOf(right)];
  if (rank !== otherRank) return rank - otherRank;
  if (typeof left === 'string') return collate(left, right as string);
  if (rank === NOTHING) return 0;
  if (rank === OBJECTS) return compareObjects(left as object, right as object);
  return (left as number) < (right as number) ? -1 : (left as number) > (right as number) ? 1 : 0;
}

/** Returns whether two values are equal. `'1'` and `1` differ. A record equals another record of its table with the same pk, or that pk. */
export function isSameValue(one: unknown, other: unknown): boolean {
  if (one === other) return true;
  if (hasPk(one))
    return String(one.pk()) === (hasPk(other) ? String(other.pk()) : String(other)) && isOfTable(one, other);
  if (typeof one !== 'object' || typeof other !== 'object' || one === null || other === null) return false;
  return compareValues(one, other) === 0 && rankOf(primitiveOf(one)) !== OBJECTS;
}

/** Returns false for records of two tables. A bare pk fits a record of any table. */
function isOfTable(one: object, other: unknown): boolean {
  return !hasPk(other) || keyIn(one) === keyIn(other);
}

function keyIn({ constructor }: object): unknown {
  return (constructor as { readonly key?: unknown }).key;
}

const OBJECTS = 4;
const NOTHING = 5;

/** Numbers and bigints have one rank, because they can be compared with each other. */
function rankOf(value: unknown): number {
  switch (typeof value) {
    case 'boolean':
      return 1;
    case 'number':
      return Number.isNaN(value) ? NOTHING : 2;
    case 'bigint':
      return 2;
    case 'string':
      return 3;
    default:
      return value === null || value === undefined ? NOTHING : OBJECTS;
  }
}

function primitiveOf(value: unknown): unknown {
  if (typeof value !== 'object' || value === null || comparerOf(value) !== undefined) return value;
  return hasPk(value) ? String(value.pk()) : value.valueOf();
}

/** Returns the static `compare` of the class of a value, such as `Temporal.PlainDate.compare()`. */
function comparerOf(value: object): ((one: object, other: object) => number) | undefined {
  const { compare } = value.constructor as { readonly compare?: unknown };
  return typeof compare === 'function' ? (compare as (one: object, other: object) => number) : undefined;
}

function compareObjects(one: object, other: object): number {
  return one.constructor === other.constructor ? (comparerOf(one)?.(one, other) ?? 0) : 0;
}

function byCodeUnit(one: string, other: string): number {
  return one < other ? -1 : one > other ? 1 : 0;
}
