import { DataError } from '../../std/data-error.ts';
import { ObjectSchema } from './object.ts';
import type { SchemaSimple } from './schema.ts';

/** The schema that `{ field: S }` is short for; any other schema as it is. */
export function schemaOf(schema: object): SchemaSimple {
  return isSchemaSimple(schema) ? schema : new ObjectSchema(schema as Readonly<Record<string, unknown>>);
}

function isSchemaSimple(schema: object): schema is SchemaSimple {
  return 'normalize' in schema && typeof schema.normalize === 'function';
}

/** The schema of the items that `[S]` is short for. */
export function onlyItem(list: readonly unknown[]): unknown {
  if (list.length === 1) return list[0];
  throw new DataError(
    'array-shorthand-invalid',
    `A list in a schema takes one entry, not ${list.length}. For items of several kinds use a Union.`,
  );
}

/** The schema of the items of a list, given as `[S]` or as a schema that is nothing but a list. */
export function itemOf(list: object): unknown {
  return Array.isArray(list) ? onlyItem(list) : schemaOf(list).listOf;
}
