import { BrowserCaches } from './browser-caches.ts';

/** The globals of a page that are used. In workers, there is no `localStorage`. */
interface MarkerPage {
  readonly document?: unknown;
  readonly localStorage?: Pick<Storage, 'getItem' | 'setItem' | 'removeItem'>;
}

/**
 * Remembers outside of a storage that it had entries, so that a storage that was emptied is not taken for a new one. In two places: a
 * browser that is killed can lose the last seconds of `localStorage`, and one that needs space deletes the Cache Storage too.
 */
export class Marker {
  readonly #key: string;
  readonly #caches = new BrowserCaches();

  constructor(name: string) {
    this.#key = `rejoin ${name}`;
  }

  async isSet(): Promise<boolean> {
    return isInLocalStorage(this.#key) || (await this.#caches.use((caches) => caches.has(this.#key))) === true;
  }

  /** If the browser forbids it, nothing is remembered. */
  async set(isSet: boolean): Promise<void> {
    try {
      localStorageHere()?.[isSet ? 'setItem' : 'removeItem'](this.#key, '1');
    } catch {
      // The Cache Storage may still take it.
    }
    await this.#caches.use((caches): Promise<unknown> => caches[isSet ? 'open' : 'delete'](this.#key));
  }
}

function isInLocalStorage(key: string): boolean {
  try {
    return localStorageHere()?.getItem(key) === '1';
  } catch {
    return false;
  }
}

function localStorageHere(): MarkerPage['localStorage'] {
  const page = globalThis as MarkerPage;
  return page.document === undefined ? undefined : page.localStorage;
}
