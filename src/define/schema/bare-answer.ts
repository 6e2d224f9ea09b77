import { isPlain, type Fields } from '../../std/plain.ts';
import { type EntityInterface, isEntity } from './entity.ts';
import { isObject } from './fields.ts';
import { Invalidate } from './invalidate.ts';
import { ObjectSchema } from './object.ts';
import { pkIfAny } from './pk.ts';

/** How deep an answer is searched for a record. */
const DEEPEST = 3;
/** How deep a schema is; it may have itself inside. */
const DEEPEST_SCHEMA = 6;

/**
 * Whether the answer to a mutation says nothing of the records that its schema stands for: it has no body, or only a word, such as
 * `OK`, `1` or `{ ok: true }`. All that such an answer says is yes.
 */
export function isBareAnswer(schema: unknown, answer: unknown, args: readonly unknown[]): boolean {
  if (Object(schema) !== schema) return false;
  if (answer === undefined || answer === null || answer === '') return true;
  const entities = entitiesIn(schema);
  // A deletion takes a pk for its record.
  if (!isObject(answer)) return !(schema instanceof Invalidate) && entities.length > 0;
  if (entities.length === 0 || !isPlain(answer)) return false;
  // PHP writes an empty object as an empty list.
  if (Array.isArray(answer)) return answer.length === 0 && isOfOne(schema) && !Array.isArray(args.at(-1));
  if (Object.keys(answer).length === 0) return !isOfMany(schema);
  const members = membersOf(schema);
  const isNamed = members !== undefined && wantedIn(members).some((name) => isThere((answer as Fields)[name]));
  return !isNamed && !hasRecord(answer, entities, args, DEEPEST);
}

function isThere(value: unknown): boolean {
  return value !== undefined && value !== null;
}

/** Whether an empty object is what a schema may stand for: a map, or a list, that has no members. */
function isOfMany(schema: unknown): boolean {
  return Array.isArray(schema) || (isObject(schema) && ('listOf' in schema || 'mapOf' in schema));
}

/** Whether a schema stands for one record, as far as it says: what changes a list can be sent one, or several. */
function isOfOne(schema: unknown): boolean {
  const { collection, isUnion } = Object(schema) as { readonly collection?: unknown; readonly isUnion?: unknown };
  return isEntity(schema) || isUnion === true || collection !== undefined || schema instanceof Invalidate;
}

/** The members of a schema that describes an object. */
export function membersOf(schema: unknown): Fields | undefined {
  const members: unknown = schema instanceof ObjectSchema ? schema.schema : schema;
  return isPlain(members) && !Array.isArray(members) ? (members as Fields) : undefined;
}

/** The names of the members that stand for lists and records, and not for plain values. */
export function wantedIn(members: Fields): string[] {
  return Object.keys(members).filter((name) => isObject(members[name]) || isEntity(members[name]));
}

/** The classes of the records that a schema stands for, or that are in the object that it describes. */
function entitiesIn(schema: unknown, levels: number = DEEPEST_SCHEMA): readonly EntityInterface[] {
  if (isEntity(schema)) return [schema];
  if (!isObject(schema) || levels === 0) return [];
  if (isPlain(schema)) return Object.values(schema).flatMap((inner) => entitiesIn(inner, levels - 1));
  const { collection, schema: inner } = schema;
  return entitiesIn(isObject(collection) ? collection['schema'] : inner, levels - 1);
}

/** Whether there is a record in an answer: something with a pk, or with a field that a class has. */
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

function isRecordOf(entity: EntityInterface, value: object, args: readonly unknown[]): boolean {
  const { defaults, schema } = entity;
  if (Object.keys(value).some((name) => Object.hasOwn(defaults as object, name) || Object.hasOwn(schema, name)))
    return true;
  try {
    // A copy: it is processed once more when it is filed.
    const processed: unknown = entity.process({ ...value }, undefined, undefined, args);
    return isPlain(processed) && pkIfAny(entity.pk(processed, undefined, undefined, args)) !== undefined;
  } catch {
    // It was written for records.
    return false;
  }
}
