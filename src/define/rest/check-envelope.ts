import { DataError } from '../../std/data-error.ts';
import { inDevelopment } from '../../std/development.ts';
import { isPlain } from '../../std/plain.ts';
import { isEntity } from '../schema/entity.ts';
import { pkMissing, pkOf } from '../schema/pk.ts';
import { memberSchemas, membersWithRecords } from '../schema/bare-answer.ts';
import { isCollection, isMemberChange } from '../schema/collection-schema.ts';

/**
 * Throws if a response has none of the lists and records that its object schema names, but has other fields. Without the error, all lists
 * and records would silently be missing. A list that is `null` counts as missing.
 */
export function checkPresence(schema: unknown, value: unknown, what: string): void {
  const members = memberSchemas(schema);
  if (members === undefined || !isPlain(value) || Array.isArray(value)) return;
  const wanted = membersWithRecords(members);
  const fields = value as Readonly<Record<string, unknown>>;
  const found = Object.keys(fields);
  const isThere = (name: string): boolean =>
    Object.hasOwn(fields, name) && !(fields[name] === null && isList(members[name]));
  if (wanted.length === 0 || found.length === 0) return;
  if (!wanted.some(isThere)) throw unexpected(found, wanted, what);
}

/** As `checkPresence`, for the objects nested in a response. */
export function checkInside(schema: unknown, value: unknown, what: string): void {
  // A schema may contain itself, but a response cannot, so the recursion ends with the response.
  if (!isPlain(value)) return;
  for (const [name, member] of Object.entries(memberSchemas(schema) ?? {})) {
    const inside: unknown = Reflect.get(value, name);
    checkPresence(member, inside, `${what}, at ${name},`);
    checkInside(member, inside, `${what}, at ${name},`);
  }
}

function isList(schema: unknown): boolean {
  return Array.isArray(schema) || 'listOf' in Object(schema) || isCollection(schema);
}

function unexpected(found: readonly string[], wanted: readonly string[], where: string): DataError {
  const isNull = found.some((name) => wanted.includes(name));
  const error = new DataError(
    'input-invalid',
    isNull
      ? `The response to ${where} has null as ${wanted.join(', ')}, but its schema has a list there.`
      : `The response to ${where} has ${found.join(', ')}, but its schema has ${wanted.join(', ')}.`,
    {
      cure: inDevelopment(() =>
        isNull
          ? 'Send [], or add it in process() of the endpoint.'
          : 'Correct the schema, or rename the fields in process() of the endpoint.',
      ),
    },
  );
  error.status = 400;
  return error;
}

/**
 * Throws if the answer has no pk for a created record, which would otherwise keep its temporary pk for ever. An empty answer is allowed.
 */
export function checkCreated(schema: unknown, value: unknown, args: readonly unknown[]): void {
  if (!isMemberChange(schema) || !isPlain(value)) return;
  const { kinds } = schema.collection.schema;
  const items: unknown[] = Array.isArray(value) ? value : schema.isMap ? Object.values(value) : [value];
  for (const item of items) {
    if (!isPlain(item) || Object.keys(item).length === 0) continue;
    const entity: unknown = kinds.schemaOf(kinds.kindNameIn(item));
    if (!isEntity(entity)) continue;
    // A copy, because `process` may change the object, and runs again when the record is stored.
    const processed: unknown = entity.process({ ...item }, undefined, undefined, args) ?? item;
    if (pkOf(entity, processed, undefined, undefined, args) !== undefined) continue;
    const error = pkMissing(entity.key, item);
    error.status = 400;
    throw error;
  }
}
