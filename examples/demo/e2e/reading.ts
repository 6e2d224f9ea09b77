import type { Locator, Page } from 'playwright';
import type { Visitor } from './browser.ts';

/** Helpers that read the content of a page. */
export class Reading {
  readonly #visitor: Visitor;

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
    await this.page.goto(this.#visitor.url + path);
  }

  /** Fetches from the API, to compare its answer with the page. */
  async api<Value>(path: string, init?: RequestInit): Promise<Value> {
    return (await (await fetch(`${this.#visitor.url}/api${path}`, init)).json()) as Value;
  }

  /** The requests that the page lists, newest first: `GET /api/posts 200 12 ms`. */
  async requests(): Promise<string[]> {
    await this.page.getByRole('tab', { name: 'Requests' }).click();
    const lines = await this.page.locator('.requests li').allTextContents();
    return lines.map((line) => line.replaceAll(/\s+/g, ' '));
  }

  async texts(selector: string): Promise<string[]> {
    const found = await this.main.locator(selector).allTextContents();
    return found.map((text) => text.replaceAll(/\s+/g, ' ').trim());
  }
}
