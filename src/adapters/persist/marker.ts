/** What of a page is used. In workers, there is no `localStorage`. */
interface MarkerPage {
  readonly document?: unknown;
  readonly localStorage?: Pick<Storage, 'getItem' | 'setItem' | 'removeItem'>;
  readonly caches?: CacheStorage;
}

/** The Cache Storage of this page. `undefined` where there is none. */
export function cachesHere(): CacheStorage | undefined {
  return (globalThis as MarkerPage).caches;
}

/**
 * Remembers outside of a storage that it had entries, so that a storage that was emptied is not taken for a new one. In two places: a
 * browser that is killed can lose what `localStorage` got in the last seconds, and one that needs space deletes the Cache Storage too.
 */
export class Marker {
  readonly #key: string;

  constructor(name: string) {
    this.#key = `rejoin ${name}`;
  }

  async isSet(): Promise<boolean> {
    try {
      return localStorageHere()?.getItem(this.#key) === '1' || (await cachesHere()?.has(this.#key)) === true;
    } catch {
      return false;
    }
  }

  /** If the browser forbids it, nothing is remembered. */
  async set(isSet: boolean): Promise<void> {
    try {
      await cachesHere()?.[isSet ? 'open' : 'delete'](this.#key);
      localStorageHere()?.[isSet ? 'setItem' : 'removeItem'](this.#key, '1');
    } catch {
      // There is no other place.
    }
  }
}

function localStorageHere(): MarkerPage['localStorage'] {
  const page = globalThis as MarkerPage;
  return page.document === undefined ? undefined : page.localStorage;
}
