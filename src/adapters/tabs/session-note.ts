import type { TabsBrowser } from './tabs-browser.ts';

/**
 * Keeps the number of logouts outside of the page. Safari delivers no messages to a page in the back/forward cache, so such a page looks here, when
 * it goes on, whether the user has logged out on a later page.
 */
export class SessionNote {
  readonly #key: string;
  readonly #page: TabsBrowser['page'];

  constructor(name: string, page: TabsBrowser['page']) {
    this.#key = `${name} session`;
    this.#page = page;
  }

  read(): number {
    try {
      return Number(this.#storage?.getItem(this.#key) ?? 0);
    } catch {
      // The browser forbids it.
      return 0;
    }
  }

  write(session: number): void {
    try {
      this.#storage?.setItem(this.#key, String(session));
    } catch {
      // The browser forbids it, or it is full.
    }
  }

  /** `undefined` in workers. */
  get #storage(): Pick<Storage, 'getItem' | 'setItem'> | undefined {
    return this.#page.document && (globalThis as { readonly localStorage?: Storage }).localStorage;
  }
}
