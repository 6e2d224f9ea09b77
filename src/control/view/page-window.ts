import { memo } from '../../std/memo.ts';

/** The arguments of the shown pages, in order. */
export interface Pages {
  /** The key of the first request. Pages of another list have another key. */
  readonly key: string;
  readonly window: readonly unknown[];
  /** How many pages were added before the first one. */
  readonly before: number;
}

/** The end of the list to which a page is added. */
export type Side = 'next' | 'previous';

type KeyOf = (arg: unknown) => string;

interface KeptPages {
  readonly keyOf: KeyOf;
  /** How many pages are kept. */
  readonly limit: number;
}

/**
 * Adds a page at the end that has the page `from`. If there are more than `limit`, removes one at the other end. Does nothing if another page is at that
 * end by now, because pages would be missing between the two.
 */
export function withPage(pages: Pages, side: Side, from: unknown, arg: unknown, { keyOf, limit }: KeptPages): Pages {
  const { before, key, window } = pages;
  if (indexIn(pages, arg, keyOf) >= 0 || toward(side, window).at(-1) !== from) return pages;
  const most = Math.max(1, limit);
  if (side === 'previous')
    return { key, window: [arg, ...window].slice(0, most), before: Math.min(before + 1, most - 1) };
  const removed = Math.max(0, window.length + 1 - most);
  return { key, window: [...window, arg].slice(removed), before: Math.max(0, before - removed) };
}

/**
 * Returns a change that has the same result each time for the same pages. React runs a change again in each render while an earlier one is pending, and
 * other pages each time would be other readers, whose first render is corrected: the component would be rendered without end.
 */
export function repeatable(change: (before: Pages) => Pages): (before: Pages) => Pages {
  const results = new WeakMap<Pages, Pages>();
  return (before) => memo(results, before, () => change(before));
}

/** Returns a list in the direction in which `side` adds pages: reversed for `previous`. */
function toward<Item>(side: Side, list: readonly Item[]): readonly Item[] {
  return side === 'next' ? list : list.toReversed();
}

function pagesToward(side: Side, pages: Pages): Pages {
  const { before, key, window } = pages;
  return side === 'next' ? pages : { key, window: toward(side, window), before: window.length - 1 - before };
}

/** A place beyond the page `at`, in the order in which `side` adds pages, where records may be missing, and the argument of the page that has them. */
export interface Gap {
  readonly side: Side;
  readonly at: number;
  readonly arg: unknown;
}

/**
 * Returns the first place where records may be missing: a page names another page to follow than the one that is there, and its last item is on
 * none of those that follow. This happens if pages are found by a cursor, and a record was added before it. Pages in `filled` are skipped, because a
 * `name` that returns something else at each call would never fit. `name` is the option `next` or `previous`.
 */
export function gapIn(
  pages: Pages,
  values: readonly unknown[],
  side: Side,
  name: (page: unknown, arg: unknown, pages: readonly unknown[]) => unknown,
  { filled, keyOf }: { readonly filled: WeakSet<object>; readonly keyOf: KeyOf },
): Gap | undefined {
  const { before, window } = pagesToward(side, pages);
  const lists = toward(side, values);
  for (let at = before; at < lists.length - 1; at++) {
    const page = lists[at];
    const arg = name(page, window[at], toward(side, lists.slice(0, at + 1)));
    const isNamed = arg === undefined || keyOf(arg) === keyOf(window[at + 1]);
    const isFilled = filled.has(Object(page) as object);
    if (!isNamed && !isFilled && overlap(lists, at, lastOf(side, page)) < 0) return { side, at, arg };
  }
  return undefined;
}

/**
 * Puts the page that fills a gap in its place. It replaces the pages up to the one that has its last item and others after it, or else one
 * page. Adds the page before the gap to `filled`.
 */
export function withGapFilled(
  pages: Pages,
  { arg, at, side }: Gap,
  page: unknown,
  values: readonly unknown[],
  { filled, keyOf, limit }: KeptPages & { readonly filled: WeakSet<object> },
): Pages {
  const lists = toward(side, values);
  filled.add(Object(lists[at]) as object);
  const all = pagesToward(side, pages);
  const known = indexIn(all, arg, keyOf);
  const last = lastOf(side, page);
  const overlapped = overlap(lists, at, last);
  const isEnd = lastOf(side, lists[overlapped]) === last;
  const end = known > at ? known + 1 : overlapped < 0 ? at + 2 : overlapped + Number(isEnd);
  const window = [...all.window.slice(0, at + 1), arg, ...all.window.slice(end)].slice(0, Math.max(1, limit));
  return pagesToward(side, { ...all, window });
}

/** Returns the index of the last page after `at` that has an item; -1 if there is none. */
function overlap(lists: readonly unknown[], at: number, item: unknown): number {
  return lists.findLastIndex((page, index) => index > at && listOf(page).includes(item));
}

/** Returns the item of a page that is nearest to the page that `side` adds after it. */
function lastOf(side: Side, page: unknown): unknown {
  return toward(side, listOf(page)).at(-1);
}

function indexIn({ window }: Pages, arg: unknown, keyOf: KeyOf): number {
  const key = keyOf(arg);
  return window.findIndex((known) => keyOf(known) === key);
}

/** Returns the items of all pages, in order, each once. A page is a list or contains one. */
export function itemsOf(pages: readonly unknown[]): readonly unknown[] {
  return [...new Set(pages.flatMap(listOf))];
}

function listOf(page: unknown): readonly unknown[] {
  if (Array.isArray(page)) return page;
  return Object.values(Object(page) as object).find((member) => Array.isArray(member)) ?? [];
}
