import type { ArraySchema } from './array.ts';
import type { CollectionKey } from './collection-key.ts';
import type { DefaultArgs, Loose } from './infer-schema.ts';
import type { ListOptions } from './list-rules.ts';
import type { Kinds } from './polymorphic.ts';
import type { Values } from './values.ts';

/** The schemas that a collection can be made of: `[S]`, an array schema, or Values. */
export type CollectionContent = readonly unknown[] | { readonly kinds: Kinds };

/** The schema of the members of a collection. */
export type CollectionItem<S> = S extends readonly (infer Item)[]
  ? Item
  : S extends ArraySchema<infer Item>
    ? Item
    : S extends Values<infer Item>
      ? Item
      : Loose;

/** Returns the arguments of a request without the cursor. */
export type RemoveCursor = (...args: Loose[]) => readonly unknown[];

type Filtering<Args extends readonly unknown[]> =
  | {
      /** Arguments that sort or page, and do not filter. Lists that differ only in these get the same new members. */
      readonly nonFilterArgumentKeys?: ((key: string) => boolean) | RegExp | readonly string[];
    }
  | { readonly createCollectionFilter?: (...args: Args) => (collectionKey: Record<string, string>) => boolean };

/** The options of a collection. */
export type CollectionOptions<
  Args extends readonly unknown[] = DefaultArgs,
  Parent = Loose,
  Item = Loose,
> = Filtering<Args> &
  ListOptions<Item> & {
    /** Returns the key of a list from the arguments of its request. Default: the first argument. */
    readonly argsKey?: (...args: Args) => CollectionKey;
    /** Returns the key of a list from the record whose field it is. */
    readonly nestKey?: (parent: Parent, key: string) => CollectionKey;
  };

/** Returns the options that are given, as members of a collection. */
export function methodsOf<Args extends readonly unknown[], Parent>(options: CollectionOptions<Args, Parent>): object {
  const { nonFilterArgumentKeys: keys, ...methods } = options as CollectionOptions<Args, Parent> & {
    readonly nonFilterArgumentKeys?: ((key: string) => boolean) | RegExp | readonly string[];
  };
  const given: [string, unknown][] = Object.entries(methods).filter(([, method]) => method !== undefined);
  if (keys !== undefined) given.push(['nonFilterArgumentKeys', keyTest(keys)]);
  return Object.fromEntries(given);
}

function keyTest(keys: ((key: string) => boolean) | RegExp | readonly string[]): (key: string) => boolean {
  if (typeof keys === 'function') return keys;
  // `search` always starts at index 0. `test` of a global expression continues after the last match.
  return keys instanceof RegExp ? (key) => key.search(keys) >= 0 : (key) => keys.includes(key);
}
