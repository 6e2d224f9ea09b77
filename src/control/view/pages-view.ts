import { type Answer, type EarlierReader, type LiveView, MISSING, valueOf } from './answer.ts';
import type { RequestView } from './request-view.ts';

/** The pages of one component that are on the screen. The successive views of the component share it. */
export class ShownPages {
  readonly keys: Set<string> = new Set();
  /** How many of the views are subscribed. */
  views = 0;

  /** Call it when a view has unsubscribed. When no other has subscribed in its place, the pages have left the screen. */
  async leave(): Promise<void> {
    this.views--;
    await Promise.resolve();
    if (this.views === 0) this.keys.clear();
  }
}

/** Several pages as one answer: a list of pages, the same array until one of them changes. */
export class PagesView<Page = unknown> implements LiveView<readonly Page[]> {
  readonly #pages: readonly RequestView<Page>[];
  readonly #shown: ShownPages;
  #last: Answer<readonly Page[]> = MISSING;
  /** The last answer of `at`. */
  #lastAt: Answer<readonly Page[]> = MISSING;

  constructor(pages: readonly RequestView<Page>[], shown: ShownPages) {
    this.#pages = pages;
    this.#shown = shown;
  }

  current(): Answer<readonly Page[]> {
    return (this.#last = keepSamePages(this.#last, answerOfPages(this.#pages.map((page) => page.current()))));
  }

  subscribe(onChange: () => void): () => void {
    const stops = this.#pages.map((page) => page.subscribe(onChange));
    this.#shown.views++;
    return () => {
      for (const stop of stops) stop();
      void this.#shown.leave();
    };
  }

  at(earlier: EarlierReader): Answer<readonly Page[]> {
    return (this.#lastAt = keepSamePages(this.#lastAt, answerOfPages(this.#pages.map((page) => page.at(earlier)))));
  }

  /** Fetches every missing page. Resolves with the first of them. */
  fetchMissing(): Promise<void> {
    const [first = Promise.resolve()] = this.#pages
      .filter((page) => page.current().status === 'missing')
      .map((page) => page.fetchMissing());
    return first;
  }

  renew(...given: Parameters<RequestView['renew']>): void {
    for (const page of this.#pages) page.renew(...given);
  }

  /** Reports only the pages that were not on the screen before. */
  shown(): void {
    const { keys } = this.#shown;
    for (const page of this.#pages) if (!keys.has(page.key)) page.shown();
    keys.clear();
    for (const { key } of this.#pages) keys.add(key);
  }
}

/** Returns `before` if both answers have the same pages. */
function keepSamePages<Page>(before: Answer<readonly Page[]>, next: Answer<readonly Page[]>): Answer<readonly Page[]> {
  const last = valueOf(before);
  const pages = valueOf(next);
  return last !== undefined && pages?.every((page, at) => page === last[at]) === true ? before : next;
}

function answerOfPages<Page>(answers: readonly Answer<Page>[]): Answer<readonly Page[]> {
  const pages: Page[] = [];
  let failed: { readonly status: 'failed'; readonly error: unknown } | undefined;
  for (const answer of answers) {
    if (answer.status === 'missing') return answer;
    if (answer.status === 'failed') failed ??= { status: 'failed', error: answer.error };
    else pages.push(answer.value);
  }
  return failed ?? { status: 'fresh', value: pages };
}
