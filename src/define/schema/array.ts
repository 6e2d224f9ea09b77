import { type EntityInterface, isEntity } from './entity.ts';
import { isObject } from './fields.ts';
import type { List, Member, SchemaTypes, StoredMember } from './infer-schema.ts';
import { inputInvalid, valuesOf } from './input-invalid.ts';
import { PolymorphicSchema } from './polymorphic.ts';
import type { DenormalizeDelegate, NormalizeDelegate } from './delegate.ts';
import { INVALID } from './row.ts';
import type { SchemaSimple } from './schema.ts';

/** A list. `[S]` is the short form. Only the long form can hold records of several classes. */
export class ArraySchema<S = unknown> extends PolymorphicSchema<S> implements SchemaSimple {
  declare readonly '~types': SchemaTypes<List<Member<S>>, List<Member<S>> | undefined, StoredMember<S>[], undefined>;

  /** The schema of the items, or the choice of schemas. `undefined` for a subclass, which may override anything. */
  get listOf(): unknown {
    if (this.constructor !== ArraySchema) return undefined;
    return this.isPolymorphic ? this.kinds : this.schema;
  }

  /** The class of the items, if all are records of one class. */
  get #entity(): EntityInterface | undefined {
    return !this.isPolymorphic && isEntity(this.schema) ? this.schema : undefined;
  }

  /** Normalizes a list. An object counts as the list of its values. */
  normalize(input: unknown, parent: unknown, key: string | undefined, delegate: NormalizeDelegate): StoredMember<S>[] {
    if (!isObject(input)) throw inputInvalid('A list', input);
    const items: readonly unknown[] = Array.isArray(input) ? input : valuesOf(input, this.#entity);
    const stored = items.map((item) => this.kinds.normalize(delegate, item, parent, key));
    return stored.filter((item) => item !== undefined) as StoredMember<S>[];
  }

  /** Leaves out missing and invalid items. Keeps `null`. */
  denormalize(stored: unknown, delegate: DenormalizeDelegate): Member<S>[] {
    if (!Array.isArray(stored)) return stored as Member<S>[];
    const values: unknown[] = [];
    for (const item of stored) {
      const value = this.kinds.read(item, delegate);
      if (value !== undefined && value !== INVALID) values.push(value);
    }
    return values as Member<S>[];
  }

  queryKey(): undefined {
    return undefined;
  }
}
