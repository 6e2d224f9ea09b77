import { SortedList } from '../../std/sorted-list.ts';
import { queryFailed } from './query-failed.ts';
import type { Change, Item, Passes, SourceCell } from './source-cell.ts';

/** Items in order. */
interface SortedItems {
  readonly sorted: SortedList<Item>;
}

/** Which items a query shows, and in which order. */
export interface WindowOptions {
  /** The name of the items in errors. */
  readonly name: string;
  readonly passes: Passes;
  /** Returns the sort key of a value. */
  readonly keyOf: (value: unknown) => unknown;
  readonly compareKeys: (one: unknown, other: unknown) => number;
  readonly compareItems: (one: Item, other: Item) => number;
  /** Returns the sort key and item after which the list begins. */
  readonly after: (() => readonly [key: unknown, item: Item]) | undefined;
  readonly offset: number;
  readonly limit: number;
}

/** The items that pass, sorted, and cut to a stretch. Each item keeps the sort key that it was added with. */
export class Window {
  readonly #options: WindowOptions;
  readonly #index: SortedItems | undefined;
  readonly #own: SortedList<Item>;

  /** `index` has exactly the items that pass, in order, and makes a list of its own unnecessary. */
  constructor(options: WindowOptions, index: SortedItems | undefined) {
    this.#options = options;
    this.#index = index;
    this.#own = new SortedList(options.compareKeys, options.compareItems);
  }

  get #sorted(): SortedList<Item> {
    return this.#index?.sorted ?? this.#own;
  }

  get #start(): number {
    const { after, offset } = this.#options;
    return offset + (after === undefined ? 0 : this.#sorted.placeBehind(...after()));
  }

  /** The items that are shown. */
  get stretch(): readonly Item[] {
    const start = this.#start;
    return this.#sorted.tags(start, start + this.#options.limit);
  }

  /** Reads all items again. */
  readAll(source: SourceCell): void {
    if (this.#index !== undefined) return;
    const { keyOf, name, passes } = this.#options;
    let pk: string | undefined;
    try {
      const entries: (readonly [unknown, Item])[] = [];
      for (const { item, after } of source.entries()) {
        if (!passes(after, item)) continue;
        ({ pk } = item);
        entries.push([keyOf(after), item]);
      }
      pk = undefined;
      this.#own.replaceAll(entries);
    } catch (error) {
      throw queryFailed('orderBy()', name, error, pk);
    }
  }

  /** Applies changes. Returns whether the shown items may have changed. */
  take(changes: readonly Change[]): boolean {
    if (this.#index !== undefined) return true;
    let isTouched = false;
    for (const change of changes) if (this.#follow(change)) isTouched = true;
    return isTouched;
  }

  /** Applies a change. Returns whether it affects the list before the end of the stretch. */
  #follow({ item, before, after }: Change): boolean {
    const { compareKeys, keyOf, limit, passes } = this.#options;
    const sorted = this.#own;
    const was = passes(before, item);
    const is = passes(after, item);
    const key = was && keyOf(before);
    const next = is && keyOf(after);
    // Most changes do not move a record.
    if (was && is && compareKeys(key, next) === 0) return sorted.isBefore(key, item, this.#start + limit);
    const wasTouched = was && sorted.remove(key, item, this.#start + limit);
    return (is && sorted.insert(next, item, this.#start + limit)) || wasTouched;
  }
}
