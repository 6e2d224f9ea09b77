import { type EntityInterface, isEntity } from './entity.ts';
import { isObject } from './fields.ts';
import type { NormalizeDelegate, Row } from './schema.ts';
import { itemOf } from './shorthand.ts';

/** Told which fields of a record were looked at. */
export interface Looks {
  /** A field that the record has. */
  field(name: string): void;
  /** A field that neither the record nor its class has. */
  missing(name: string): void;
}

type Fields = Readonly<Record<string, unknown>>;

/**
 * A record while it is being filed, for rules that look at it: the fields of its row, the getters of its class, and the
 * records that it refers to, of which the pk is there even where nothing else is.
 */
export function viewOf(entity: EntityInterface, row: Row, delegate: NormalizeDelegate, looks: Looks): object {
  // Not over the row itself: what a proxy shows in the place of a frozen field has to be that field.
  return new Proxy(Object.create(entity.prototype) as object, {
    get(_target, name, receiver) {
      if (typeof name === 'string' && Object.hasOwn(row, name)) {
        looks.field(name);
        return related(entity.schema[name], (row as Fields)[name], delegate, looks);
      }
      if (typeof name === 'string' && !(name in entity.prototype)) looks.missing(name);
      return Reflect.get(entity.prototype, name, receiver) as unknown;
    },
  });
}

function related(schema: unknown, stored: unknown, delegate: NormalizeDelegate, looks: Looks): unknown {
  if (isEntity(schema) && typeof stored === 'string') {
    const row = delegate.getEntity(schema.key, stored);
    return viewOf(schema, isObject(row) ? row : { id: stored }, delegate, looks);
  }
  const item = Array.isArray(stored) ? itemOf(schema) : undefined;
  return item === undefined ? stored : (stored as unknown[]).map((one) => related(item, one, delegate, looks));
}
