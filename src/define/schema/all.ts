import type { List, Member, SchemaAttribute, SchemaTypes } from './infer-schema.ts';
import { ArraySchema } from './array.ts';
import { INVALID, type NormalizeDelegate, type QueryDelegate, type SchemaSimple, type Unvisit } from './schema.ts';
import type { DenormalizeDelegate } from './schema.ts';
import { Kinds, type Attribute } from './polymorphic.ts';

/** What is stored for the whole: the records are found when it is read. */
const ALL = 'all';

/** Every record of an entity that the store has, in order of arrival. */
export class All<S = unknown> implements SchemaSimple {
  declare readonly '~types': SchemaTypes<List<Member<S>>, List<Member<S>> | undefined, undefined, []>;
  readonly kinds: Kinds;
  readonly #list: ArraySchema<S>;

  constructor(schema: S, schemaAttribute?: SchemaAttribute<S>) {
    this.kinds = new Kinds(schema, schemaAttribute as Attribute | undefined);
    this.#list = new ArraySchema(schema, schemaAttribute);
  }

  /** The entity, or the map of entities. */
  get schema(): unknown {
    return this.kinds.schema;
  }

  get allOf(): readonly unknown[] {
    return this.kinds.entries().map(([, entity]) => entity);
  }

  /** Files a list of records. The response itself is not kept: what there is, is asked anew each time. */
  normalize(input: unknown, parent: unknown, key: string | undefined, delegate: NormalizeDelegate): undefined {
    this.#list.normalize(input, parent, key, delegate);
  }

  denormalize(stored: unknown, delegate: DenormalizeDelegate): Member<S>[] {
    return this.#list.denormalize(stored, delegate);
  }

  /** Invalid as long as there is no table: nothing has been asked for yet, which is not the same as an empty list. */
  queryKey(_args: readonly unknown[], _unvisit: Unvisit, delegate: QueryDelegate): unknown {
    // All of them are asked: the answer may change with any.
    const known = this.allOf.filter((entity) => delegate.hasTable((entity as { readonly key: string }).key));
    return known.length > 0 ? ALL : INVALID;
  }
}
