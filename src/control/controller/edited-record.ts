import { isEntity } from '../../define/schema/entity.ts';
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
  const fieldsOf = (isWhole: boolean): object =>
    Object.fromEntries(
      Object.entries(next).filter(
        ([name, value]) =>
          !Object.is(value, before[name]) ||
          (Object.hasOwn(row, name) && (isWhole || !Object.hasOwn(schema.schema, name))),
      ),
    );
  const changed = fieldsOf(false);
  // Hooks of the class get the whole record, and its pk can be made of related ones.
  const isNeeded = [hooks?.isProcessing, hooks?.merge, hooks?.validate].includes(true);
  return isNeeded || pkOfPart(schema, changed, []) !== pk ? fieldsOf(true) : changed;
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
    return pk !== undefined && isObject(store.row(entity.key, pk)) ? pk : record;
  });
}
