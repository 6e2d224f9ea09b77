import { type CollectionKey, collectionPk, keyOfPk } from './collection-key.ts';
import { isObject } from './fields.ts';
import { type Ruled, selects } from './list-rules.ts';
import { ChangeRules, MergeRules } from './merge-rules.ts';
import type { DenormalizeDelegate, NormalizeDelegate, QueryDelegate, SchemaSimple, Unvisit } from './schema.ts';

/** The table of how many records the lists of a collection have on the server. */
export function totalsOf(collection: string): string {
  return `${collection}#total`;
}

/** A collection whose lists are counted. */
interface Counted extends Ruled {
  pk(value: unknown, parent: unknown, key: string | undefined, args: readonly unknown[]): string | undefined;
  queryKey(args: readonly unknown[], unvisit: Unvisit, delegate: QueryDelegate): string | undefined;
}

/** Counts more, or fewer. */
export class Added extends ChangeRules {
  override readonly key: string;
  readonly #by: number;

  constructor(key: string, by: number, isOfRead: boolean) {
    super(isOfRead);
    this.key = key;
    this.#by = by;
  }

  override merge(existing: { readonly count: number }): unknown {
    return { count: existing.count + this.#by };
  }
}

/** The total beside a list. All pages of a list have one. */
export class Total extends MergeRules implements SchemaSimple {
  override readonly key: string;
  readonly #list: Counted;
  readonly #example: unknown;

  /** `example` stands in the place of a total that is not there yet. */
  constructor(list: Counted, example: unknown) {
    super();
    this.key = totalsOf(list.key);
    this.#list = list;
    this.#example = example;
  }

  override merge(_existing: unknown, incoming: unknown): unknown {
    return incoming;
  }

  #pk(args: readonly unknown[]): string | undefined {
    const key = keyOfPk(String(this.#list.pk(undefined, undefined, undefined, args)));
    return key && collectionPk(this.#selecting(key), this.#list.key);
  }

  #selecting(key: CollectionKey): CollectionKey {
    return Object.fromEntries(Object.entries(key).filter(([name]) => selects(this.#list, name)));
  }

  normalize(input: unknown, _parent: unknown, _key: string | undefined, delegate: NormalizeDelegate): unknown {
    const pk = this.#pk(delegate.args);
    const count = typeof input === 'string' && input !== '' ? Number(input) : input;
    if (pk === undefined || typeof count !== 'number' || Number.isNaN(count)) return input;
    delegate.mergeEntity(this, pk, { count });
    // Mutations that were sent by now may be counted in it.
    delegate.notes(this.key).set(pk, delegate.latest);
    return { total: pk };
  }

  denormalize(stored: unknown, delegate: DenormalizeDelegate): unknown {
    if (!isObject(stored)) return stored;
    const row = delegate.getEntity(this.key, String(stored['total']));
    return (Object(row) as { readonly count?: unknown }).count;
  }

  queryKey(args: readonly unknown[], unvisit: Unvisit, delegate: QueryDelegate): unknown {
    const pk = this.#pk(args);
    if (pk !== undefined && delegate.hasEntity(this.key, pk)) return { total: pk };
    // Beside a list that is there, nothing is known of how many there are.
    return this.#list.queryKey(args, unvisit, delegate) === undefined ? this.#example : undefined;
  }
}
