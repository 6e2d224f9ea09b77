import { DataError } from '../../std/data-error.ts';
import { inDevelopment } from '../../std/development.ts';
import { isObject } from './fields.ts';
import { argsKey } from '../../std/args-key.ts';
import type { CollectionQuery } from './delegate.ts';
import { type Fields, isPlain, setOwn } from '../../std/plain.ts';

/** The key of a collection, which identifies it in its table: the arguments of its request, or values of the record whose field it is. */
export type CollectionKey = Readonly<Record<string, unknown>>;

/** Returns the pk of a collection: its key as JSON, with sorted names, also inside of its members, and with numbers and booleans as text. Fixed format: disks have such pks. */
export function collectionPk(key: unknown, table: string): string {
  if (!isObject(key)) throw keyInvalid(table, `is ${String(key)}`);
  const texts: Record<string, unknown> = {};
  for (const name of Object.keys(key)) setOwn(texts, name, asText(key[name]));
  try {
    return memberText(texts);
  } catch (cause) {
    throw keyInvalid(table, 'is not plain data', cause);
  }
}

/** Returns the key for a pk, or `undefined` if the pk is not the JSON of an object. */
export function keyOfPk(pk: string): CollectionKey | undefined {
  try {
    const key: unknown = JSON.parse(pk);
    return isObject(key) ? key : undefined;
  } catch {
    // Rows can come from outside, by hydrate(). A pk that is not a key object belongs to no collection.
    return undefined;
  }
}

/** Returns whether no member of a key has a value. */
export function isEmptyKey(key: CollectionKey): boolean {
  return isObject(key) && Object.values(key).every((member) => member === undefined);
}

/** Returns whether an argument, or a field of a record, equals the value in the key of a collection. */
export function matchesArgument(value: unknown, expected: unknown): boolean {
  if (typeof value === 'string' && typeof expected === 'string') return value === expected;
  return textsOf(value).some(
    (member) => member === expected || (typeof expected === 'object' && memberText(member) === memberText(expected)),
  );
}

/** Separates the values of an argument that asks for several: `state=open,done`. */
export const SEPARATORS: RegExp = /[,|]/;

/** Returns whether an argument may ask for several values. The index of lists does not find such a list by one of the values. */
export function asksForSeveral(expected: unknown): boolean {
  return typeof expected === 'string' ? SEPARATORS.test(expected) : isObject(expected);
}

/** Returns the values of `name` in these arguments or records. */
export function valuesIn(given: readonly unknown[], name: string): readonly unknown[] {
  return given.filter((of) => hasIn(of, name)).map((of) => of[name]);
}

/** Returns whether these arguments, or this record, have a value of this name. */
export function hasIn(given: unknown, name: string): given is Fields {
  return isObject(given) && Object.hasOwn(given, name);
}

/** Returns the values that the key of a collection can have for an argument. A list also counts as its text in a query: `1,2`. */
export function textsOf(member: unknown): readonly unknown[] {
  const isTexts = Array.isArray(member) && !member.some(isObject);
  return isTexts ? [asText(member), String(member)] : [asText(member)];
}

/** Selects collections by their keys. With `query`, an index finds them. */
export interface KeyFilter {
  (key: CollectionKey): boolean;
  readonly query?: CollectionQuery;
}

/** Returns a filter for the collections whose selecting arguments all have a value from `given`. */
export function equalityFilter(given: readonly unknown[], selects: (name: string) => boolean): KeyFilter {
  const query: CollectionQuery = { selects, valuesOf: (name) => valuesIn(given, name) };
  const isMeant = (key: CollectionKey): boolean =>
    Object.entries(key).every(
      ([name, expected]) => !selects(name) || query.valuesOf(name).some((value) => matchesArgument(value, expected)),
    );
  return Object.assign(isMeant, { query });
}

// Arguments from paths and forms are texts, and from code often numbers. Both must lead to the same collection.
export function asText(member: unknown): unknown {
  const { toJSON } = Object(member) as { readonly toJSON?: () => unknown };
  if (typeof toJSON === 'function') return asText(toJSON.call(member));
  return typeof member === 'number' || typeof member === 'boolean' || typeof member === 'bigint'
    ? String(member)
    : dataOf(member);
}

/** Returns the JSON of a member in the key of a collection. The order of names in it does not matter. */
export function memberText(member: unknown): string {
  return JSON.stringify(member, (_name, inner: unknown) => {
    const data = dataOf(inner);
    if (!isObject(data) || Array.isArray(data)) return data;
    const names = Object.keys(data).sort();
    return Object.fromEntries(names.map((name) => [name, data[name]]));
  });
}

/** Returns a text for values that JSON does not tell apart: a map, a set, NaN. A date becomes its ISO text, as in JSON. */
function dataOf(member: unknown): unknown {
  if (typeof member === 'number') return Number.isFinite(member) ? member : String(member);
  if (!isObject(member) || isPlain(member) || 'toJSON' in member) return member;
  try {
    return argsKey([member], 'a collection', 'nothing');
  } catch {
    return member;
  }
}

function keyInvalid(table: string, what: string, cause?: unknown): DataError {
  return new DataError('collection-key-invalid', `The key of a collection ${table} ${what}.`, {
    entity: table,
    cause,
    cure: inDevelopment(() => 'argsKey() and nestKey() must return an object of plain values.'),
  });
}
