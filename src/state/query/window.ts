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

/** Returns the part of a sorted list that is shown. */
export function stretchOf(
  sorted: SortedList<Item>,
  { after, offset, limit }: Pick<WindowOptions, 'after' | 'offset' | 'limit'>,
): readonly [start: number, end: number] {
  const start = offset + (after === undefined ? 0 : sorted.placeBehind(...after));
  return [start, start + limit];
}

/** The items that pass, sorted, and cut to a stretch. Each item keeps the sort key that it was added with. */
export class Window implements Shown {
  readonly #options: WindowOptions;
  readonly #sorted: SortedList<Item>;

  constructor(options: WindowOptions) {
    this.#options = options;
    this.#sorted = new SortedList(options.compareKeys, options.compareItems);
  }

  get stretch(): readonly Item[] {
    return this.#sorted.slice(...stretchOf(this.#sorted, this.#options)).tags;
  }

  take(changes: readonly Change[] | undefined, source: SourceCell): boolean {
    try {
      // Not `some`, because every change has to be applied.
      if (changes !== undefined) return changes.filter((change) => this.#follow(change)).length > 0;
    } catch {
      // The key of an only item was never compared, so comparing it now may throw.
    }
    const { keyOf, passes } = this.#options;
    const entries: (readonly [unknown, Item])[] = [];
    for (const { item, after } of source.entries()) if (passes(after, item)) entries.push([keyOf(after), item]);
    this.#sorted.holdOnly(entries);
    return true;
  }

  /** Applies a change. Returns whether it affects the list before the end of the stretch. */
  #follow({ item, before, after }: Change): boolean {
    const { compareKeys, keyOf, passes } = this.#options;
    const sorted = this.#sorted;
    const [was, is] = [passes(before, item), passes(after, item)];
    const [key, next] = [was && keyOf(before), is && keyOf(after)];
    const [, end] = stretchOf(sorted, this.#options);
    // Most changes do not move a record.
    if (was && is && compareKeys(key, next) === 0) return sorted.isBefore(key, item, end);
    const wasTouched = was && sorted.remove(key, item, end);
    return (is && sorted.insert(next, item, stretchOf(sorted, this.#options)[1])) || wasTouched;
  }
}
