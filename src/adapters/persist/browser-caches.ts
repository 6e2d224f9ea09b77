import { platform } from '../../std/platform.ts';
import { withTimeout } from '../../std/timeout.ts';

/** How long a call may take, in milliseconds. In Chromium, a tab that is killed during a write can block the Cache Storage for all tabs. */
const MAX_CALL_MS = 1000;

/** The Cache Storage of the browser. It may be missing, refuse each call, or never answer. */
export class BrowserCaches {
  /** For a call that is still not answered: how many milliseconds its caller waited. */
  #waited = 0;
  /** Called when a call is answered late. */
  onLateAnswer: () => void = () => {};

  /** Whether this page has a Cache Storage. */
  static get exist(): boolean {
    return cachesHere() !== undefined;
  }

  /** Whether a call that was not answered in time is still not answered. */
  get isBlocked(): boolean {
    return this.#waited > 0;
  }

  /**
   * Never rejects. Resolves to `undefined` if the browser refuses, or does not answer in time. Resolves to `undefined` at once if an earlier call
   * that got as much time is still not answered.
   */
  async use<Value>(
    run: (caches: CacheStorage) => Promise<Value>,
    milliseconds: number = MAX_CALL_MS,
  ): Promise<Value | undefined> {
    const caches = cachesHere();
    if (caches === undefined || this.#waited >= milliseconds) return undefined;
    // Cloudflare Workers lack most of the methods. These throw, although they return promises elsewhere.
    const answer = (async () => run(caches))().catch(ignore);
    const onLate = (): undefined => {
      this.#waited = milliseconds;
      void answer.then(() => this.#noteAnswer());
    };
    return (await withTimeout(answer, milliseconds, onLate, platform)) ?? undefined;
  }

  #noteAnswer(): void {
    this.#waited = 0;
    this.onLateAnswer();
  }
}

/** A frame without an origin of its own throws when the member is read. */
function cachesHere(): CacheStorage | undefined {
  try {
    return (globalThis as { readonly caches?: CacheStorage }).caches;
  } catch {
    return undefined;
  }
}

function ignore(): undefined {}
