import type { Platform } from '../../std/platform.ts';
import { MAX_TIMER_MS } from '../../std/platform.ts';

/** Lets code wait until other code calls `wake()`. */
export class Wakers {
  readonly #waiting = new Set<() => void>();

  /** Resolves all waiting promises. */
  wake(): void {
    const waiting = [...this.#waiting];
    this.#waiting.clear();
    for (const wake of waiting) wake();
  }

  /** Waits for `wake()`, or for some milliseconds. Resolves to true if the time ended first. Rejects if the signal aborts. */
  wait(
    signal: AbortSignal,
    milliseconds?: number,
    platform?: Pick<Platform, 'setTimeout' | 'clearTimeout'>,
  ): Promise<boolean> {
    signal.throwIfAborted();
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
        reject(signal.reason as Error);
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
