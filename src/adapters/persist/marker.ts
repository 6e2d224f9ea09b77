import { localText, setLocalText } from '../../std/page-text.ts';
import { BrowserCaches } from './browser-caches.ts';

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
    return localText(this.#key) === '1' || (await this.#caches.use((caches) => caches.has(this.#key))) === true;
  }

  /** If the browser forbids it, nothing is remembered. */
  async set(isSet: boolean): Promise<void> {
    setLocalText(this.#key, isSet ? '1' : undefined);
    await this.#caches.use((caches): Promise<unknown> => caches[isSet ? 'open' : 'delete'](this.#key));
  }
}
