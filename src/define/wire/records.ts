import { DataError } from '../../std/data-error.ts';
import { isPlain, type Fields } from '../../std/plain.ts';
import { collectionIn } from '../rest/collection-in.ts';
import type { WireEndpoint } from '../rest/wire-shape.ts';
import { ArraySchema } from '../schema/array.ts';
import { type EntityInterface, isEntity } from '../schema/entity.ts';
import { MemberSchema } from '../schema/collection-change.ts';
import { pkIfAny } from '../schema/pk.ts';
import { Kinds } from '../schema/polymorphic.ts';

/** Returns whether an endpoint answers with a list, or with a page of a list. */
export function isListed({ schema }: WireEndpoint): boolean {
  const isPage = isFields(schema) && 'items' in schema;
  return Array.isArray(schema) || schema instanceof ArraySchema || isPage || collectionIn(schema) !== undefined;
}

/** Returns the entity class of the records in a schema, if the schema has one. */
export function entityIn(schema: unknown): EntityInterface | undefined {
  if (isEntity(schema)) return schema;
  if (Array.isArray(schema)) return entityIn(schema[0]);
  if (schema instanceof MemberSchema) return entityIn(schema.collection.schema);
  const collection = isFields(schema) ? collectionIn(schema) : undefined;
  const inner: unknown = (collection ?? (Object(schema) as { readonly schema?: unknown })).schema;
  return inner === undefined || inner === schema ? undefined : entityIn(inner);
}

/** Returns the class of this record if the schema has records of several classes. */
export function recordKind(schema: unknown, record: object): EntityInterface | undefined {
  if (Array.isArray(schema)) return recordKind(schema[0], record);
  if (schema instanceof MemberSchema) return recordKind(schema.collection.schema, record);
  const collection = collectionIn(schema);
  if (collection !== undefined) return recordKind(collection.schema, record);
  const { isUnion, kinds } = Object(schema) as { readonly isUnion?: unknown; readonly kinds?: Kinds };
  const known = isUnion === true ? new Kinds(schema) : kinds;
  const kind = known?.isPolymorphic ? known.schemaOf(known.kindNameIn(record) ?? '') : undefined;
  return isEntity(kind) ? kind : undefined;
}

/** Returns the pk of a value as a record of `entity`, or `undefined` if it has none. */
export function pkIn(entity: EntityInterface | undefined, value: unknown): string | undefined {
  if (entity === undefined || typeof value !== 'object' || value === null) return undefined;
  try {
    return pkIfAny(entity.pk(value, undefined, undefined, []));
  } catch {
    // The `pk()` of the class expects a record, and may throw for any other value.
    return undefined;
  }
}

/** Returns whether a value is an object with fields, as JSON has them. */
export function isFields(value: unknown): value is Fields {
  return isPlain(value) && !Array.isArray(value);
}

/** Returns the value at a path: the name of a field, or of nested fields, as `meta.total`. */
export function valueAt(value: unknown, path: string): unknown {
  if (!isFields(value)) return undefined;
  if (Object.hasOwn(value, path)) return value[path];
  const dot = path.indexOf('.');
  return dot < 0 ? undefined : valueAt(value[path.slice(0, dot)], path.slice(dot + 1));
}

/** Returns an object that holds `value` at a path, such as `meta.total`. */
export function wrappedAt(path: string, value: unknown): object {
  return path.split('.').reduceRight<unknown>((inner, name) => ({ [name]: inner }), value) as object;
}

/** Returns a body in which `write` has converted its record, or each of its records. */
export function mapRecords(body: object, write: (record: Fields) => object): object {
  return Array.isArray(body) ? body.map((record) => write(record as Fields)) : write(body as Fields);
}

/** Describes a value for an error message: the names of its fields, or its type. */
export function describeValue(value: unknown): string {
  if (Array.isArray(value)) return 'a list';
  if (isFields(value)) {
    const names = Object.entries(value).map(([name, inner]) => (inner === null ? `${name}: null` : name));
    return `{ ${names.join(', ')} }`;
  }
  return typeof value === 'string' ? `the text ${JSON.stringify(value.slice(0, 40))}` : String(value);
}

/** Creates the error for an answer that does not have the shape its wire expects. */
export function answerUnexpected(endpoint: WireEndpoint, answer: unknown, cure: string): DataError {
  const error = new DataError(
    'input-invalid',
    `${endpoint.method} ${endpoint.name} was answered with ${describeValue(answer)}. ${cure}`,
  );
  error.status = 400;
  return error;
}
