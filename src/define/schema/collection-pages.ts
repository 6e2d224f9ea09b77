import { Collection } from './collection.ts';
import type { CollectionContent } from './collection-options.ts';
import type { Loose } from './infer-schema.ts';
import type { ListOptions } from './list-rules.ts';
import { assign, push } from './collection-members.ts';
import { Values } from './values.ts';

/** Returns the arguments of a request without the cursor. */
export type RemoveCursor = (...args: Loose[]) => readonly unknown[];

/**
 * Returns a schema for further pages of a collection. Their records are added to the stored list of the same arguments without the cursor.
 * They do not replace it.
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
    // TypeScript cannot know that the content of a collection is a valid S.
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

  /** A page is added to the list even if it arrives late. */
  override mergeWithStore(_existingMeta: unknown, _incomingMeta: unknown, existing: object, incoming: object): unknown {
    return this.merge(existing, incoming);
  }
}

function rulesOf(list: Pick<Collection, 'where' | 'page' | 'total' | 'create' | 'orderBy'>): ListOptions {
  const { where, page, total, create, orderBy } = list;
  return { where, page, total, create, orderBy } as ListOptions;
}
