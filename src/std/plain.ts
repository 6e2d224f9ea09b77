/** The fields of a record, by name. */
export type Fields = Readonly<Record<string, unknown>>;

/** As `Fields`, while they are being collected. */
export type WritableFields = Record<string, unknown>;

/** How deep plain data may be nested. `JSON.stringify` and `structuredClone` overflow at about ten times this. */
export const MAX_DEPTH = 1000;

/** Thrown by `copyPlain` and `keepEqual` for data that is nested too deep. */
export class TooDeep extends RangeError {}

/** Returns whether `value` is an array or an object made by a literal or by `JSON.parse`. */
export function isPlain(value: unknown): value is object {
  if (typeof value !== 'object' || value === null) return false;
  if (Array.isArray(value)) return true;
  const prototype: unknown = Object.getPrototypeOf(value);
  return prototype === Object.prototype || prototype === null;
}

/** Sets an own field of any name. A plain assignment to `__proto__` would change the prototype instead. */
export function setOwn(target: object, field: string, value: unknown): void {
  if (field === '__proto__')
    Object.defineProperty(target, field, { value, writable: true, enumerable: true, configurable: true });
  else (target as WritableFields)[field] = value;
}

/**
 * Returns a deep copy of plain data: it shares no array and no plain object with `value`. Anything else (a Date, a Blob) is
 * kept as it is.
 */
export function copyPlain(value: unknown, levels: number = MAX_DEPTH): unknown {
  if (!isPlain(value)) return value;
  if (levels === 0) throw new TooDeep('Plain data is nested too deep.');
  if (Array.isArray(value)) return copyItems(value, levels - 1);
  const copy: object = { ...value };
  for (const field of Object.keys(copy)) {
    const inner = (copy as WritableFields)[field];
    if (typeof inner === 'object') setOwn(copy, field, copyPlain(inner, levels - 1));
  }
  return copy;
}

/** Returns copies of arguments, which code of the application may change. Arguments that are nested too deep are not copied. */
export function ownArgs(args: readonly unknown[]): readonly unknown[] {
  try {
    return copyPlain(args) as readonly unknown[];
  } catch {
    return args;
  }
}

/** A loop instead of `map`: one call per level, so that the deepest allowed data fits on the stack. */
function copyItems(items: readonly unknown[], levels: number): unknown[] {
  const copy = items.slice();
  for (let at = 0; at < copy.length; at++) copy[at] = copyPlain(copy[at], levels);
  return copy;
}

/** Returns whether two values of data are deeply equal. It recurses no deeper than the shallower one. */
export function equalPlain(one: unknown, other: unknown): boolean {
  if (Object.is(one, other)) return true;
  if (Array.isArray(one)) return Array.isArray(other) && equalArrays(one, other);
  if (!isPlain(one)) return equalInstances(one, other);
  return isPlain(other) && !Array.isArray(other) && equalRecords(one, other);
}

/** Returns whether two objects of one class have the same content, as far as it can be read. */
function equalInstances(one: unknown, other: unknown): boolean {
  if (!(one instanceof Object && other instanceof Object && one.constructor === other.constructor)) return false;
  try {
    return equalArrays(contentOf(one), contentOf(other));
  } catch {
    // Its `toJSON` threw, or its fields go in a circle.
    return false;
  }
}

/** Returns what an object of a class consists of. If that is not known, because the class may have private fields: something that equals nothing else. */
function contentOf(value: object): ArrayLike<unknown> {
  if (ArrayBuffer.isView(value)) return new Uint8Array(value.buffer, value.byteOffset, value.byteLength);
  if (value instanceof ArrayBuffer) return new Uint8Array(value);
  if (value instanceof Map || value instanceof Set) return [fieldsOf(value), ...(value as Iterable<unknown>)];
  if (value instanceof Date) return [fieldsOf(value), value.getTime()];
  return 'toJSON' in value ? [fieldsOf(value), (value as Date).toJSON()] : [Symbol('unknown')];
}

/** Returns the own fields of an object of a class. */
function fieldsOf(value: object): Fields {
  return { ...value };
}

function equalArrays(one: ArrayLike<unknown>, other: ArrayLike<unknown>): boolean {
  if (one.length !== other.length) return false;
  // From the end, because long lists mostly change there.
  for (let at = one.length - 1; at >= 0; at--) if (!equalPlain(one[at], other[at])) return false;
  return true;
}

function equalRecords(one: object, other: object): boolean {
  // A loop and not a list of all fields: usually one of the first fields differs, so the list would not be needed.
  let count = 0;
  for (const field in one) {
    if (!Object.hasOwn(other, field) || !equalPlain((one as WritableFields)[field], (other as WritableFields)[field]))
      return false;
    count++;
  }
  return count === Object.keys(other).length;
}

/** Freezes plain data deeply. It may be nested to any depth, as the value of a query. */
export function freezePlain(value: unknown): unknown {
  const left: unknown[] = [value];
  while (left.length > 0) {
    const part = left.pop();
    if (!isPlain(part) || Object.isFrozen(part)) continue;
    for (const inner of Object.values(Object.freeze(part))) left.push(inner);
  }
  return value;
}

/**
 * Returns a copy of `next` that reuses every part of `known` that is deeply equal. Changes neither of them.
 */
export function keepEqual(known: unknown, next: unknown, levels: number = MAX_DEPTH): unknown {
  if (equalPlain(known, next)) return known;
  if (!isPlain(next)) return next;
  if (levels === 0) throw new TooDeep('Plain data is nested too deep.');
  const old = (isPlain(known) ? known : {}) as WritableFields;
  const copy: object = Array.isArray(next) ? next.slice() : { ...next };
  for (const [field, value] of Object.entries(copy))
    if (typeof value === 'object')
      setOwn(copy, field, keepEqual(Object.hasOwn(old, field) ? old[field] : undefined, value, levels - 1));
  return copy;
}
