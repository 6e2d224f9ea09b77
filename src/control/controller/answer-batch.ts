import { type Action, actionTypes } from './action.ts';

/**
 * Applies actions to the store. Answers that arrive in one turn of the event loop are stored in one commit, so that readers are
 * notified once. An answer that fails does not affect the others. Every other action takes effect at once, after the answers before it.
 */
export class AnswerBatch {
  readonly #apply: (action: Action) => void;
  readonly #batch: (run: () => void) => void;
  /** Applies an answer and settles the promise of its dispatch. */
  #waiting: (() => void)[] = [];

  constructor(apply: (action: Action) => void, batch: (run: () => void) => void) {
    this.#apply = apply;
    this.#batch = batch;
  }

  take(action: Action): Promise<void> {
    const isAnswer = action.type === actionTypes.SET_RESPONSE && action.request !== undefined;
    return isAnswer ? this.#wait(action) : this.#applyNow(action);
  }

  async #applyNow(action: Action): Promise<void> {
    this.#applyAll();
    this.#apply(action);
  }

  #wait(action: Action): Promise<void> {
    if (this.#waiting.length === 0) void Promise.resolve().then(() => this.#applyAll());
    return new Promise((resolve, reject) => {
      this.#waiting.push(() => {
        try {
          resolve(this.#apply(action));
        } catch (error) {
          reject(error);
        }
      });
    });
  }

  #applyAll(): void {
    const waiting = this.#waiting;
    this.#waiting = [];
    const applyAll = (): void => {
      for (const apply of waiting) apply();
    };
    if (waiting.length > 1) this.#batch(applyAll);
    else applyAll();
  }
}
