import type { Member, SchemaTypes, StoredMember } from './infer-schema.ts';
import { isObject } from './fields.ts';
import { setOwn } from '../../std/plain.ts';
import { inputInvalid } from './input-invalid.ts';
import { PolymorphicSchema } from './polymorphic.ts';
import type { DenormalizeDelegate, NormalizeDelegate } from './delegate.ts';
import { INVALID } from './row.ts';
import type { SchemaSimple } from './schema.ts';

/** A map whose keys are data: `{ [currency]: Rate }`. */
export class Values<S = unknown> extends PolymorphicSchema<S> implements SchemaSimple {
  declare readonly '~types': SchemaTypes<
    Readonly<Record<string, Member<S>>>,
    Readonly<Record<string, Member<S>>> | undefined,
    Record<string, StoredMember<S>>,
    undefined
  >;

  /** The schema of the entries, or the choice of schemas. `undefined` for a subclass, which may override anything. */
  get mapOf(): unknown {
    return this.composes && this.entrySchema;
  }

  /** @internal */
  get entrySchema(): unknown {
    return this.isPolymorphic ? this.kinds : this.schema;
  }

  /** @internal */
  get composes(): 'map' | undefined {
    return this.constructor === Values ? 'map' : undefined;
  }

  /** Normalizes a map. Leaves out entries that are `null` or `undefined`. */
  normalize(
    input: unknown,
    _parent: unknown,
    _key: string | undefined,
    delegate: NormalizeDelegate,
  ): Record<string, StoredMember<S>> {
    return normalizeEntries(input, (value, parent, key) => this.kinds.normalize(delegate, value, parent, key));
  }

  /** Leaves out entries that are missing, invalid or falsy. */
  denormalize(stored: unknown, delegate: DenormalizeDelegate): Record<string, Member<S>> {
    if (!isObject(stored)) return stored as never;
    const values: Record<string, Member<S>> = {};
    for (const [name, entry] of Object.entries(stored)) {
      const value = entry ? this.kinds.read(entry, delegate) : undefined;
      if (value && value !== INVALID) setOwn(values, name, value);
    }
    return values;
  }

  queryKey(): undefined {
    return undefined;
  }
}

/** Normalizes the entries of a map. The parent of each entry is the map, and its key is its name. */
export function normalizeEntries<Stored>(
  input: unknown,
  normalizeOne: (value: unknown, parent: unknown, key: string) => unknown,
): Record<string, Stored> {
  if (!isObject(input)) throw inputInvalid('A map', input);
  const stored: Record<string, Stored> = {};
  for (const [name, entry] of Object.entries(input)) {
    const entryStored = entry === undefined || entry === null ? undefined : normalizeOne(entry, input, name);
    if (entryStored !== undefined) setOwn(stored, name, entryStored);
  }
  return stored;
}
