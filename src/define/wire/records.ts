import { DataError } from '../../std/data-error.ts';
import { isPlain, type Fields } from '../../std/plain.ts';
import { collectionIn } from '../rest/collection-in.ts';
import type { WireEndpoint } from '../rest/wire-shape.ts';
import { ArraySchema } from '../schema/array.ts';
import { type EntityInterface, isEntity } from '../schema/entity.ts';
import { MemberSchema } from '../schema/collection-change.ts';
import { pkIfAny } from '../schema/pk.ts';
import { Kinds } from '../schema/polymorphic.ts';

/** Whether an endpoint answers with a list, or with a page of one. */
export function isListed({ schema }: WireEndpoint): boolean {
  const isPage = isFields(schema) && 'items' in schema;
  return Array.isArray(schema) || schema instanceof ArraySchema || isPage || collectionIn(schema) !== undefined;
}

/** The entity that a schema has records of, where there is one. */
export function entityIn(schema: unknown): EntityInterface | undefined {
  if (isEntity(schema)) return schema;
  if (Array.isArray(schema)) return entityIn(schema[0]);
  if (schema instanceof MemberSchema) return entityIn(schema.collection.schema);
  const collection = isFields(schema) ? collectionIn(schema) : undefined;
  const inner: unknown = (collection ?? (Object(schema) as { readonly schema?: unknown })).schema;
  return inner === undefined || inner === schema ? undefined : entityIn(inner);
}

/** The class of a record, where a schema has records of several kinds. */
export function kindOf(schema: unknown, record: object): EntityInterface | undefined {
  if (Array.isArray(schema)) return kindOf(schema[0], record);
  if (schema instanceof MemberSchema) return kindOf(schema.collection.schema, record);
  const collection = collectionIn(schema);
  if (collection !== undefined) return kindOf(collection.schema, record);
  const { isUnion, kinds } = Object(schema) as { readonly isUnion?: unknown; readonly kinds?: Kinds };
  const known = isUnion === true ? new Kinds(schema) : kinds;
  const kind = known?.isPolymorphic ? known.schemaOf(known.askedOf(record) ?? '') : undefined;
  return isEntity(kind) ? kind : undefined;
}

/** The pk that a value has as a record of an entity. */
export function pkIn(entity: EntityInterface | undefined, value: unknown): string | undefined {
  if (entity === undefined || typeof value !== 'object' || value === null) return undefined;
  try {
    return pkIfAny(entity.pk(value, undefined, undefined, []));
  } catch {
    // It was written for records, and this may be anything.
    return undefined;
  }
}

/** Whether a value is an object with fields, as JSON has them. */
export function isFields(value: unknown): value is Fields {
  return isPlain(value) && !Array.isArray(value);
}

/** What is in a place: a field, or one within others, as in `meta.total`. */
export function placeIn(value: unknown, place: string): unknown {
  if (!isFields(value)) return undefined;
  if (Object.hasOwn(value, place)) return value[place];
  const dot = place.indexOf('.');
  return dot < 0 ? undefined : placeIn(value[place.slice(0, dot)], place.slice(dot + 1));
}

/** An object with a value in a place: a field, or one within others. */
export function putIn(place: string, value: unknown): object {
  return place.split('.').reduceRight<unknown>((inner, name) => ({ [name]: inner }), value) as object;
}

/** A value in words: the names of its fields, or what it is. */
export function shown(value: unknown): string {
  if (Array.isArray(value)) return 'a list';
  if (isFields(value)) {
    const names = Object.entries(value).map(([name, inner]) => (inner === null ? `${name}: null` : name));
    return `{ ${names.join(', ')} }`;
  }
  return typeof value === 'string' ? `the text ${JSON.stringify(value.slice(0, 40))}` : String(value);
}

/** The error for an answer of another shape than its wire says. */
export function answerUnexpected(endpoint: WireEndpoint, answer: unknown, cure: string): DataError {
  const error = new DataError(
    'input-invalid',
    `${endpoint.method} ${endpoint.name} was answered with ${shown(answer)}. ${cure}`,
  );
  error.status = 400;
  return error;
}
