import type { FetchAction } from '../../control/controller/action.ts';
import type { Dispatch, MiddlewareAPI } from '../../control/controller/manager.ts';
import { ResetError } from '../../control/controller/reset-error.ts';
import type { TabLocks } from './tabs-browser.ts';

const TAKEN = Symbol('taken');

/** The answers that commits of other tabs bring. */
export interface OtherTabAnswers {
  /** The issue at which the latest mutation of any tab ended. */
  readonly mutatedAt: number;
  /** Resolves when a commit has stored the answer of a request, or after some time without such a commit. */
  arrival(key: string): Promise<void>;
}

/** Sends a read in one tab at a time. The others wait for its answer. The browser frees the lock of a tab that is closed. */
export class SharedRequests {
  readonly #locks: TabLocks;
  readonly #answers: OtherTabAnswers;
  /** How many fetches of a key this tab is sending. */
  readonly #sending = new Map<string, number>();

  constructor(locks: TabLocks, answers: OtherTabAnswers) {
    this.#locks = locks;
    this.#answers = answers;
  }

  async fetch(lock: string, controller: MiddlewareAPI, action: FetchAction, next: Dispatch): Promise<void> {
    const { key, endpoint, args } = action;
    // The network manager shares requests within a tab.
    if (this.#sending.has(key)) return this.#send(action, next);
    const { store } = controller;
    const { resets } = store.writer.core.tickets;
    const before = store.result(key)?.stamp;
    const isAnswered = (): boolean => {
      const stamp = store.result(key)?.stamp;
      if (stamp === undefined || stamp === before || stamp.expiresAt <= controller.now()) return false;
      // An answer that was requested before a mutation was over may be from before the mutation.
      return stamp.issue > this.#answers.mutatedAt;
    };
    const send = async (): Promise<void> => {
      if (store.writer.core.tickets.resets === resets) return this.#send(action, next);
      controller.answer(action, Promise.reject(new ResetError()));
    };
    const held = await this.#locks.request(lock, { ifAvailable: true }, async (free) =>
      free === null ? TAKEN : send(),
    );
    if (held !== TAKEN) return;
    await this.#locks.request(lock, {}, async () => {
      if (!isAnswered()) await this.#answers.arrival(key);
      if (!isAnswered()) return send();
      controller.answer(action, Promise.resolve(controller.getResponse(endpoint, ...args).data));
    });
  }

  async #send(action: FetchAction, next: Dispatch): Promise<void> {
    const { key } = action;
    this.#sending.set(key, (this.#sending.get(key) ?? 0) + 1);
    try {
      await next(action);
    } finally {
      const left = (this.#sending.get(key) ?? 1) - 1;
      if (left > 0) this.#sending.set(key, left);
      else this.#sending.delete(key);
    }
  }
}
