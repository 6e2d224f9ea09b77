import { reasonOf, throwIfAborted } from '../../std/cancelling.ts';
import { firstIndex } from '../../std/first-index.ts';
import type { Platform } from '../../std/platform.ts';
import type { QueuedEntry } from './outbox-entry.ts';

/** Ends a try. `isLost`: whether the origin could not be reached; `undefined` if that is not known, because the try was given up. */
export type EndTry = (isLost?: boolean) => void;

interface WaitingEntry {
  readonly entry: QueuedEntry;
  readonly begin: (end: EndTry) => void;
}

/** How many entries are tried at a time. A `NetworkManager` sends half as many, so the next ones are already noted as sent when it sends them. */
const MAX_TRIES = 12;
/** The longest wait before the second try, in milliseconds. */
const FIRST_DELAY = 1000;
/** The longest wait before any try, in milliseconds. */
const MAX_DELAY_MS = 60_000;

/** Draws the time in milliseconds until the next try, after some failures in a row. */
export function delayAfter(failures: number, { random }: Pick<Platform, 'random'>): number {
  return random() * Math.min(MAX_DELAY_MS, FIRST_DELAY * 2 ** failures);
}

/** The tries of entries at one origin. While it cannot be reached, one entry after another is tried, and the others wait for its answer. */
export class OriginTries {
  readonly #platform: Platform;
  readonly #onReached: () => void;
  /** In the order in which they were made. */
  #waiting: WaitingEntry[] = [];
  #running = 0;
  /** How often in a row the origin could not be reached. */
  #failures = 0;
  #isProbing = false;
  /** Whether the next try waits for its timer. */
  #isWaiting = false;
  #timer: unknown;

  /** `onReached` is called when a try shows that the origin can be reached again. */
  constructor(platform: Platform, onReached: () => void) {
    this.#platform = platform;
    this.#onReached = onReached;
  }

  /** Resolves when an entry may be tried, to a function that ends the try. */
  begin(entry: QueuedEntry, signal: AbortSignal): Promise<EndTry> {
    throwIfAborted(signal);
    return new Promise((resolve, reject) => {
      const onAbort = (): void => {
        this.#waiting = this.#waiting.filter((other) => other !== waiting);
        reject(reasonOf(signal));
      };
      const begin = (end: EndTry): void => {
        signal.removeEventListener('abort', onAbort);
        resolve(end);
      };
      const waiting = { entry, begin };
      const at = firstIndex(this.#waiting, (other) => !other.entry.isBefore(entry));
      this.#waiting.splice(at, 0, waiting);
      signal.addEventListener('abort', onAbort);
      // If the user makes an edit, the network may be back.
      if (entry.tries === 0 && entry.callers.length > 0) this.tryNow();
      else this.#next();
    });
  }

  /** Does not wait any longer for the next try, nor for the answer of the last one. */
  tryNow(): void {
    this.#isProbing = false;
    this.#stopWait();
    this.#next();
  }

  /** Begins no more tries. */
  close(): void {
    this.#waiting = [];
    this.#stopWait();
  }

  #next(): void {
    while (!this.#isWaiting && (this.#failures > 0 ? !this.#isProbing : this.#running < MAX_TRIES)) {
      const [next] = this.#waiting.splice(this.#failures > 0 ? this.#probe : 0, 1);
      if (next === undefined) return;
      next.begin(this.#begin());
    }
  }

  /** The index of the entry that was tried least: some fail again and again although the origin can be reached. */
  get #probe(): number {
    const tries = this.#waiting.map(({ entry }) => entry.tries);
    return tries.indexOf(tries.reduce((one, other) => Math.min(one, other), Infinity));
  }

  #begin(): EndTry {
    const isProbe = this.#failures > 0;
    this.#isProbing = isProbe;
    this.#running++;
    return (isLost) => {
      this.#running--;
      if (isProbe) this.#isProbing = false;
      // Entries that were tried together are lost together.
      if (isLost === true && (isProbe || this.#failures === 0))
        this.#wait(delayAfter(this.#failures++, this.#platform));
      if (isLost === false && this.#failures > 0) {
        this.#failures = 0;
        // Entries that were tried before are begun again, in their order among the others.
        this.#wait(0);
        if (isProbe) this.#onReached();
      }
      this.#next();
    };
  }

  #wait(milliseconds: number): void {
    this.#stopWait();
    this.#isWaiting = true;
    this.#timer = this.#platform.setTimeout(() => this.tryNow(), milliseconds);
  }

  #stopWait(): void {
    this.#isWaiting = false;
    this.#platform.clearTimeout(this.#timer);
  }
}
