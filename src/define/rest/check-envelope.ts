import { DataError } from '../../std/data-error.ts';
import { isPlain } from '../../std/plain.ts';
import { ArraySchema } from '../schema/array.ts';
import { Collection } from '../schema/collection.ts';
import { isEntity } from '../schema/entity.ts';
import { MemberChange } from '../schema/collection-change.ts';
import { pkMissing, pkOf } from '../schema/pk.ts';
import { membersOf, wantedIn } from '../schema/bare-answer.ts';
import { Values } from '../schema/values.ts';

/**
 * Throws where the object that a schema describes has none of the lists and records that the schema names, but others: it is
 * another object than was meant, and all that it should have would be missing without a word. A list is not `null`.
 */
export function checkPresence(schema: unknown, value: unknown, what: string): void {
  const members = membersOf(schema);
  if (members === undefined || !isPlain(value) || Array.isArray(value)) return;
  const wanted = wantedIn(members);
  const fields = value as Readonly<Record<string, unknown>>;
  const found = Object.keys(fields);
  const isThere = (name: string): boolean =>
    Object.hasOwn(fields, name) && !(fields[name] === null && isList(members[name]));
  if (wanted.length === 0 || found.length === 0) return;
  if (!wanted.some(isThere)) throw unexpected(found, wanted, what);
}

/** As `checkPresence`, for the objects within. */
export function checkInside(schema: unknown, value: unknown, what: string): void {
  // A schema can have itself inside; an answer cannot.
  if (!isPlain(value)) return;
  for (const [name, member] of Object.entries(membersOf(schema) ?? {})) {
    const inside: unknown = Reflect.get(value, name);
    checkPresence(member, inside, `${what}, at ${name},`);
    checkInside(member, inside, `${what}, at ${name},`);
  }
}

function isList(schema: unknown): boolean {
  return Array.isArray(schema) || schema instanceof ArraySchema || schema instanceof Collection;
}

function unexpected(found: readonly string[], wanted: readonly string[], where: string): DataError {
  const isNull = found.some((name) => wanted.includes(name));
  const error = new DataError(
    'input-invalid',
    isNull
      ? `The response to ${where} has null as ${wanted.join(', ')}, where its schema says that there is a list. Answer with [], or put it there in process() of the endpoint.`
      : `The response to ${where} has ${found.join(', ')}, and not ${wanted.join(', ')} as its schema says. ` +
          'Name in the schema what the response has, or rename it in process() of the endpoint.',
  );
  error.status = 400;
  return error;
}

/**
 * Throws where a record that was created has no pk in the answer: it would keep its temporary one for ever. An answer that says nothing
 * is none.
 */
export function checkCreated(schema: unknown, value: unknown, args: readonly unknown[]): void {
  if (!(schema instanceof MemberChange) || !isPlain(value)) return;
  const content = schema.collection.schema;
  const { kinds } = content;
  const items: unknown[] = Array.isArray(value) ? value : content instanceof Values ? Object.values(value) : [value];
  for (const item of items) {
    if (!isPlain(item) || Object.keys(item).length === 0) continue;
    const entity: unknown = kinds.schemaOf(kinds.nameOf(item, undefined, undefined));
    if (!isEntity(entity)) continue;
    // A copy: it is processed once more when it is filed.
    const processed: unknown = entity.process({ ...item }, undefined, undefined, args) ?? item;
    if (pkOf(entity, processed, undefined, undefined, args) !== undefined) continue;
    const error = pkMissing(entity.key, item);
    error.status = 400;
    throw error;
  }
}
