import { isPlain } from '../../std/plain.ts';
import type { Collection } from '../schema/collection.ts';
import { isCollection } from '../schema/collection-schema.ts';
import { ObjectSchema } from '../schema/object.ts';
import { Query } from '../schema/query.ts';

/** Returns the first collection in a schema: the schema itself, or a member of an object schema. */
export function collectionIn(schema: unknown): Collection | undefined {
  let found: Collection | undefined;
  replaceCollection(schema, (collection) => (found = collection));
  return found;
}

/** Returns a schema with its first collection replaced, or `undefined` if it has no collection. */
export function replaceCollection(schema: unknown, replace: (collection: Collection) => unknown): unknown {
  if (isCollection(schema)) return replace(schema);
  if (schema instanceof Query || schema instanceof ObjectSchema) {
    const inner = replaceCollection(schema.schema, replace);
    if (inner === undefined) return undefined;
    return schema instanceof Query ? new Query(inner, schema.process) : new ObjectSchema(inner as typeof schema.schema);
  }
  // The members of other schemas are not searched.
  if (!isPlain(schema) || Array.isArray(schema)) return undefined;
  for (const [name, member] of Object.entries(schema)) {
    const replaced = replaceCollection(member, replace);
    if (replaced !== undefined) return { ...schema, [name]: replaced };
  }
  return undefined;
}
