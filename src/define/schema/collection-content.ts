import { DataError } from '../../std/data-error.ts';
import { inDevelopment } from '../../std/development.ts';
import { ArraySchema } from './array.ts';
import { isEntity } from './entity.ts';
import { listTable } from './list-table.ts';
import { isUnion } from './polymorphic.ts';
import { onlyItem } from './shorthand.ts';
import { Values } from './values.ts';

/** Returns the schema of the list or map that a collection was given. */
export function contentOf(schema: unknown): ArraySchema | Values {
  const content = Array.isArray(schema) ? new ArraySchema(onlyItem(schema)) : schema;
  if (content instanceof ArraySchema || content instanceof Values) return content;
  throw contentInvalid('it is no list and no map');
}

/** Returns the name of the table with the lists of a content. Throws if its members are not records. */
export function tableKey({ kinds }: ArraySchema | Values, isMap: boolean): string {
  const key = listTable(kinds, isMap);
  if (key !== undefined) return key;
  const [name = 'its item', kind] = kinds.entries().find(([, one]) => !isEntity(one)) as [string | undefined, unknown];
  throw contentInvalid(`${name} is ${isUnion(kind) ? 'a Union inside a Union' : 'not an entity'}`);
}

/** Creates the error for a collection whose members should be sorted by an order that it does not have. */
export function orderMissing(table: string): DataError {
  return new DataError('list-order-missing', `The collection ${table} has create: 'sorted' and no orderBy.`, {
    entity: table,
    cure: inDevelopment(() => "Add orderBy, or use create: 'first' or 'last'."),
  });
}

function contentInvalid(why: string): DataError {
  return new DataError('collection-schema-invalid', `The schema of a Collection is not valid: ${why}.`, {
    cure: inDevelopment(
      () => 'Pass [Entity], or a schema.Array or Values of entities, or of one Union with all classes.',
    ),
  });
}
