import { type EntityInterface, isEntity } from '../../define/schema/entity.ts';
import { isObject } from '../../define/schema/fields.ts';
import { pkOfPart } from '../../define/schema/pk.ts';
import type { Kinds } from '../../define/schema/polymorphic.ts';
import type { Store } from '../../state/store/store.ts';

/**
 * Returns a record that was made from `before`, without the fields that no answer contained, and without unchanged related records. In the records
 * that components read, these fields have the defaults of the class. If a default was stored, its field would count as loaded.
 */
export function withoutDefaults(store: Store, schema: unknown, before: unknown, next: unknown): unknown {
  if (Array.isArray(before) && Array.isArray(next)) return withPks(store, schema, before, next);
  if (!isEntity(schema) || !isObject(before) || !isObject(next)) return next;
  const pk = pkOfPart(schema, next, []);
  const { confirmed, reading } = store.writer.core;
  const { planOf, tables } = reading.space;
  const cell = pk === undefined ? undefined : tables.get(schema.key)?.find(pk);
  // Of a record that is being created, only the guess is known.
  const row = cell && (confirmed(cell).row ?? cell.row);
  if (!isObject(row)) return next;
  const plan = planOf(schema);
  const hooks = plan.kind === 'entity' ? plan.hooks : undefined;
  const isChanged = (name: string): boolean => !Object.is(next[name], before[name]);
  const known = Object.entries(next).filter(([name]) => isChanged(name) || Object.hasOwn(row, name));
  const parts = known
    .filter(([name]) => isChanged(name) || !Object.hasOwn(schema.schema, name))
    .map(([name, value]) => [name, relatedPart(store, schema.schema[name], value)] as const);
  const changed = Object.fromEntries(parts);
  // Hooks of the class get the whole record, and its pk can be made of related ones.
  const isNeeded = [hooks?.isProcessing, hooks?.merge, hooks?.validate].includes(true);
  return isNeeded || pkOfPart(schema, changed, []) !== pk ? Object.fromEntries(known) : changed;
}

/** Returns a list with the pks of the records that the former list had. A record of one of several classes has no pk that tells its class. */
function withPks(store: Store, schema: unknown, before: readonly unknown[], next: readonly unknown[]): unknown {
  const { kinds, schema: content } = Object(schema) as { readonly kinds?: Kinds; readonly schema?: unknown };
  const all = kinds ?? (Object(content) as { readonly kinds?: Kinds }).kinds;
  const entity = all?.isPolymorphic === false ? all.schema : undefined;
  if (!isEntity(entity)) return next;
  const known = new Set(before);
  return next.map((record) => {
    const pk = known.has(record) ? pkOfPart(entity, record, []) : undefined;
    return pk !== undefined && isObject(store.row(entity.key, pk)) ? pk : relatedPart(store, entity, record);
  });
}

/** Returns what is written for a related record, or a list of them: for a record that was read its pk, for a copy of one its fields without defaults. */
function relatedPart(store: Store, schema: unknown, value: unknown): unknown {
  if (Array.isArray(value) && Array.isArray(schema)) return value.map((one) => relatedPart(store, schema[0], one));
  const pk = isEntity(schema) && isObject(value) ? pkOfPart(schema, value, []) : undefined;
  if (pk === undefined) return value;
  const known: unknown = store.get(schema as EntityInterface, pk);
  return known === value ? pk : withoutDefaults(store, schema, known, value);
}
