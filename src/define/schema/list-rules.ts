import type { CollectionKey } from './collection-key.ts';
import type { Loose } from './infer-schema.ts';
import type { Kinds } from './polymorphic.ts';

/** As a rule in `where`: only the server knows which records an argument selects. */
export const undecidable: unique symbol = Symbol('undecidable');

/** For a record: the value of the argument in the lists to which the record belongs. An array: each of its values. */
export type ListRule<Item = Loose> = ((item: Item) => unknown) | typeof undecidable;

/** How a collection decides which records belong to its lists. */
export type ListOptions<Item = Loose> = ListRules<Item> &
  (
    | {
        /** Where records are added that are created, or that begin to belong to a list. Default: `last`; with `orderBy`, at their place. */
        readonly create?: 'first' | 'last' | undefined;
        /** Compares two records of a list, as for `Array.sort`. `key` is the key of the list. */
        readonly orderBy?: ListOrderBy<Item> | undefined;
      }
    | { readonly create: 'sorted'; readonly orderBy: ListOrderBy<Item> }
  );

/** Compares two records of a list, as for `Array.sort`. `key` is the key of the list. */
export type ListOrderBy<Item = Loose> = (one: Item, other: Item, key: CollectionKey) => number;

interface ListRules<Item> {
  /**
   * Rules by the names of arguments. A rule returns the value that the argument must have for the lists to which a record belongs. Default:
   * the field of that name.
   */
  readonly where?: { readonly [argument: string]: ListRule<Item> } | undefined;
  /** Arguments that select a page of a list. Default: `page`, `limit`, `offset`, `cursor` and similar names. */
  readonly page?: readonly string[] | undefined;
  /** The field beside the list, in the response, that has its total. The total follows creates, deletions and moves. */
  readonly total?: string | undefined;
}

/** The members of a collection that decide which records belong to a list. */
export interface RuledCollection {
  readonly key: string;
  readonly where: Readonly<Record<string, ListRule>>;
  readonly page?: readonly string[] | undefined;
  readonly orderBy?: ListOrderBy | undefined;
  nonFilterArgumentKeys(name: string): boolean;
  isPaging(name: string): boolean;
}

/** The members of a collection that the followers of its lists use. */
export interface FollowedCollection extends RuledCollection {
  readonly schema: { readonly kinds: Kinds };
  readonly isMap: boolean;
  readonly create?: 'first' | 'last' | 'sorted' | undefined;
  readonly total?: string | undefined;
  /** Whether further pages are added to its lists. */
  readonly hasPages?: boolean;
  /** Whether a schema has other fields beside its lists, such as the cursor of the next page. Then answers may have them. */
  readonly isAccompanied?: boolean;
}
