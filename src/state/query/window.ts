import { SortedList } from '../../std/sorted-list.ts';
import type { Change, Item, SourceCell } from './source-cell.ts';

/** Which items a query shows, and in which order. */
export interface WindowOptions {
  readonly passes: (value: unknown, item: Item) => boolean;
  /** What a value is ordered by. */
  readonly keyOf: (value: unknown) => unknown;
  readonly compareKeys: (one: unknown, other: unknown) => number;
  readonly compareItems: (one: Item, other: Item) => number;
  /** What stands in the order of what it begins behind. */
  readonly after: readonly [key: unknown, item: Item] | undefined;
  readonly offset: number;
  readonly limit: number;
}

/** Keeps account of the items that pass. */
export interface Shown {
  /** Takes in what changed; `undefined`: reads everything anew. Returns whether what is shown may be another. */
  take(changes: readonly Change[] | undefined, source: SourceCell): boolean;
}

/** The items that pass, in order, cut to a stretch. It keeps what they are ordered by, as that was when they came. */
export class Window implements Shown {
  readonly #options: WindowOptions;
  readonly #sorted: SortedList<Item>;

  constructor(options: WindowOptions) {
    this.#options = options;
    this.#sorted = new SortedList(options.compareKeys, options.compareItems);
  }

  /** What it shows. */
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
      // What stood alone was never compared, and what it was may be nothing that can be.
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

  /** Returns whether that is before the end of the stretch. */
  #follow({ item, before, after }: Change): boolean {
    const { compareKeys, keyOf, limit, passes } = this.#options;
    const sorted = this.#sorted;
    const was = before !== undefined && passes(before, item);
    const is = after !== undefined && passes(after, item);
    const key = was ? keyOf(before) : undefined;
    const next = is ? keyOf(after) : undefined;
    // Most changes leave a record where it is.
    if (was && is && compareKeys(key, next) === 0) return sorted.isBefore(key, item, this.#first + limit);
    const wasTouched = was && sorted.remove(key, item, this.#first + limit);
    return (is && sorted.insert(next, item, this.#first + limit)) || wasTouched;
  }
}

/** How many items pass. */
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
