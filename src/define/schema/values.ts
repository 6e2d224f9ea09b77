import type { Member, SchemaAttribute, SchemaTypes, StoredMember } from './infer-schema.ts';
import { isObject } from './fields.ts';
import { setOwn } from '../../std/plain.ts';
import { inputInvalid } from './input-invalid.ts';
import { type Attribute, Kinds } from './polymorphic.ts';
import { type DenormalizeDelegate, INVALID, type NormalizeDelegate, type SchemaSimple } from './schema.ts';

/** A map whose keys are data: `{ [currency]: Rate }`. */
export class Values<S = unknown> implements SchemaSimple {
  declare readonly '~types': SchemaTypes<
    Readonly<Record<string, Member<S>>>,
    Readonly<Record<string, Member<S>>> | undefined,
    Record<string, StoredMember<S>>,
    undefined
  >;
  readonly kinds: Kinds;

  constructor(schema: S, schemaAttribute?: SchemaAttribute<S>) {
    this.kinds = new Kinds(schema, schemaAttribute as Attribute | undefined);
  }

  /** The schema of the entries, or the map of their kinds. */
  get schema(): unknown {
    return this.kinds.schema;
  }

  get isPolymorphic(): boolean {
    return this.kinds.isPolymorphic;
  }

  /** The schema of the entries, or the choice of them, where nothing is overridden. */
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

  /** Entries that are `null` or `undefined` are left out. */
  normalize(
    input: unknown,
    _parent: unknown,
    _key: string | undefined,
    delegate: NormalizeDelegate,
  ): Record<string, StoredMember<S>> {
    return fileEntries(input, (value, parent, key) => this.kinds.file(delegate, value, parent, key));
  }

  /** Entries that are missing, invalid or falsy are left out. */
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

/** Files the entries of a map, each with the map as its parent and its own name as the key. */
export function fileEntries<Stored>(
  input: unknown,
  file: (value: unknown, parent: unknown, key: string) => unknown,
): Record<string, Stored> {
  if (!isObject(input)) throw inputInvalid('A map', input);
  const stored: Record<string, Stored> = {};
  for (const [name, entry] of Object.entries(input)) {
    const filed = entry === undefined || entry === null ? undefined : file(entry, input, name);
    if (filed !== undefined) setOwn(stored, name, filed);
  }
  return stored;
}
