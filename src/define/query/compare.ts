import { hasPk } from '../schema/key-of.ts';

/** Compares two texts: a function, or the `compare` of an `Intl.Collator`. */
export type Collation = (one: string, other: string) => number;

/**
 * Compares two values: numbers by size, texts by code unit, dates by time, `false` before `true`. Values of classes are compared by the
 * `compare` of their class, as those of Temporal are, or else by what `valueOf()` gives. What is of different types is in a fixed
 * order. `null`, `undefined` and `NaN` are equal here, and behind all others.
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

/** Whether two values say the same: texts and numbers are told apart, records are the same by their pk. */
export function isSameValue(one: unknown, other: unknown): boolean {
  if (one === other) return true;
  if (hasPk(one))
    return String(one.pk()) === (hasPk(other) ? String(other.pk()) : String(other)) && isOfTable(one, other);
  if (typeof one !== 'object' || typeof other !== 'object' || one === null || other === null) return false;
  return compareValues(one, other) === 0 && rankOf(primitiveOf(one)) !== OBJECTS;
}

/** Records of other tables are others, whatever their pk; a pk alone does not say which it is of. */
function isOfTable(one: object, other: unknown): boolean {
  return !hasPk(other) || keyIn(one) === keyIn(other);
}

function keyIn({ constructor }: object): unknown {
  return (constructor as { readonly key?: unknown }).key;
}

const OBJECTS = 4;
const NOTHING = 5;

/** Numbers and bigints are of one rank: they can be compared with each other. */
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

/** `Temporal.PlainDate.compare()` and its like. */
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
