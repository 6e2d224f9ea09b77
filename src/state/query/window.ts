import { SortedList } from '../../std/sorted-list.ts';
import type { Change, Item, SourceCell } from './source-cell.ts';

/** Which items a query shows, and in which order. */
export interface WindowOptions {
  readonly passes: (value: unknown, item: Item) => boolean;
  readonly compare: (one: unknown, other: unknown) => number;
  readonly compareItems: (one: Item, other: Item) => number;
  /** The record behind which it begins, as it was. */
  readonly after: readonly [value: unknown, item: Item] | undefined;
  readonly offset: number;
  readonly limit: number;
}

/** Keeps account of the items that pass. */
export interface Shown {
  /** Takes in what changed; `undefined`: reads everything anew. Returns whether what is shown may be another. */
  take(changes: readonly Change[] | undefined, source: SourceCell): boolean;
}

/** The items that pass, in order, cut to a stretch. */
export class Window implements Shown {
  readonly #options: WindowOptions;
  readonly #sorted: SortedList<Item>;

  constructor(options: WindowOptions) {
    this.#options = options;
    this.#sorted = new SortedList(options.compare, options.compareItems);
  }

  /** What it shows. */
  get stretch(): { readonly values: unknown[]; readonly tags: Item[] } {
    const first = this.#first;
    return this.#sorted.slice(first, first + this.#options.limit);
  }

  get #first(): number {
    const { after, offset } = this.#options;
    return offset + (after === undefined ? 0 : this.#sorted.placeBehind(...after));
  }

  take(changes: readonly Change[] | undefined, source: SourceCell): boolean {
    try {
      if (changes !== undefined) return this.#follow(changes);
    } catch {
      // What stood alone was never compared, and what it was may be nothing that can be.
    }
    const { passes } = this.#options;
    const entries: (readonly [unknown, Item])[] = [];
    for (const entry of source.entries()) if (passes(...entry)) entries.push(entry);
    this.#sorted.holdOnly(entries);
    return true;
  }

  #follow(changes: readonly Change[]): boolean {
    const { passes, limit } = this.#options;
    let isTouched = false;
    for (const { item, before, after } of changes) {
      if (before !== undefined && passes(before, item)) {
        const end = this.#first + limit;
        isTouched = this.#sorted.remove(before, item) < end || isTouched;
      }
      if (after !== undefined && passes(after, item))
        isTouched = this.#sorted.insert(after, item) < this.#first + limit || isTouched;
    }
    return isTouched;
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
