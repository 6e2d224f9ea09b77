import { Collection, type CollectionContent } from './collection.ts';
import type { Loose } from './infer-schema.ts';
import type { ListOptions } from './list-rules.ts';
import { assign, push } from './collection-members.ts';
import { Values } from './values.ts';

/** Leaves the cursor out of the arguments of a request. */
export type RemoveCursor = (...args: Loose[]) => readonly unknown[];

/**
 * A collection as further pages of it arrive: they join the list that their arguments lead to without the cursor,
 * instead of taking its place.
 */
export function pagesOf<S extends CollectionContent, Args extends readonly unknown[], Parent>(
  list: Collection<S, Args, Parent>,
  withoutCursor: RemoveCursor,
): Collection<S, Args, Parent> {
  return new CollectionPages(list, withoutCursor);
}

class CollectionPages<S extends CollectionContent, Args extends readonly unknown[], Parent> extends Collection<
  S,
  Args,
  Parent
> {
  readonly #list: Collection<S, Args, Parent>;
  readonly #withoutCursor: RemoveCursor;

  constructor(list: Collection<S, Args, Parent>, withoutCursor: RemoveCursor) {
    // The content of a collection is what a collection can be made of, whatever S says of the shorthand.
    super(list.schema as CollectionContent as S, rulesOf(list));
    this.#list = list;
    this.#withoutCursor = withoutCursor;
  }

  override pk(
    value: unknown,
    parent: unknown,
    key: string | undefined,
    args: readonly unknown[],
    parentEntity?: unknown,
  ): string | undefined {
    return this.#list.pk(value, parent, key, this.#withoutCursor(...args), parentEntity);
  }

  override merge(existing: object, incoming: object): unknown {
    return this.schema instanceof Values
      ? assign(existing, incoming)
      : push(existing as readonly unknown[], incoming as readonly unknown[]);
  }

  /** A page adds to the list however late it comes. */
  override mergeWithStore(_existingMeta: unknown, _incomingMeta: unknown, existing: object, incoming: object): unknown {
    return this.merge(existing, incoming);
  }
}

function rulesOf(list: Pick<Collection, 'where' | 'page' | 'total' | 'create' | 'orderBy'>): ListOptions {
  const { where, page, total, create, orderBy } = list;
  return { where, page, total, create, orderBy } as ListOptions;
}
