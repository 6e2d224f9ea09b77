import type { Member, SchemaAttribute, StoredMember } from './infer.ts';
import { type Attribute, type FileItem, inputInvalid, Kinds } from './polymorphic.ts';
import { type DenormalizeDelegate, INVALID, type NormalizeDelegate, type SchemaSimple } from './schema.ts';

/** A list. `[S]` is short for it; only this form can hold records of several kinds. */
export class ArraySchema<S = unknown> implements SchemaSimple {
  declare readonly '~types': {
    readonly value: Member<S>[];
    readonly nullable: Member<S>[] | undefined;
    readonly stored: StoredMember<S>[];
    readonly args: undefined;
  };
  readonly kinds: Kinds;

  constructor(schema: S, schemaAttribute?: SchemaAttribute<S>) {
    this.kinds = new Kinds(schema, schemaAttribute as Attribute | undefined);
  }

  /** The schema of the items, or the map of their kinds. */
  get schema(): unknown {
    return this.kinds.schema;
  }

  get isPolymorphic(): boolean {
    return this.kinds.isPolymorphic;
  }

  normalize(input: unknown, parent: unknown, key: string | undefined, delegate: NormalizeDelegate): StoredMember<S>[] {
    const file: FileItem = (schema, value, of, at) => delegate.visit(schema, value, of, at);
    const stored = itemsIn(input).map((item) => this.kinds.file(file, item, parent, key));
    return stored.filter((item) => item !== undefined) as StoredMember<S>[];
  }

  /** Items that are missing or invalid are left out; `null` stays. */
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

/** The items of a list in a response. An object counts as the list of its values. */
export function itemsIn(input: unknown): readonly unknown[] {
  if (Array.isArray(input)) return input;
  if (typeof input === 'object' && input !== null) return Object.values(input);
  throw inputInvalid('A list', input);
}
