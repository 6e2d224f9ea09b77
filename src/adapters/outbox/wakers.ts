import { reasonOf, throwIfAborted } from '../../std/cancelling.ts';
import type { Platform } from '../../std/platform.ts';
import { MAX_TIMER_MS } from '../../std/platform.ts';

interface Waiting {
  /** The longest time to wait. */
  readonly milliseconds?: number;
  readonly platform?: Pick<Platform, 'setTimeout' | 'clearTimeout'>;
}

/** Lets code wait until other code calls `wake()`. */
export class Wakers {
  readonly #waiting = new Set<() => void>();

  /** Resolves the waiting promises. */
  wake(): void {
    for (const wake of [...this.#waiting]) wake();
  }

  /** Waits for `wake()`, or for some milliseconds. Resolves to true if the time ended first. Rejects if the signal aborts. */
  wait(signal: AbortSignal, { milliseconds, platform }: Waiting = {}): Promise<boolean> {
    throwIfAborted(signal);
    return new Promise((resolve, reject) => {
      const stop = (): void => {
        this.#waiting.delete(wake);
        signal.removeEventListener('abort', onAbort);
        platform?.clearTimeout(timer);
      };
      const finish = (isLate: boolean): void => {
        stop();
        resolve(isLate);
      };
      const wake = (): void => finish(false);
      const onAbort = (): void => {
        stop();
        reject(reasonOf(signal));
      };
      const isTimed = milliseconds !== undefined;
      const timer = isTimed
        ? platform?.setTimeout(() => finish(true), Math.min(milliseconds, MAX_TIMER_MS))
        : undefined;
      this.#waiting.add(wake);
      signal.addEventListener('abort', onAbort);
    });
  }
}
