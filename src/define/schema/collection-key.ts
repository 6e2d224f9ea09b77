import { DataError } from '../../std/data-error.ts';
import { isObject } from './fields.ts';
import { argsKey } from '../../std/args-key.ts';
import type { CollectionQuery } from './schema.ts';
import { isPlain, setOwn } from '../../std/plain.ts';

/** What tells the collections of a table apart: the arguments, or what a record says of its own list. */
export type CollectionKey = Readonly<Record<string, unknown>>;

/** The pk of a collection: its key as JSON with sorted names, numbers and booleans as text. */
export function collectionPk(key: unknown, table: string): string {
  if (!isObject(key)) throw keyInvalid(table, `is ${String(key)}`);
  const sorted: Record<string, unknown> = {};
  for (const name of Object.keys(key).sort()) setOwn(sorted, name, asText(key[name]));
  try {
    return textOf(sorted);
  } catch (cause) {
    throw keyInvalid(table, 'is no plain data', cause);
  }
}

/** The key that a pk is the JSON of; `undefined` where it is none. */
export function keyOfPk(pk: string): CollectionKey | undefined {
  try {
    const key: unknown = JSON.parse(pk);
    return isObject(key) ? key : undefined;
  } catch {
    // Rows can come from outside, by hydrate(): a pk that is no key object belongs to no collection.
    return undefined;
  }
}

/** Whether a key says anything at all. */
export function isEmptyKey(key: CollectionKey): boolean {
  return Object.values(key).every((member) => member === undefined);
}

/** Whether an argument, or a field of a record, is what a collection has in its key. */
export function agrees(asked: unknown, kept: unknown): boolean {
  return textsOf(asked).some(
    (member) => member === kept || (typeof kept === 'object' && textOf(member) === JSON.stringify(kept)),
  );
}

/** What stands between the values of an argument that asks for several: `state=open,done`. */
export const SEPARATORS: RegExp = /[,|]/;

/** Whether an argument may ask for several values. A list that has it is not found by one of them. */
export function asksForSeveral(kept: unknown): boolean {
  return typeof kept === 'string' ? SEPARATORS.test(kept) : isObject(kept);
}

/** What some of these, arguments or records, have under `name`. */
export function valuesIn(given: readonly unknown[], name: string): readonly unknown[] {
  return given.flatMap((of) => (isObject(of) && Object.hasOwn(of, name) ? [of[name]] : []));
}

/** What the key of a collection may have for an argument: of a list also its text, as in a query. */
export function textsOf(member: unknown): readonly unknown[] {
  const isTexts = Array.isArray(member) && !member.some(isObject);
  return isTexts ? [asText(member), String(member)] : [asText(member)];
}

/** A filter of collections by their keys; where it says what it asks for, an index can answer it. */
export interface KeyFilter {
  (key: CollectionKey): boolean;
  readonly asked?: CollectionQuery;
}

/** The collections whose selecting members are each the same in one of `given`. */
export function equalityFilter(given: readonly unknown[], selects: (name: string) => boolean): KeyFilter {
  const asked: CollectionQuery = { selects, valuesOf: (name) => valuesIn(given, name) };
  const isMeant = (key: CollectionKey): boolean =>
    Object.entries(key).every(
      ([name, kept]) => !selects(name) || asked.valuesOf(name).some((value) => agrees(value, kept)),
    );
  return Object.assign(isMeant, { asked });
}

// Arguments come from paths and forms as text as often as they come as numbers.
export function asText(member: unknown): unknown {
  if (member instanceof Date) return member.toJSON();
  return typeof member === 'number' || typeof member === 'boolean' || typeof member === 'bigint'
    ? String(member)
    : jsonOf(undefined, member);
}

/** The JSON that a member has in the key of a collection. */
export function textOf(member: unknown): string {
  return JSON.stringify(member, jsonOf);
}

/** What JSON would not tell apart from something else (a map, a set, NaN) is a text of it. A date is its ISO text, as in JSON. */
function jsonOf(_name: unknown, member: unknown): unknown {
  if (typeof member === 'number') return Number.isFinite(member) ? member : String(member);
  if (!isObject(member) || isPlain(member) || 'toJSON' in member) return member;
  try {
    return argsKey([member], 'a collection', 'nothing');
  } catch {
    return member;
  }
}

function keyInvalid(table: string, what: string, cause?: unknown): DataError {
  return new DataError(
    'collection-key-invalid',
    `The key of a collection ${table} ${what}. argsKey() and nestKey() return an object of plain values.`,
    { entity: table, cause },
  );
}
