import { actionTypes, type SubscribeAction } from '../../control/controller/action.ts';
import type { Dispatch } from '../../control/controller/manager.ts';
import { deferred, type Deferred } from '../../std/deferred.ts';
import type { TabLocks } from './tabs-browser.ts';

/** A subscribed request of this tab. */
interface SharedSubscription {
  readonly lock: string;
  /** One for each component that has subscribed. */
  readonly actions: SubscribeAction[];
  /** Set while this tab keeps the request up to date. */
  held: Deferred | undefined;
  waiting: AbortController;
}

/** Keeps each subscribed request up to date in one tab. When that tab is closed or hidden, the next one does it. */
export class SharedSubscriptions {
  readonly #locks: TabLocks;
  readonly #next: Dispatch;
  readonly #shared = new Map<string, SharedSubscription>();

  constructor(locks: TabLocks, next: Dispatch) {
    this.#locks = locks;
    this.#next = next;
  }

  get keys(): Iterable<string> {
    return this.#shared.keys();
  }

  async add(lock: string, action: SubscribeAction): Promise<void> {
    const known = this.#shared.get(action.key);
    const shared = known ?? { lock, actions: [], held: undefined, waiting: new AbortController() };
    shared.actions.push(action);
    if (known === undefined) {
      this.#shared.set(action.key, shared);
      void this.#hold(shared);
    } else if (shared.held !== undefined) await this.#next(action);
  }

  async remove(action: SubscribeAction): Promise<void> {
    const shared = this.#shared.get(action.key);
    const frequency = action.endpoint.pollFrequency;
    const at = shared?.actions.findIndex(({ endpoint }) => endpoint.pollFrequency === frequency) ?? -1;
    if (shared === undefined || at < 0) return;
    shared.actions.splice(at, 1);
    if (shared.actions.length === 0) this.#shared.delete(action.key);
    if (shared.held !== undefined) await this.#next(action);
    if (shared.actions.length > 0) return;
    shared.waiting.abort();
    shared.held?.resolve();
  }

  /** Passes the subscriptions on to the next tab. This tab becomes the last in the queue, and keeps them if there is no other tab. */
  yield(keys: Iterable<string> = this.keys): void {
    for (const key of keys) {
      const shared = this.#shared.get(key);
      if (shared?.held === undefined) continue;
      void this.#hold(shared);
      shared.held.resolve();
    }
  }

  /** Passes all subscriptions on, before the browser stops this tab, perhaps for hours. */
  pause(): void {
    for (const { held, waiting } of this.#shared.values()) {
      waiting.abort();
      held?.resolve();
    }
  }

  /** Continues after `pause()`. */
  resume(): void {
    for (const shared of this.#shared.values()) {
      if (!shared.waiting.signal.aborted) continue;
      shared.waiting = new AbortController();
      void this.#hold(shared);
    }
  }

  stop(): void {
    this.pause();
    this.#shared.clear();
  }

  async #hold(shared: SharedSubscription): Promise<void> {
    const { lock, actions, waiting } = shared;
    const hold = async (): Promise<void> => {
      const held = deferred();
      shared.held = held;
      const begun = [...actions];
      await Promise.all(begun.map((action) => this.#next(action)));
      await held.promise;
      if (shared.held === held) shared.held = undefined;
      const isYielding = actions.length > 0;
      if (isYielding)
        await Promise.all([...actions].map((action) => this.#next({ ...action, type: actionTypes.UNSUBSCRIBE })));
    };
    // The request for a lock that is no longer wanted is rejected.
    await this.#locks.request(lock, { signal: waiting.signal }, hold).catch(() => {});
  }
}
