import { type Answer, type EarlierReader, type LiveView, MISSING, valueOf } from './answer.ts';
import type { RequestView } from './request-view.ts';

/** Several pages as one answer: a list of pages, the same array until one of them changes. */
export class PagesView<Page = unknown> implements LiveView<readonly Page[]> {
  readonly #pages: readonly RequestView<Page>[];
  /** The keys of the pages on the screen. */
  readonly #shown: Set<string>;
  #last: Answer<readonly Page[]> = MISSING;
  /** The last answer of `at`. */
  #lastAt: Answer<readonly Page[]> = MISSING;

  /** `shown` is shared by the successive views of one component. */
  constructor(pages: readonly RequestView<Page>[], shown: Set<string>) {
    this.#pages = pages;
    this.#shown = shown;
  }

  current(): Answer<readonly Page[]> {
    return (this.#last = sameOr(this.#last, together(this.#pages.map((page) => page.current()))));
  }

  subscribe(onChange: () => void): () => void {
    const stops = this.#pages.map((page) => page.subscribe(onChange));
    return () => {
      for (const stop of stops) stop();
    };
  }

  at(earlier: EarlierReader): Answer<readonly Page[]> {
    return (this.#lastAt = sameOr(this.#lastAt, together(this.#pages.map((page) => page.at(earlier)))));
  }

  /** Fetches every missing page. Resolves with the first of them. */
  ask(): Promise<void> {
    const [first = Promise.resolve()] = this.#pages
      .filter((page) => page.current().status === 'missing')
      .map((page) => page.ask());
    return first;
  }

  /** Reports only the pages that were not on the screen before. */
  shown(): void {
    for (const page of this.#pages) if (!this.#shown.has(page.key)) page.shown();
    this.#shown.clear();
    for (const { key } of this.#pages) this.#shown.add(key);
  }
}

/** Returns `before` if both answers have the same pages. */
function sameOr<Page>(before: Answer<readonly Page[]>, next: Answer<readonly Page[]>): Answer<readonly Page[]> {
  const last = valueOf(before);
  const pages = valueOf(next);
  return last !== undefined && pages?.every((page, at) => page === last[at]) === true ? before : next;
}

function together<Page>(answers: readonly Answer<Page>[]): Answer<readonly Page[]> {
  const pages: Page[] = [];
  let failed: { readonly status: 'failed'; readonly error: unknown } | undefined;
  for (const answer of answers) {
    if (answer.status === 'missing') return answer;
    if (answer.status === 'failed') failed ??= { status: 'failed', error: answer.error };
    else pages.push(answer.value);
  }
  return failed ?? { status: 'fresh', value: pages };
}

/** The arguments of the shown pages, in order. */
export interface Pages {
  /** The key of the first request. Pages of another list have another key. */
  readonly key: string;
  readonly window: readonly unknown[];
}

/** The end of the list to which a page is added. */
export type Side = 'next' | 'previous';

/** Adds a page at one end. If there are more than `limit`, removes one at the other end. */
export function withPage(
  pages: Pages,
  side: Side,
  arg: unknown,
  limit: number,
  keyOf: (arg: unknown) => string,
): Pages {
  const key = keyOf(arg);
  if (pages.window.some((known) => keyOf(known) === key)) return pages;
  const window = side === 'next' ? [...pages.window, arg] : [arg, ...pages.window];
  const most = Math.max(1, limit);
  return { key: pages.key, window: side === 'next' ? window.slice(-most) : window.slice(0, most) };
}

/** The items of all pages, in order, each once. A page is a list or contains one. */
export function itemsOf(pages: readonly unknown[]): readonly unknown[] {
  return [...new Set(pages.flatMap(listOf))];
}

function listOf(page: unknown): readonly unknown[] {
  if (Array.isArray(page)) return page;
  return Object.values(Object(page) as object).find((member) => Array.isArray(member)) ?? [];
}
