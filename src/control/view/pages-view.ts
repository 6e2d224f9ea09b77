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
    return (this.#last = keepSamePages(this.#last, answerOfPages(this.#pages.map((page) => page.current()))));
  }

  subscribe(onChange: () => void): () => void {
    const stops = this.#pages.map((page) => page.subscribe(onChange));
    return () => {
      for (const stop of stops) stop();
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

  /** Reports only the pages that were not on the screen before. */
  shown(): void {
    for (const page of this.#pages) if (!this.#shown.has(page.key)) page.shown();
    this.#shown.clear();
    for (const { key } of this.#pages) this.#shown.add(key);
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
