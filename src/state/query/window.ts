import { SortedList } from '../../std/sorted-list.ts';
import type { Change, Item, SourceCell } from './source-cell.ts';

/** Which items a query shows, and in which order. */
export interface WindowOptions {
  readonly passes: (value: unknown, item: Item) => boolean;
  /** Returns the sort key of a value. */
  readonly keyOf: (value: unknown) => unknown;
  readonly compareKeys: (one: unknown, other: unknown) => number;
  readonly compareItems: (one: Item, other: Item) => number;
  /** The sort key and item after which the list begins. */
  readonly after: readonly [key: unknown, item: Item] | undefined;
  readonly offset: number;
  readonly limit: number;
}

/** Keeps track of the items that pass. */
export interface Shown {
  /** Applies changes. `undefined`: reads everything again. Returns whether the shown items may have changed. */
  take(changes: readonly Change[] | undefined, source: SourceCell): boolean;
}

/** The items that pass, sorted, and cut to a stretch. Each item keeps the sort key that it was added with. */
export class Window implements Shown {
  readonly #options: WindowOptions;
  readonly #sorted: SortedList<Item>;

  constructor(options: WindowOptions) {
    this.#options = options;
    this.#sorted = new SortedList(options.compareKeys, options.compareItems);
  }

  /** The items in the stretch. */
  get stretch(): readonly Item[] {
    const first = this.#first;
    return this.#sorted.slice(first, first + this.#options.limit).tags;
  }

  get #first(): number {
    const { after, offset } = this.#options;
    return offset + (after === undefined ? 0 : this.#sorted.placeBehind(...after));
  }

  take(changes: readonly Change[] | undefined, source: SourceCell): boolean {
    try {
      if (changes !== undefined) return this.#followAll(changes);
    } catch {
      // The key of an only item was never compared, so comparing it now may throw.
    }
    const { keyOf, passes } = this.#options;
    const entries: (readonly [unknown, Item])[] = [];
    for (const [value, item] of source.entries()) if (passes(value, item)) entries.push([keyOf(value), item]);
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
    const was = before !== undefined && passes(before, item);
    const is = after !== undefined && passes(after, item);
    const key = was ? keyOf(before) : undefined;
    const next = is ? keyOf(after) : undefined;
    // Most changes do not move a record.
    if (was && is && compareKeys(key, next) === 0) return sorted.isBefore(key, item, this.#first + limit);
    const wasTouched = was && sorted.remove(key, item, this.#first + limit);
    return (is && sorted.insert(next, item, this.#first + limit)) || wasTouched;
  }
}

/** Counts the items that pass. */
export class Counter implements Shown {
  readonly #passes: WindowOptions['passes'];
  #passing = 0;

  constructor(passes: WindowOptions['passes']) {
    this.#passes = passes;
  }

  get passing(): number {
    return this.#passing;
  }

  take(changes: readonly Change[] | undefined, source: SourceCell): boolean {
    const passes = this.#passes;
    const before = this.#passing;
    if (changes === undefined) {
      this.#passing = 0;
      for (const entry of source.entries()) if (passes(...entry)) this.#passing++;
      return true;
    }
    for (const { item, before: was, after: is } of changes) {
      if (was !== undefined && passes(was, item)) this.#passing--;
      if (is !== undefined && passes(is, item)) this.#passing++;
    }
    return this.#passing !== before;
  }
}
