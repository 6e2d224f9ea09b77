import { platform } from '../../std/platform.ts';
import { withTimeout } from '../../std/timeout.ts';

/** How long a call may take, in milliseconds. In Chromium, a tab that is killed during a write can block the Cache Storage for all tabs. */
const LONGEST_CALL = 1000;

/** The Cache Storage of the browser. It may be missing, refuse each call, or never answer. */
export class BrowserCaches {
  #isBlocked = false;

  static get areHere(): boolean {
    return cachesHere() !== undefined;
  }

  /** Whether a call has not been answered in time, and still is not. */
  get isBlocked(): boolean {
    return this.#isBlocked;
  }

  /** Never rejects. Resolves to `undefined` if the browser refuses, or does not answer in time; at once while an earlier call is not answered. */
  async use<Value>(run: (caches: CacheStorage) => Promise<Value>): Promise<Value | undefined> {
    const caches = cachesHere();
    if (caches === undefined || this.#isBlocked) return undefined;
    const answer = run(caches).catch(ignore);
    const onLate = (): undefined => {
      this.#isBlocked = true;
      void answer.then(() => (this.#isBlocked = false));
    };
    return (await withTimeout(answer, LONGEST_CALL, onLate, platform)) ?? undefined;
  }
}

function cachesHere(): CacheStorage | undefined {
  return (globalThis as { readonly caches?: CacheStorage }).caches;
}

function ignore(): undefined {}
