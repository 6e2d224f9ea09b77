import type { Platform } from '../../std/platform.ts';
import { LONGEST_TIMER } from '../../std/platform.ts';

/** Code that waits until something else happens. */
export class Wakers {
  readonly #waiting = new Set<() => void>();

  /** Resolves all waiting promises. */
  wake(): void {
    const waiting = [...this.#waiting];
    this.#waiting.clear();
    for (const wake of waiting) wake();
  }

  /** Waits for `wake()`, or for some milliseconds. Resolves to whether the time is over. Rejects if the signal aborts. */
  wait(
    signal: AbortSignal,
    milliseconds?: number,
    platform?: Pick<Platform, 'setTimeout' | 'clearTimeout'>,
  ): Promise<boolean> {
    signal.throwIfAborted();
    return new Promise((resolve, reject) => {
      const end = (): void => {
        this.#waiting.delete(over);
        signal.removeEventListener('abort', onAbort);
        platform?.clearTimeout(timer);
      };
      const finish = (isLate: boolean): void => {
        end();
        resolve(isLate);
      };
      const over = (): void => finish(false);
      const onAbort = (): void => {
        end();
        reject(signal.reason as Error);
      };
      const isTimed = milliseconds !== undefined;
      const timer = isTimed
        ? platform?.setTimeout(() => finish(true), Math.min(milliseconds, LONGEST_TIMER))
        : undefined;
      this.#waiting.add(over);
      signal.addEventListener('abort', onAbort);
    });
  }
}
