import type { SchemaGiven } from './assert-schema.ts';
import type { List, Member, SchemaAttribute, SchemaTypes } from './infer-schema.ts';
import { ArraySchema } from './array.ts';
import { INVALID } from './row.ts';
import type { NormalizeDelegate, QueryDelegate, Unvisit, DenormalizeDelegate } from './delegate.ts';
import type { SchemaSimple } from './schema.ts';
import { PolymorphicSchema } from './polymorphic.ts';

/** The stored form. It names no record, because the records are looked up at each read. */
const ALL = 'all';

/**
 * Every stored record of an entity, in the order in which they arrived: `new All(Post)`. A record that is created optimistically keeps its place
 * when the create is answered, in whatever order answers come.
 */
export class All<S = unknown> extends PolymorphicSchema<S> implements SchemaSimple {
  declare readonly '~types': SchemaTypes<List<Member<S>>, List<Member<S>> | undefined, undefined, []>;
  readonly #list: ArraySchema<S>;

  constructor(
    schema: S & (S extends readonly unknown[] ? never : SchemaGiven<S>),
    schemaAttribute?: SchemaAttribute<S>,
  ) {
    super(schema, schemaAttribute);
    this.#list = new ArraySchema(schema, schemaAttribute);
  }

  get allOf(): readonly unknown[] {
    return this.kinds.entries().map(([, entity]) => entity);
  }

  /** Normalizes a list of records. Stores no reference to them: every read lists the records that are in the table then. */
  normalize(input: unknown, parent: unknown, key: string | undefined, delegate: NormalizeDelegate): string {
    delegate.visit(this.#list, input, parent, key);
    return ALL;
  }

  denormalize(stored: unknown, delegate: DenormalizeDelegate): Member<S>[] {
    return this.#list.denormalize(stored, delegate);
  }

  /** INVALID until there is a table. A table that was never filled differs from an empty list. */
  queryKey(_args: readonly unknown[], _unvisit: Unvisit, delegate: QueryDelegate): unknown {
    // Calls `hasTable` for every entity, so that the answer depends on all of these tables.
    const known = this.allOf.filter((entity) => delegate.hasTable((entity as { readonly key: string }).key));
    return known.length > 0 ? ALL : INVALID;
  }
}
