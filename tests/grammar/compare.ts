import { All, Collection, DataError, type Entity, Query, schema as schemas, Union, Values } from 'rejoin';
import { hookErrorOf } from './hooks.ts';

/** A law of the library that a program has broken. */
export class BrokenLaw extends Error {
  constructor(law: string, message: string) {
    super(`${law}: ${message}`);
  }
}

/** The result of a read: a value, or an error. */
export type Outcome =
  | { readonly value: unknown; readonly error?: undefined }
  | { readonly error: { readonly of: unknown } };

export function outcomeOf(read: () => unknown): Outcome {
  try {
    return { value: read() };
  } catch (error) {
    return { error: { of: error } };
  }
}

/** Returns whether two reads returned the same object, or failed with the same error. */
export function isSame(one: Outcome, other: Outcome): boolean {
  if (one.error === undefined) return other.error === undefined && Object.is(one.value, other.value);
  return other.error !== undefined && nameOf(one.error.of) === nameOf(other.error.of);
}

export function isByChance(outcome: Outcome): boolean {
  return outcome.error !== undefined && hookErrorOf(outcome.error.of)?.isByChance === true;
}

function nameOf(error: unknown): string {
  // The order of several records that cannot be made is not promised.
  if (hookErrorOf(error) !== undefined) return 'a hook';
  return error instanceof DataError ? error.code : String(error);
}

/** Returns whether two reads returned deeply equal values. The values may contain circles. */
export function isAlike(one: Outcome, other: Outcome): boolean {
  if (one.error !== undefined || other.error !== undefined) return isSame(one, other);
  if (isNothing(one.value) && isNothing(other.value)) return true;
  return alike(one.value, other.value, new Map());
}

/** A table that never had rows has no list of all records. A table whose rows were removed has an empty one. */
function isNothing(value: unknown): boolean {
  return value === undefined || (Array.isArray(value) && value.length === 0);
}

/** Whether two values are equal, class by class and field by field. A pair that is being compared counts as equal. */
export function alike(one: unknown, other: unknown, met: Map<object, object>): boolean {
  if (Object.is(one, other)) return true;
  if (typeof one !== 'object' || typeof other !== 'object' || one === null || other === null) return false;
  if (met.get(one) === other) return true;
  met.set(one, other);
  if (Object.getPrototypeOf(one) !== Object.getPrototypeOf(other)) return false;
  if (one instanceof Date) return one.getTime() === (other as Date).getTime();
  const names = Object.keys(one);
  if (names.length !== Object.keys(other).length) return false;
  return names.every((name) => Object.hasOwn(other, name) && alike(one[name as never], other[name as never], met));
}

type Class = new (...args: never) => object;

const isEntityClass = (schema: unknown): schema is typeof Entity & Class =>
  typeof schema === 'function' && 'pk' in schema && 'key' in schema;

/** The objects that the reads of one moment have returned: one object for each record and class. */
export class Moment {
  readonly #records = new Map<unknown, Map<string, object>>();
  readonly #visited = new Set<object>();

  /** Throws if a value does not fit its schema, or if one record is two objects. */
  visit(schema: unknown, value: unknown, path: string): void {
    if (value === undefined || value === null || typeof value === 'symbol') return;
    if (isEntityClass(schema)) this.#visitRecord(schema, value, path);
    else if (schema instanceof Union) this.#visitMember(schema, value, path);
    else if (schema instanceof Collection) this.visit(schema.schema, value, path);
    else if (schema instanceof schemas.Array || schema instanceof All) this.#visitList(schema.schema, value, path);
    else if (schema instanceof Values) this.#visitMap(schema.schema, value, path);
    else if (schema instanceof schemas.Object) this.#visitFields(schema.schema as object, value, path);
    else if (schema instanceof Query) return;
    else if (Array.isArray(schema)) this.#visitList(schema[0], value, path);
  }

  #visitRecord(schema: typeof Entity & Class, value: unknown, path: string): void {
    if (!(value instanceof schema)) throw new BrokenLaw('L4', `${path} is no ${schema.name} but ${show(value)}`);
    if (this.#visited.has(value)) return;
    this.#visited.add(value);
    // A record with a scalar is another object for each lens.
    if (schema.key === 'Team') return;
    const pk = String(schema.pk(value));
    const known = this.#records.get(schema) ?? new Map<string, object>();
    this.#records.set(schema, known);
    const before = known.get(pk);
    if (before !== undefined) throw new BrokenLaw('L4', `${path}: ${schema.name} ${pk} is two objects at one moment`);
    known.set(pk, value);
    this.#visitFields(schema.schema, value, `${path}<${schema.name} ${pk}>`);
  }

  #visitFields(fields: object, value: unknown, path: string): void {
    if (typeof value !== 'object') throw new BrokenLaw('L4', `${path} is not an object but ${show(value)}`);
    for (const [name, inner] of Object.entries(fields)) this.visit(inner, value?.[name as never], `${path}.${name}`);
  }

  #visitMember(schema: Union, value: unknown, path: string): void {
    const found = Object.values(schema.schema).find((each) => value instanceof (each as Class));
    if (found === undefined) throw new BrokenLaw('L4', `${path} is not a member of its union but ${show(value)}`);
    this.visit(found, value, path);
  }

  #visitList(item: unknown, value: unknown, path: string): void {
    if (!Array.isArray(value)) throw new BrokenLaw('L4', `${path} is not a list but ${show(value)}`);
    for (let at = 0; at < value.length; at++) {
      if (value[at] === undefined) throw new BrokenLaw('L4', `${path}[${at}] is a hole`);
      this.visit(item, value[at], `${path}[${at}]`);
    }
  }

  #visitMap(item: unknown, value: unknown, path: string): void {
    if (typeof value !== 'object' || Array.isArray(value))
      throw new BrokenLaw('L4', `${path} is not a map but ${show(value)}`);
    for (const [name, member] of Object.entries(value as object)) this.visit(item, member, `${path}.${name}`);
  }
}

/** A value as a short text. */
export function show(value: unknown): string {
  const seen = new Set<unknown>();
  const inner = (each: unknown): string => {
    if (typeof each === 'function') return each.name || 'function';
    if (each instanceof Error) return `${each.name}(${each.message.slice(0, 160)})`;
    if (each instanceof Date) return Number.isNaN(each.getTime()) ? 'Date(NaN)' : `new Date('${each.toISOString()}')`;
    if (typeof each === 'bigint') return `${each}n`;
    if (typeof each === 'string') return `'${each}'`;
    if (typeof each !== 'object' || each === null) return String(each);
    if (seen.has(each)) return '(above)';
    seen.add(each);
    if (Array.isArray(each)) return `[${each.map(inner).join(', ')}]`;
    if (each instanceof Set) return `new Set([${[...each].map(inner).join(', ')}])`;
    const name = Object.getPrototypeOf(each) === Object.prototype ? '' : `${each.constructor?.name ?? ''} `;
    const fields = Object.entries(each).map(([field, member]) => `${field}: ${inner(member)}`);
    return `${name}{ ${fields.join(', ')} }`;
  };
  return inner(value).slice(0, 500);
}

export function showOutcome(outcome: Outcome): string {
  return outcome.error === undefined ? show(outcome.value) : `throws ${show(outcome.error.of)}`;
}
