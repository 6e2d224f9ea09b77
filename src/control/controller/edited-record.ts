import { isEntity } from '../../define/schema/entity.ts';
import { isObject } from '../../define/schema/fields.ts';
import { pkOfPart } from '../../define/schema/pk.ts';
import type { Store } from '../../state/store/store.ts';

/**
 * Returns a record that was made from `before`, without the fields that no answer contained. In the records that components read, these fields
 * have the defaults of the class. If a default was stored, its field would count as loaded.
 */
export function withoutDefaults(store: Store, schema: unknown, before: unknown, next: unknown): unknown {
  if (!isEntity(schema) || !isObject(before) || !isObject(next)) return next;
  const pk = pkOfPart(schema, next, []);
  const { confirmed, reading } = store.writer.core;
  const cell = pk === undefined ? undefined : reading.space.tables.get(schema.key)?.find(pk);
  // Of a record that is being created, only the guess is known.
  const row = cell && (confirmed(cell).row ?? cell.row);
  if (!isObject(row)) return next;
  const isKept = ([name, value]: [string, unknown]): boolean =>
    Object.hasOwn(row, name) || !Object.is(value, before[name]);
  return Object.fromEntries(Object.entries(next).filter(isKept));
}
