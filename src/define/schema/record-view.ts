import { convertOf } from './convert.ts';
import { type EntityInterface, isEntity } from './entity.ts';
import { isObject, reservedOf } from './fields.ts';
import type { DenormalizeDelegate, NormalizeDelegate, Row, RowSchema } from './schema.ts';
import { onlyItem, schemaOf } from './shorthand.ts';

/** What a rule has met while it looked at a record. */
export interface Watch {
  /** A field was asked for of which neither the record nor a getter of its class says anything. */
  missing(): void;
  /** A related record was asked for a field other than its `id`; a row that is no record, as a whole. */
  looked(table: string, pk: string, field?: string): void;
}

/** Where a view finds other rows. */
export type RowAccess = Pick<NormalizeDelegate, 'getEntity'>;

/**
 * A record while it is being filed, for rules that look at it, as it is read: the fields of its row, in the form that its schema gives
 * them, the defaults and getters of its class, and the records that it refers to, of which the pk is there even where nothing
 * else is.
 */
export function viewOf(entity: EntityInterface, row: Row, rows: RowAccess, watch: Watch): object {
  return new RecordViews(rows, watch).of(entity, row);
}

class RecordViews implements DenormalizeDelegate {
  readonly args: readonly unknown[] = [];
  readonly #rows: RowAccess;
  readonly #watch: Watch;

  constructor(rows: RowAccess, watch: Watch) {
    this.#rows = rows;
    this.#watch = watch;
  }

  /** `pk` is that of a related record. */
  of(entity: EntityInterface, row: Row, pk?: string): object {
    const { prototype } = entity;
    const reserved = reservedOf(prototype);
    const ask = (name: string, receiver: unknown): unknown => {
      if (pk !== undefined && name !== 'id' && !reserved.has(name)) this.#watch.looked(entity.key, pk, name);
      if (Object.hasOwn(row, name) && !reserved.has(name))
        return this.unvisit(entity.schema[name], Reflect.get(row, name));
      if (Object.hasOwn(entity.defaults as object, name)) {
        this.#watch.missing();
        return Reflect.get(entity.defaults as object, name);
      }
      if (!(name in prototype)) this.#watch.missing();
      return Reflect.get(prototype, name, receiver);
    };
    // Not over the row itself: what a proxy shows in the place of a frozen field has to be that field.
    return new Proxy(Object.create(prototype) as object, {
      get: (_target, name, receiver) =>
        typeof name === 'string' ? ask(name, receiver) : (Reflect.get(prototype, name, receiver) as unknown),
      has: (_target, name) => name in row || name in (entity.defaults as object),
    });
  }

  unvisit(schema: unknown, stored: unknown): unknown {
    if (Object(schema) !== schema || stored === undefined || stored === null) return stored;
    if (isEntity(schema)) return typeof stored === 'string' ? this.#related(schema, stored) : stored;
    if (typeof schema === 'function') return convertOf(schema)(stored);
    if (Array.isArray(schema) && Array.isArray(stored)) return stored.map((one) => this.unvisit(onlyItem(schema), one));
    const { keepsRows, key, schema: inner } = schema as Partial<RowSchema>;
    // The list of a record is a row of its own.
    if (keepsRows === true) return this.unvisit(inner, this.getEntity(String(key), stored as string));
    return schemaOf(schema as object).denormalize(stored, this);
  }

  #related(entity: EntityInterface, pk: string): object {
    const row = this.#rows.getEntity(entity.key, pk);
    return this.of(entity, isObject(row) ? row : { id: pk }, pk);
  }

  getEntity(table: string, pk: string): ReturnType<NormalizeDelegate['getEntity']> {
    this.#watch.looked(table, pk);
    return this.#rows.getEntity(table, pk);
  }

  /** It is not known which of several values a reader will ask for. */
  argsKey(): undefined {
    this.#watch.missing();
  }
}
