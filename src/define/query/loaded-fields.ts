import type { AnyClass, SchemaArgs, SchemaTypes } from '../schema/infer-schema.ts';
import type { EntityInterface } from '../schema/entity.ts';
import { isObject } from '../schema/fields.ts';
import type { QueryDelegate, Unvisit } from '../schema/delegate.ts';
import type { SchemaSimple } from '../schema/schema.ts';
import type { FieldName } from './infer-condition.ts';
import type { InstanceOf } from './infer-source.ts';

/** The value is whether some fields of a record are stored. `undefined` until the record is stored. */
class LoadedFields<Args> implements SchemaSimple {
  declare readonly '~types': SchemaTypes<boolean, boolean | undefined, undefined, Args>;
  readonly #entity: Pick<EntityInterface, 'key'>;
  readonly #fields: readonly string[];

  constructor(entity: Pick<EntityInterface, 'key'>, fields: readonly string[]) {
    this.#entity = entity;
    this.#fields = fields;
  }

  normalize(): undefined {}

  denormalize(stored: unknown): unknown {
    return stored;
  }

  queryKey(args: readonly unknown[], unvisit: Unvisit, delegate: QueryDelegate): boolean | undefined {
    const pk = unvisit(this.#entity, args);
    const row = typeof pk === 'string' ? delegate.getEntity(this.#entity.key, pk) : undefined;
    return isObject(row) ? this.#fields.every((field) => Object.hasOwn(row, field)) : undefined;
  }
}

/**
 * A query that returns whether fields of a record are stored, also if they are empty. A field that no answer had differs from `null` and from
 * the default of the class. `useQuery(isLoaded(Post, 'content'), { id })`.
 */
export function isLoaded<Class extends AnyClass>(
  entity: Class,
  ...fields: readonly [FieldName<InstanceOf<Class>>, ...FieldName<InstanceOf<Class>>[]]
): LoadedFields<SchemaArgs<Class>> {
  return new LoadedFields(entity as unknown as EntityInterface, fields);
}
