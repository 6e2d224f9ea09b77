import { DataError } from '../../std/data-error.ts';
import { ArraySchema } from './array.ts';
import { ObjectSchema } from './object.ts';
import type { SchemaSimple } from './schema.ts';

const known = new WeakMap<object, SchemaSimple>();

/** The schema that `[S]` or `{ field: S }` is short for, the same one each time; any other schema as it is. */
export function schemaOf(schema: object): SchemaSimple {
  if (isSchemaSimple(schema)) return schema;
  const found = known.get(schema);
  if (found !== undefined) return found;
  const made = Array.isArray(schema) ? new ArraySchema(onlyItem(schema)) : new ObjectSchema(schema as Members);
  known.set(schema, made);
  return made;
}

type Members = Readonly<Record<string, unknown>>;

function isSchemaSimple(schema: object): schema is SchemaSimple {
  return 'normalize' in schema && typeof schema.normalize === 'function';
}

function onlyItem(list: readonly unknown[]): unknown {
  if (list.length === 1) return list[0];
  throw new DataError(
    'array-shorthand-invalid',
    `A list in a schema takes one entry, not ${list.length}. For items of several kinds use a Union.`,
  );
}
