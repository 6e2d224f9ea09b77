import type { FetchAction } from '../../control/controller/action.ts';
import type { Dispatch, MiddlewareAPI } from '../../control/controller/manager.ts';
import { ResetError } from '../../control/controller/reset-error.ts';
import type { Platform } from '../../std/platform.ts';
import type { TabChannel } from './tab-channel.ts';
import type { TabMessage } from './tab-message.ts';
import type { TabLocks } from './tabs-browser.ts';

const TAKEN = Symbol('taken');
/** The time between two questions to the tab that sends a read, in milliseconds. */
const QUESTION = 1000;
/** How many questions in a row it may leave unanswered. The browser has stopped such a tab, perhaps for hours. */
const MAX_UNANSWERED = 2;

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
  readonly #channel: Pick<TabChannel, 'post'>;
  readonly #platform: Pick<Platform, 'setTimeout' | 'clearTimeout'>;
  /** How many fetches of a key this tab is sending. */
  readonly #sending = new Map<string, number>();
  /** The reads of other tabs that this tab waits for. By key, how many questions are unanswered. */
  readonly #unanswered = new Map<string, number>();
  /** Whether the browser has stopped this tab. Messages may still arrive then, but no answers of a server. */
  isStopped = false;

  constructor(
    locks: TabLocks,
    answers: OtherTabAnswers,
    channel: Pick<TabChannel, 'post'>,
    platform: Pick<Platform, 'setTimeout' | 'clearTimeout'>,
  ) {
    this.#locks = locks;
    this.#answers = answers;
    this.#channel = channel;
    this.#platform = platform;
  }

  receive(message: TabMessage): void {
    if (message.type === 'sending') this.#unanswered.delete(message.key);
    else if (message.type === 'asked' && this.#sending.has(message.key) && !this.isStopped)
      this.#channel.post({ type: 'sending', key: message.key });
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
    const held = await this.#locks.request(lock, { ifAvailable: true }, async (free) => {
      if (free === null) return TAKEN;
      this.#unanswered.delete(key);
      return send();
    });
    if (held !== TAKEN) return;
    const isOurs = await this.#wait(lock, key, async () => {
      if (!isAnswered()) await this.#answers.arrival(key);
      if (!isAnswered()) return send();
      controller.answer(action, Promise.resolve(controller.getResponse(endpoint, ...args).data));
    });
    if (!isOurs) await send();
  }

  /** Runs a function when the lock is free. Returns false, and does not run it, if the tab that holds the lock does not answer. */
  async #wait(lock: string, key: string, run: () => Promise<void>): Promise<boolean> {
    if (this.#isUnanswered(key)) return this.#ask(key);
    const waiting = new AbortController();
    let timer: unknown;
    const askLater = (): void => {
      timer = this.#platform.setTimeout(() => (this.#ask(key) ? askLater() : waiting.abort()), QUESTION);
    };
    askLater();
    try {
      await this.#locks.request(lock, { signal: waiting.signal }, () => {
        this.#platform.clearTimeout(timer);
        this.#unanswered.delete(key);
        return run();
      });
      return true;
    } catch (error) {
      if (!waiting.signal.aborted) throw error;
      return false;
    }
  }

  #isUnanswered(key: string): boolean {
    return (this.#unanswered.get(key) ?? 0) > MAX_UNANSWERED;
  }

  /** Asks the tab that sends a read. Returns whether it is still waited for. */
  #ask(key: string): boolean {
    this.#unanswered.set(key, (this.#unanswered.get(key) ?? 0) + 1);
    this.#channel.post({ type: 'asked', key });
    return !this.#isUnanswered(key);
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
