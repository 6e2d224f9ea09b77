import { SortedList } from '../../std/sorted-list.ts';
import type { Change, Item, Passes, SourceCell } from './source-cell.ts';

/** Which items a query shows, and in which order. */
export interface WindowOptions {
  readonly passes: Passes;
  /** Returns the sort key of a value. */
  readonly keyOf: (value: unknown) => unknown;
  readonly compareKeys: (one: unknown, other: unknown) => number;
  readonly compareItems: (one: Item, other: Item) => number;
  /** The sort key and item after which the list begins. */
  readonly after: readonly [key: unknown, item: Item] | undefined;
  readonly offset: number;
  readonly limit: number;
}

/** Keeps track of the items that are shown. */
export interface Shown {
  /** The items that are shown. */
  readonly stretch: readonly Item[];
  /** Applies changes. `undefined`: reads everything again. Returns whether the shown items may have changed. */
  take(changes: readonly Change[] | undefined, source: SourceCell): boolean;
}

/** Returns the index of the first shown item in a sorted list. */
export function startIn(sorted: SortedList<Item>, { after, offset }: Pick<WindowOptions, 'after' | 'offset'>): number {
  return offset + (after === undefined ? 0 : sorted.placeBehind(...after));
}

/** The items that pass, sorted, and cut to a stretch. Each item keeps the sort key that it was added with. */
export class Window implements Shown {
  readonly #options: WindowOptions;
  readonly #sorted: SortedList<Item>;

  constructor(options: WindowOptions) {
    this.#options = options;
    this.#sorted = new SortedList(options.compareKeys, options.compareItems);
  }

  get #start(): number {
    return startIn(this.#sorted, this.#options);
  }

  get stretch(): readonly Item[] {
    const start = this.#start;
    return this.#sorted.tags(start, start + this.#options.limit);
  }

  take(changes: readonly Change[] | undefined, source: SourceCell): boolean {
    try {
      if (changes !== undefined) return this.#followAll(changes);
    } catch {
      // The key of an only item was never compared, so comparing it now may throw.
    }
    const { keyOf, passes } = this.#options;
    const entries: (readonly [unknown, Item])[] = [];
    for (const { item, after } of source.entries()) if (passes(after, item)) entries.push([keyOf(after), item]);
    this.#sorted.holdOnly(entries);
    return true;
  }

  #followAll(changes: readonly Change[]): boolean {
    let isTouched = false;
    for (const change of changes) if (this.#follow(change)) isTouched = true;
    return isTouched;
  }

  /** Applies a change. Returns whether it affects the list before the end of the stretch. */
  #follow({ item, before, after }: Change): boolean {
    const { compareKeys, keyOf, limit, passes } = this.#options;
    const sorted = this.#sorted;
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
