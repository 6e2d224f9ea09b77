import { convertOf } from './convert.ts';
import { type EntityInterface, isEntity } from './entity.ts';
import { isObject, reservedOf } from './fields.ts';
import type { DenormalizeDelegate, NormalizeDelegate } from './delegate.ts';
import type { Row } from './row.ts';
import type { RowSchema } from './schema.ts';
import { onlyItem, schemaOf } from './shorthand.ts';

/** Called for the reads of a rule. */
export interface Watch {
  /** The rule read a field that neither the record nor its class has, or a field of a related record that is in doubt. */
  noteMissing(): void;
  /** The rule read a field of a related record other than `id`. Without `field`: it read a whole row that is not a record. */
  noteRead(table: string, pk: string, field?: string): void;
}

/** Reads other rows. Without `isInDoubt`, no row counts as in doubt. */
export type RowAccess = Pick<NormalizeDelegate, 'getEntity'> & Partial<Pick<NormalizeDelegate, 'isInDoubt'>>;

/**
 * Returns a record as rules see it while it is being stored. It has the fields of its row as its schema converts them, and the defaults and
 * getters of its class. Fields with relations lead to the related records; a related record that is not stored has only its pk.
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

  /** `pk` is set for a related record, and is its pk. */
  of(entity: EntityInterface, row: Row, pk?: string): object {
    const { prototype } = entity;
    const reserved = reservedOf(prototype);
    const readField = (name: string, receiver: unknown): unknown => {
      if (pk !== undefined && name !== 'id' && !reserved.has(name)) {
        this.#watch.noteRead(entity.key, pk, name);
        if (this.#rows.isInDoubt?.(entity.key, pk) === true) this.#watch.noteMissing();
      }
      if (Object.hasOwn(row, name) && !reserved.has(name))
        return this.unvisit(entity.schema[name], Reflect.get(row, name));
      if (Object.hasOwn(entity.defaults as object, name)) {
        this.#watch.noteMissing();
        return Reflect.get(entity.defaults as object, name);
      }
      if (!(name in prototype)) this.#watch.noteMissing();
      return Reflect.get(prototype, name, receiver);
    };
    // The target is not the row: a proxy must return the actual value of a frozen field of its target.
    return new Proxy(Object.create(prototype) as object, {
      get: (_target, name, receiver) =>
        typeof name === 'string' ? readField(name, receiver) : (Reflect.get(prototype, name, receiver) as unknown),
      has: (_target, name) => name in row || name in (entity.defaults as object),
    });
  }

  unvisit(schema: unknown, stored: unknown): unknown {
    if (Object(schema) !== schema || stored === undefined || stored === null) return stored;
    if (isEntity(schema)) return typeof stored === 'string' ? this.#related(schema, stored) : stored;
    if (typeof schema === 'function') return convertOf(schema)(stored);
    if (Array.isArray(schema) && Array.isArray(stored)) return stored.map((one) => this.unvisit(onlyItem(schema), one));
    const { keepsRows, key, schema: inner } = schema as Partial<RowSchema>;
    // A nested collection has a row of its own.
    if (keepsRows === true) return this.unvisit(inner, this.getEntity(String(key), stored as string));
    return schemaOf(schema as object).denormalize(stored, this);
  }

  #related(entity: EntityInterface, pk: string): object {
    const row = this.#rows.getEntity(entity.key, pk);
    return this.of(entity, isObject(row) ? row : { id: pk }, pk);
  }

  getEntity(table: string, pk: string): ReturnType<NormalizeDelegate['getEntity']> {
    this.#watch.noteRead(table, pk);
    return this.#rows.getEntity(table, pk);
  }

  /** It is unknown which lens a reader will use. */
  argsKey(): undefined {
    this.#watch.noteMissing();
  }
}
