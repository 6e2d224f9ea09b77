import { type EntityInterface, isEntity } from './entity.ts';
import { isObject } from './fields.ts';
import type { NormalizeDelegate, Row } from './schema.ts';
import { itemOf } from './shorthand.ts';

type Fields = Readonly<Record<string, unknown>>;

/**
 * A record while it is being filed, for rules that look at it: the fields of its row, the getters of its class, and the
 * records that it refers to, of which the pk is there even where nothing else is. `missing` is told when a field is asked for that
 * neither the record nor its class has.
 */
export function viewOf(entity: EntityInterface, row: Row, delegate: NormalizeDelegate, missing: () => void): object {
  // Not over the row itself: what a proxy shows in the place of a frozen field has to be that field.
  return new Proxy(Object.create(entity.prototype) as object, {
    get(_target, name, receiver) {
      if (typeof name === 'string' && Object.hasOwn(row, name)) {
        return related(entity.schema[name], (row as Fields)[name], delegate, missing);
      }
      if (typeof name === 'string' && !(name in entity.prototype)) missing();
      return Reflect.get(entity.prototype, name, receiver) as unknown;
    },
  });
}

function related(schema: unknown, stored: unknown, delegate: NormalizeDelegate, missing: () => void): unknown {
  if (isEntity(schema) && typeof stored === 'string') {
    const row = delegate.getEntity(schema.key, stored);
    return viewOf(schema, isObject(row) ? row : { id: stored }, delegate, missing);
  }
  const item = Array.isArray(stored) ? itemOf(schema) : undefined;
  return item === undefined ? stored : (stored as unknown[]).map((one) => related(item, one, delegate, missing));
}
