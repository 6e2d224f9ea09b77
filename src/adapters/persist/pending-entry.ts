import { deferred, type Deferred } from '../../std/deferred.ts';
import { randomText } from '../../std/random-text.ts';
import { PENDING } from './saved-entries.ts';

/** What is used of `navigator.locks`. */
interface PageLocks {
  request(name: string, options: object, run: () => Promise<void>): Promise<void>;
  query(): Promise<{ readonly held?: readonly { readonly name?: string }[] }>;
}

/** The mutations of a store. */
export interface PendingMutations {
  readonly isAny: boolean;
  readonly pendingRecords: { watch(onChange: () => void): () => void };
}

/**
 * The entry that says that a mutation of this tab is pending. The tab holds a lock with the key of the entry until the entry is deleted or the tab has ended,
 * so that other starts know which tabs with pending mutations are alive. Where the browser has no locks, each tab counts as ended.
 */
export class PendingEntry {
  readonly key: string = PENDING + randomText();
  /** Whether it is on the disk, or is about to be. */
  isSaved = false;
  readonly #prefix: string;
  #held: Deferred | undefined;

  constructor(name: string) {
    this.#prefix = `rejoin ${name} `;
  }

  /** Resolves when the lock is held, or the browser has refused it. */
  async hold(): Promise<void> {
    const locks = locksHere();
    if (!locks || this.#held) return;
    const [begun, held] = [deferred(), deferred()];
    this.#held = held;
    const run = (): Promise<void> => {
      begun.resolve();
      return held.promise;
    };
    locks.request(this.#prefix + this.key, {}, run).catch(begun.resolve);
    await begun.promise;
  }

  release(): void {
    this.#held?.resolve();
    this.#held = undefined;
  }

  /** Returns the keys of the entries whose tabs are alive. Never rejects. */
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
