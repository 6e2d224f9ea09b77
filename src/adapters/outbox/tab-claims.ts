import { deferred } from '../../std/deferred.ts';
import { randomText } from '../../std/random-text.ts';

/** What an `OutboxManager` uses of `navigator.locks`. */
export interface ClaimLocks {
  request<Value>(name: string, options: object, run: () => Promise<Value>): Promise<Value>;
  query(): Promise<{ readonly held?: readonly { readonly name?: string; readonly mode?: string }[] }>;
}

/** The mode of a lock that a tab requests only to learn when another tab has ended. Several tabs can hold it. */
const WATCH = 'shared';

/** Finds out which tabs of the application are alive. Each tab holds a lock; the browser releases it when the tab ends or is killed. */
export class TabClaims {
  /** The name of this tab. */
  readonly id: string = randomText();
  readonly #prefix: string;
  readonly #locks: ClaimLocks | undefined;
  readonly #ended = deferred();
  #held: Promise<unknown> | undefined;
  /** The other tabs whose end this tab waits for. */
  readonly #watched = new Set<string>();
  readonly #stopped = new AbortController();

  constructor(name: string, locks: ClaimLocks | undefined) {
    this.#prefix = `rejoin ${name} `;
    this.#locks = locks;
  }

  /** Whether there can be other tabs. */
  get isShared(): boolean {
    return this.#locks !== undefined;
  }

  /**
   * Runs a function with the ids of the other tabs that are alive, while no other tab runs one. `wasLost`: whether the other tabs took this one for
   * ended, because the browser had released its lock. Safari does that to a page in the back/forward cache.
   */
  async alone<Value>(run: (alive: ReadonlySet<string>, wasLost: boolean) => Promise<Value>): Promise<Value> {
    const locks = this.#locks;
    if (locks === undefined) return run(new Set(), false);
    if (this.#held === undefined) this.#hold(locks);
    return locks.request(this.#prefix, {}, async () => {
      const { held = [] } = await locks.query();
      const tabs = held.flatMap(({ mode, name = '' }) =>
        name.startsWith(this.#prefix) && mode !== WATCH ? name.slice(this.#prefix.length) : [],
      );
      const wasLost = !tabs.includes(this.id);
      if (wasLost) this.#hold(locks);
      return run(new Set(tabs.filter((tab) => tab !== '' && tab !== this.id)), wasLost);
    });
  }

  /** Calls a function when another tab has ended. A tab that is watched already is not watched twice. */
  watch(tab: string, onEnd: () => void): void {
    if (tab === this.id || this.#watched.has(tab)) return;
    this.#watched.add(tab);
    const { signal } = this.#stopped;
    this.#locks
      ?.request(this.#prefix + tab, { mode: WATCH, signal }, () => Promise.resolve())
      .then(onEnd, ignore)
      .finally(() => this.#watched.delete(tab));
  }

  #hold(locks: ClaimLocks): void {
    // The browser may grant the lock only after `end()` was called. It then releases the lock at once.
    this.#held = locks.request(this.#prefix + this.id, {}, () => this.#ended.promise).catch(ignore);
  }

  /** Resolves when other tabs see this one as ended. */
  async end(): Promise<void> {
    this.#ended.resolve();
    this.#stopped.abort();
    await this.#held;
  }
}

/** Ignores errors of locks. If the page may not use locks, `alone` rejects with the same error. After `end()`, requests of locks are aborted. */
function ignore(): void {}
