import { deferred, type Deferred } from '../../std/deferred.ts';

/** What is used of `navigator.locks`. */
interface PageLocks {
  request(name: string, options: object, run: () => Promise<void>): Promise<void>;
  query(): Promise<{ readonly held?: readonly { readonly name?: string }[] }>;
}

/**
 * Tells which tabs with pending mutations are alive: each holds a lock with the key of its entry, until the entry is deleted or the tab has
 * ended. Where the browser has no locks, each tab counts as ended.
 */
export class PendingLocks {
  readonly #prefix: string;
  #held: Deferred | undefined;

  constructor(name: string) {
    this.#prefix = `rejoin ${name} `;
  }

  /** Resolves when the lock is held, or the browser has refused it. */
  async hold(key: string): Promise<void> {
    const locks = locksHere();
    if (locks === undefined || this.#held !== undefined) return;
    const [begun, held] = [deferred(), deferred()];
    this.#held = held;
    const run = (): Promise<void> => {
      begun.resolve();
      return held.promise;
    };
    locks.request(this.#prefix + key, {}, run).catch(begun.resolve);
    await begun.promise;
  }

  release(): void {
    this.#held?.resolve();
    this.#held = undefined;
  }

  /** The keys of the entries whose tabs are alive. Never rejects. */
  async alive(): Promise<ReadonlySet<string>> {
    try {
      const { held = [] } = (await locksHere()?.query()) ?? {};
      // Keys are random, so no lock of another name ends with one.
      return new Set(held.map(({ name = '' }) => name.slice(this.#prefix.length)));
    } catch {
      return new Set();
    }
  }
}

function locksHere(): PageLocks | undefined {
  return (globalThis as { readonly navigator?: { readonly locks?: PageLocks } }).navigator?.locks;
}
