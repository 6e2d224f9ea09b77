import type { StoredRows } from '../../define/endpoint/options.ts';
import { Collection } from '../../define/schema/collection.ts';
import type { Entity, EntityInterface } from '../../define/schema/entity.ts';
import { isObject } from '../../define/schema/fields.ts';
import { Lazy } from '../../define/schema/lazy.ts';
import { hasPk, recordExpected } from '../../define/schema/key-of.ts';
import { Kinds } from '../../define/schema/polymorphic.ts';
import { INVALID } from '../../define/schema/row.ts';
import { inDevelopment } from '../../std/development.ts';

/** The fields of a record that can refer to others. */
type RefField<Owner> = {
  [field in keyof Owner]-?: Owner[field] extends (...args: never) => unknown
    ? never
    : Extract<Owner[field], object> extends never
      ? never
      : field;
}[keyof Owner] &
  string;

/** The pks in a field of references: a list for lists and maps, otherwise one. */
export type Refs<Value> =
  Extract<Value, readonly unknown[]> extends never
    ? string extends keyof Extract<Value, object>
      ? readonly string[]
      : string | undefined
    : readonly string[];

/**
 * Returns the pks in a field of references, in order, without deleted records. It also has the pks of records that are not loaded, which the
 * value of the field leaves out. Use it for forms that send which records are selected, and in `getOptimisticResponse` with its snapshot.
 */
export function refsOf<Owner extends Pick<Entity, 'pk'>, Field extends RefField<Owner>>(
  { store }: { readonly store: StoredRows },
  record: Owner,
  field: Field,
): Refs<Owner[Field]> {
  if (!hasPk(record))
    throw recordExpected(
      'refsOf()',
      record,
      inDevelopment(
        () => `refsOf(controller, controller.get(Class, id), '${(field as string | undefined) ?? 'author'}')`,
      ),
    );
  const entity = record.constructor as unknown as EntityInterface;
  const row = store.row(entity.key, store.pkOf(entity.key, String(record.pk())));
  const found = isObject(row) ? pksIn(store, entity.schema[field], row[field]) : undefined;
  const value: unknown = record[field];
  const isMany = isObject(value) && !('pk' in value);
  return (found ?? (isMany ? [] : undefined)) as Refs<Owner[Field]>;
}

/** Returns the pks in the stored value of a field: a list for lists and maps, otherwise one. */
function pksIn(store: StoredRows, schema: unknown, stored: unknown): readonly string[] | string | undefined {
  if (schema === undefined) return undefined;
  if (schema instanceof Lazy) return pksIn(store, schema.schema, stored);
  if (schema instanceof Collection)
    return typeof stored === 'string' ? pksIn(store, schema.schema, store.row(schema.key, stored)) : undefined;
  const kinds = kindsOf(schema);
  const one = (ref: unknown): string | undefined => {
    const target = kinds.refOf(ref);
    if (target === undefined || target.pk === '') return undefined;
    const pk = store.pkOf(target.table, target.pk);
    return store.row(target.table, pk) === INVALID ? undefined : pk;
  };
  const isMany = Array.isArray(stored) || (isObject(stored) && !kinds.isRef(stored));
  if (!isMany) return one(stored);
  return Object.values(stored).flatMap((ref) => one(ref) ?? []);
}

/** Returns the entities that the members of a schema can be. */
function kindsOf(schema: unknown): Kinds {
  const { kinds } = Object(schema) as { readonly kinds?: Kinds };
  const item: unknown = Array.isArray(schema) ? schema[0] : schema;
  return kinds ?? new Kinds(item);
}
