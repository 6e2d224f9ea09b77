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

/** Adds a page at one end. If there are more than `limit`, removes one at the other end. */
export function withPage(pages: Pages, side: Side, arg: unknown, { keyOf, limit }: KeptPages): Pages {
  if (indexIn(pages, arg, keyOf) >= 0) return pages;
  const { before, key, window } = pages;
  const most = Math.max(1, limit);
  if (side === 'previous') return { key, window: [arg, ...window].slice(0, most), before: before + 1 };
  const removed = Math.max(0, window.length + 1 - most);
  return { key, window: [...window, arg].slice(removed), before: Math.max(0, before - removed) };
}

/** A place after the page `at` where records may be missing, and the argument of the page that has them. */
export interface Gap {
  readonly at: number;
  readonly arg: unknown;
}

/**
 * Returns the first place where records may be missing: a page names another next page than the one that is there, and its last item is on
 * no later page. This happens if pages are found by a cursor, and a record was added before it. Pages in `filled` are skipped, because a
 * `next` that returns something else at each call would never fit.
 */
export function gapIn(
  { before, window }: Pages,
  values: readonly unknown[],
  next: (page: unknown, arg: unknown, pages: readonly unknown[]) => unknown,
  { filled, keyOf }: { readonly filled: WeakSet<object>; readonly keyOf: KeyOf },
): Gap | undefined {
  for (let at = before; at < values.length - 1; at++) {
    const page = values[at];
    const arg = next(page, window[at], values.slice(0, at + 1));
    const isNext = arg === undefined || keyOf(arg) === keyOf(window[at + 1]);
    if (!isNext && overlap(values, at, page) < 0 && !filled.has(Object(page) as object)) return { at, arg };
  }
  return undefined;
}

/**
 * Puts the page that fills a gap in its place. It replaces the pages up to the one that has its last item and others after it, or else one
 * page.
 */
export function withoutGap(
  pages: Pages,
  { arg, at }: Gap,
  page: unknown,
  values: readonly unknown[],
  { keyOf, limit }: KeptPages,
): Pages {
  const { window } = pages;
  const known = indexIn(pages, arg, keyOf);
  const overlapped = overlap(values, at, page);
  const isEnd = listOf(values[overlapped]).at(-1) === listOf(page).at(-1);
  const end = known > at ? known + 1 : overlapped < 0 ? at + 2 : overlapped + Number(isEnd);
  return { ...pages, window: [...window.slice(0, at + 1), arg, ...window.slice(end)].slice(0, Math.max(1, limit)) };
}

/** Returns the index of the last page after `at` that has the last item of `page`; -1 if there is none. */
function overlap(values: readonly unknown[], at: number, page: unknown): number {
  const last = listOf(page).at(-1);
  return values.findLastIndex((value, index) => index > at && listOf(value).includes(last));
}

function indexIn({ window }: Pages, arg: unknown, keyOf: KeyOf): number {
  const key = keyOf(arg);
  return window.findIndex((known) => keyOf(known) === key);
}

/** The items of all pages, in order, each once. A page is a list or contains one. */
export function itemsOf(pages: readonly unknown[]): readonly unknown[] {
  return [...new Set(pages.flatMap(listOf))];
}

function listOf(page: unknown): readonly unknown[] {
  if (Array.isArray(page)) return page;
  return Object.values(Object(page) as object).find((member) => Array.isArray(member)) ?? [];
}
