import type { Locator, Page, Request } from 'playwright';
import type { Visitor } from './browser.ts';

/** Helpers that read the content of a page. */
export class Reading {
  readonly #visitor: Visitor;
  readonly #requests = new WeakMap<Page, string[]>();

  constructor(visitor: Visitor) {
    this.#visitor = visitor;
  }

  get page(): Page {
    return this.#visitor.page;
  }

  get main(): Locator {
    return this.page.getByRole('main');
  }

  async open(path: string): Promise<void> {
    this.#listen();
    await this.page.goto(this.#visitor.url + path);
  }

  /** Fetches from the API, to compare its answer with the page. */
  async api<Value>(path: string, init?: RequestInit): Promise<Value> {
    return (await (await fetch(`${this.#visitor.url}/api${path}`, init)).json()) as Value;
  }

  /** The requests to the API that the page has made and that have ended: `GET /api/posts 200`. */
  requests(): readonly string[] {
    return this.#requests.get(this.page) ?? [];
  }

  /** Sets the quality of the network of the page. */
  async network(name: string): Promise<void> {
    const changed = this.page.waitForResponse((response) => response.url().endsWith('/api/simulate'));
    await this.page.getByLabel('Network', { exact: true }).selectOption(name);
    await changed;
  }

  /** Keeps the changes that the page sends from the API, so that what it guesses stays on the screen until they are let through. */
  async holdChanges(): Promise<{ letThrough(): void }> {
    let release: (() => void) | undefined;
    const released = new Promise<void>((resolve) => (release = resolve));
    await this.page.route(/\/api\/(?!simulate)/, async (route) => {
      if (route.request().method() !== 'GET') await released;
      await route.continue();
    });
    return { letThrough: () => release?.() };
  }

  #listen(): void {
    const { page } = this;
    if (this.#requests.has(page)) return;
    const requests: string[] = [];
    this.#requests.set(page, requests);
    const note = (request: Request, how: number | string): void => {
      const { pathname, search } = new URL(request.url());
      if (pathname.startsWith('/api/') && pathname !== '/api/simulate')
        requests.push(`${request.method()} ${pathname}${search} ${how}`);
    };
    page.on('response', (response) => note(response.request(), response.status()));
    page.on('requestfailed', (request) => note(request, 'no answer'));
  }

  async texts(selector: string): Promise<string[]> {
    const found = await this.main.locator(selector).allTextContents();
    return found.map((text) => text.replaceAll(/\s+/g, ' ').trim());
  }
}
