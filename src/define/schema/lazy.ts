import type { Denormalize, Normalize, SchemaArgs, SchemaTypes } from './infer-schema.ts';
import { SameForm } from './same-form.ts';
import type { DenormalizeDelegate, QueryDelegate, Unvisit } from './delegate.ts';
import type { SchemaSimple } from './schema.ts';

/** A relation that is not read with its record. The field holds the stored form, and `query` reads the records when they are needed. */
export class Lazy<S = unknown> extends SameForm<S> {
  declare readonly '~types': SchemaTypes<Normalize<S>, Normalize<S> | undefined, Normalize<S>, undefined>;
  #query: LazyQuery<S> | undefined = undefined;

  /** Reads the records of the field, given its stored form, or the arguments of the schema. */
  get query(): LazyQuery<S> {
    return (this.#query ??= isRelation(this.schema) ? this.schema : new LazyQuery(this.schema));
  }

  override denormalize(stored: unknown, _delegate: DenormalizeDelegate): unknown {
    return stored;
  }

  override queryKey(): undefined {
    return undefined;
  }
}

/** A relation is read for the record itself, and stores nothing in the field. */
function isRelation<S>(schema: S): schema is S & LazyQuery<S> {
  return typeof (Object(schema) as Partial<SchemaSimple>).keptBy === 'function';
}

/** A schema that finds its row by arguments: an entity or a collection. */
interface Keyed {
  readonly key: string;
  queryKey(args: readonly unknown[], unvisit: Unvisit, delegate: QueryDelegate): unknown;
}

function isKeyed(schema: unknown): schema is Keyed {
  const given = Object(schema) as object;
  return 'queryKey' in given && 'key' in given;
}

type KeyedArgs<S> = S extends { readonly key: string }
  ? SchemaArgs<S> | [stored: string]
  : // `All` stores nothing, so it is read with a list of pks.
    [undefined] extends [Normalize<S>]
    ? SchemaArgs<S> extends readonly []
      ? [stored: readonly string[]]
      : SchemaArgs<S>
    : [stored: FrozenForm<Normalize<S>>];

/** Lists in values are frozen, and so their type is readonly. */
type FrozenForm<Form> = Form extends readonly (infer Item)[] ? readonly Item[] : Form;

/** The type of `Lazy.query`. */
export class LazyQuery<S = unknown> extends SameForm<S> {
  declare readonly '~types': SchemaTypes<Denormalize<S>, Denormalize<S> | undefined, Normalize<S>, KeyedArgs<S>>;

  override denormalize(stored: unknown, delegate: DenormalizeDelegate): unknown {
    return delegate.unvisit(this.schema, stored);
  }

  override queryKey(args: readonly unknown[], unvisit: Unvisit, delegate: QueryDelegate): unknown {
    const [stored] = args;
    if (!isKeyed(this.schema)) return stored;
    // The field of a collection holds a pk, which the collection would read as its arguments.
    if (typeof stored === 'string' && delegate.getEntity(this.schema.key, stored) !== undefined) return stored;
    return this.schema.queryKey(args, unvisit, delegate);
  }
}
