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
  hold(key: string): Promise<void> {
    const locks = locksHere();
    if (locks === undefined || this.#held !== undefined) return Promise.resolve();
    const held = deferred();
    this.#held = held;
    return new Promise((resolve) => {
      const run = (): Promise<void> => {
        resolve();
        return held.promise;
      };
      locks.request(this.#prefix + key, {}, run).catch(resolve);
    });
  }

  release(): void {
    this.#held?.resolve();
    this.#held = undefined;
  }

  /** The keys of the entries whose tabs are alive. Never rejects. */
  async alive(): Promise<ReadonlySet<string>> {
    try {
      const { held = [] } = (await locksHere()?.query()) ?? {};
      return new Set(
        held.map(({ name = '' }) => (name.startsWith(this.#prefix) ? name.slice(this.#prefix.length) : '')),
      );
    } catch {
      return new Set();
    }
  }
}

function locksHere(): PageLocks | undefined {
  return (globalThis as { readonly navigator?: { readonly locks?: PageLocks } }).navigator?.locks;
}
