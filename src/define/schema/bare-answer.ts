import { isPlain, type Fields } from '../../std/plain.ts';
import type { MemberChange } from './collection-change.ts';
import { type EntityInterface, isEntity } from './entity.ts';
import { isObject } from './fields.ts';
import { Invalidate } from './invalidate.ts';
import { ObjectSchema } from './object.ts';
import { pkIfAny } from './pk.ts';
import { isUnion } from './polymorphic.ts';

/** How many levels of an answer are searched for a record. */
const MAX_DEPTH = 3;
/** How many levels of a schema are searched. The limit ends the search in a schema that contains itself. */
const MAX_SCHEMA_DEPTH = 6;

/**
 * Returns whether the answer to a mutation has no data for its schema: it is empty, or only a word, such as `OK`, `1` or `{ ok: true }`.
 * Such an answer only confirms the mutation.
 */
export function isBareAnswer(schema: unknown, answer: unknown, args: readonly unknown[]): boolean {
  if (Object(schema) !== schema) return false;
  if (answer === undefined || answer === null || answer === '') return true;
  const entities = entitiesIn(schema);
  // A deletion may be answered with the pk of the record.
  if (!isObject(answer)) return !(schema instanceof Invalidate) && entities.length > 0;
  if (entities.length === 0 || !isPlain(answer)) return false;
  // PHP encodes an empty object as an empty list.
  if (Array.isArray(answer))
    return answer.every(isEmpty) && isOfOne(schema) && (answer.length > 0 || !Array.isArray(args.at(-1)));
  if (isEmpty(answer)) return !isOfMany(schema) || (Array.isArray(schema) && Array.isArray(args.at(-1)));
  const members = memberSchemas(schema);
  const hasMember =
    members !== undefined && membersWithRecords(members).some((name) => isGiven((answer as Fields)[name]));
  if (hasMember) return false;
  // The answer may have fields of the record that the arguments name, but not its pk. Then only a value inside of its other fields can be a record.
  const isPkOnlyInArgs = isOfRecord(schema) && !isNamedBy(entities, answer, args) && isNamedBy(entities, args[0], args);
  const otherFields = isPkOnlyInArgs
    ? Object.keys(answer).filter((name) => !entities.some((entity) => hasField(entity, name)))
    : undefined;
  const parts: readonly unknown[] = otherFields?.map((name) => Reflect.get(answer, name)) ?? [answer];
  return !parts.some((part) => hasRecord(part, entities, args, MAX_DEPTH));
}

function isEmpty(value: unknown): boolean {
  return isPlain(value) && Object.keys(value).length === 0;
}

/** Returns whether a schema describes one record: it is an entity or a union. */
function isOfRecord(schema: unknown): boolean {
  return isEntity(schema) || isUnion(schema);
}

/** Returns whether a value identifies a record of one of the classes. */
function isNamedBy(entities: readonly EntityInterface[], value: unknown, args: readonly unknown[]): boolean {
  return entities.some((entity) => hasPk(entity, value, args));
}

/** If an answer has the pk of its record, returns the other fields of the answer, without those of the record. Otherwise returns the answer. */
export function withoutRecord(schema: unknown, answer: unknown): unknown {
  const entity = entitiesIn(schema).find((one) => hasPk(one, answer, []));
  if (entity === undefined) return answer;
  return Object.fromEntries(Object.entries(answer as object).filter(([name]) => !hasField(entity, name)));
}

function isGiven(value: unknown): boolean {
  return value !== undefined && value !== null;
}

/** Returns whether a schema describes a list or a map, so that an empty object is valid data for it. */
function isOfMany(schema: unknown): boolean {
  return Array.isArray(schema) || (isObject(schema) && ('listOf' in schema || 'mapOf' in schema));
}

/** Returns whether a schema may describe one record. A schema that changes a collection takes one record or several. */
function isOfOne(schema: unknown): boolean {
  const { collection } = Object(schema) as { readonly collection?: unknown };
  return isOfRecord(schema) || collection !== undefined || schema instanceof Invalidate;
}

/** Returns the members of a schema that describes an object; `undefined` for any other schema. */
export function memberSchemas(schema: unknown): Fields | undefined {
  const members: unknown = schema instanceof ObjectSchema ? schema.schema : schema;
  return isPlain(members) && !Array.isArray(members) ? (members as Fields) : undefined;
}

/** Returns whether an answer is a list with nothing but the one record that a schema describes. */
export function isSoleRecord(schema: unknown, answer: unknown): boolean {
  const { isMap } = Object(schema) as { readonly isMap?: unknown };
  return Array.isArray(answer) && answer.length === 1 && isOfOne(schema) && isMap !== true;
}

/** Returns the names of the members that hold lists or records. */
export function membersWithRecords(members: Fields): string[] {
  return Object.keys(members).filter((name) => isObject(members[name]) || isEntity(members[name]));
}

/**
 * For the answer of a mutation that adds a record to lists, or removes it: returns the name of the member that has the record, if the answer
 * is not the record itself.
 */
export function memberWithRecord(change: MemberChange, answer: unknown, args: readonly unknown[]): string | undefined {
  if (change.isMap || !isPlain(answer) || Array.isArray(answer)) return undefined;
  const { kinds } = change.collection.schema;
  const entities = entitiesIn(change);
  // A record of a class that is not known is stored as it came.
  if (kinds.isNamedIn(answer) || entities.some((entity) => isRecordOf(entity, answer, args))) return undefined;
  return Object.keys(answer).find((name) => hasRecord((answer as Fields)[name], entities, args, MAX_DEPTH));
}

/** Returns the classes of the records in a schema. */
export function entitiesIn(schema: unknown, levels: number = MAX_SCHEMA_DEPTH): readonly EntityInterface[] {
  if (isEntity(schema)) return [schema];
  if (!isObject(schema) || levels === 0) return [];
  if (isPlain(schema)) return Object.values(schema).flatMap((inner) => entitiesIn(inner, levels - 1));
  const { collection, schema: inner } = schema;
  return entitiesIn(isObject(collection) ? collection['schema'] : inner, levels - 1);
}

/** Returns whether an answer contains a record: an object with a pk, or with a field of one of the classes. */
function hasRecord(
  value: unknown,
  entities: readonly EntityInterface[],
  args: readonly unknown[],
  levels: number,
): boolean {
  if (!isPlain(value) || levels === 0) return false;
  if (!Array.isArray(value) && entities.some((entity) => isRecordOf(entity, value, args))) return true;
  return Object.values(value).some((inner) => hasRecord(inner, entities, args, levels - 1));
}

/** Returns whether a value has a field of a class, or its pk. */
function isRecordOf(entity: EntityInterface, value: object, args: readonly unknown[]): boolean {
  return Object.keys(value).some((name) => hasField(entity, name)) || hasPk(entity, value, args);
}

function hasField({ defaults, schema }: EntityInterface, name: string): boolean {
  return Object.hasOwn(defaults as object, name) || Object.hasOwn(schema, name);
}

function hasPk(entity: EntityInterface, value: unknown, args: readonly unknown[]): boolean {
  if (!isPlain(value)) return false;
  try {
    // A copy, because `process` may change the object, and runs again when the record is stored.
    const processed: unknown = entity.process({ ...value }, undefined, undefined, args);
    return isPlain(processed) && pkIfAny(entity.pk(processed, undefined, undefined, args)) !== undefined;
  } catch {
    // The hooks of the class expect a record, and may throw for any other value.
    return false;
  }
}
