import { DataError } from '../../std/data-error.ts';
import { inDevelopment } from '../../std/development.ts';
import { ObjectSchema } from './object.ts';
import type { SchemaSimple } from './schema.ts';

/** Returns the schema for the short form `{ field: S }`. Returns any other schema as it is. */
export function schemaOf(schema: object): SchemaSimple {
  return isSchemaSimple(schema) ? schema : new ObjectSchema(schema as Readonly<Record<string, unknown>>);
}

function isSchemaSimple(schema: object): schema is SchemaSimple {
  return 'normalize' in schema && typeof schema.normalize === 'function';
}

/** Returns the schema of the items in the short form `[S]`. */
export function onlyItem(list: readonly unknown[]): unknown {
  if (list.length === 1) return list[0];
  throw new DataError('array-shorthand-invalid', `A list in a schema takes one entry, not ${list.length}.`, {
    cure: inDevelopment(() => 'For items of several kinds use a Union.'),
  });
}

/** Returns the schema of the items of a list, given as `[S]` or as a list schema. */
export function itemOf(list: object): unknown {
  return Array.isArray(list) ? onlyItem(list) : schemaOf(list).listOf;
}
