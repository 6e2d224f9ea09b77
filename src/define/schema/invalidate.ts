import type { SchemaGiven } from './assert-schema.ts';
import { DataError } from '../../std/data-error.ts';
import { inDevelopment } from '../../std/development.ts';
import { type EntityInterface, isEntity } from './entity.ts';
import { isObject } from './fields.ts';
import type { Member, SchemaAttribute, SchemaTypes, StoredMember } from './infer-schema.ts';
import { pkFrom, pkMissing, pkOf } from './pk.ts';
import { inputInvalid } from './input-invalid.ts';
import { PolymorphicSchema } from './polymorphic.ts';
import type { DenormalizeDelegate, NormalizeDelegate } from './delegate.ts';
import type { SchemaSimple } from './schema.ts';

/** The schema of a deletion: the record that the response names becomes invalid. */
export class Invalidate<S = unknown> extends PolymorphicSchema<S> implements SchemaSimple {
  declare readonly '~types': SchemaTypes<Member<S>, Member<S> | undefined, StoredMember<S>, undefined>;
  readonly #entities = new Map<string | undefined, EntityInterface>();

  constructor(schema: S & SchemaGiven<S>, schemaAttribute?: SchemaAttribute<S>) {
    if (typeof schema === 'string' || typeof schema === 'number') throw notAnEntity(undefined);
    super(schema, schemaAttribute);
    for (const [name, entity] of this.kinds.entries()) {
      if (!isEntity(entity)) throw notAnEntity(name);
      this.#entities.set(name, entity);
    }
  }

  /**
   * Accepts the record, or its pk alone. If neither tells the class, it is that of the only stored record with the pk. A record of an
   * unknown class is stored as it came.
   */
  normalize(input: unknown, parent: unknown, key: string | undefined, delegate: NormalizeDelegate): unknown {
    const stored = this.kinds.storedNames(delegate, input, parent, key);
    const isSure = stored !== undefined && stored.length < 2;
    const name = isSure ? stored[0] : this.kinds.nameOf(input, parent, key);
    const entity = this.#entities.get(name);
    if (entity === undefined) return input;
    let pk: string | undefined;
    if (isObject(input)) {
      pk = deletedPk(entity, input, [parent, key, delegate.args]);
    } else if (typeof input === 'string' || typeof input === 'number' || typeof input === 'bigint') {
      pk = pkFrom(input, entity.key);
    } else {
      throw inputInvalid(`A ${entity.key} or its pk`, input, entity.key);
    }
    if (pk === undefined) throw pkMissing(entity.key, input);
    delegate.invalidate(entity, pk);
    return this.kinds.ref(name, pk);
  }

  /**
   * Returns an instance of the deleted record, made from the response, because the store has no such record any more. `undefined` for a
   * bare pk. `stored` is what the deletion was stored as.
   */
  deleted(response: unknown, stored?: unknown): unknown {
    if (!isObject(response)) return undefined;
    const name = this.kinds.isRef(stored) ? stored.schema : this.kinds.kindNameIn(response);
    const entity = this.#entities.get(this.isPolymorphic ? name : undefined);
    return entity === undefined ? response : entity.fromJS(response);
  }

  denormalize(stored: unknown, delegate: DenormalizeDelegate): unknown {
    return this.kinds.read(stored, delegate);
  }

  queryKey(): undefined {
    return undefined;
  }
}

/** Returns whether an answer of this schema deletes its record, or each of its records. */
export function isDeletion(schema: unknown): boolean {
  return (Array.isArray(schema) ? (schema[0] as unknown) : schema) instanceof Invalidate;
}

/** Returns the pk of a deleted record. A `process` that expects a whole record may throw for one that has only its pk. */
function deletedPk(
  entity: EntityInterface,
  record: object,
  [parent, key, args]: readonly [parent: unknown, key: string | undefined, args: readonly unknown[]],
): string | undefined {
  let processed: unknown;
  try {
    processed = entity.process(record, parent, key, args);
  } catch (error) {
    const pk = pkOf(entity, record, parent, key, args);
    if (pk === undefined) throw error;
    return pk;
  }
  return pkOf(entity, processed ?? record, parent, key, args);
}

function notAnEntity(name: string | undefined): DataError {
  return new DataError(
    'schema-invalid',
    `The schema of Invalidate${name === undefined ? '' : ` (${name})`} is not valid.`,
    {
      cure: inDevelopment(() => 'Pass an entity, a Union, or a map of entities with the field that tells them apart.'),
    },
  );
}
