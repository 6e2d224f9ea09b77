import { type Action, actionTypes } from './action.ts';

interface Landing {
  readonly action: Action;
  readonly resolve: () => void;
  readonly reject: (error: unknown) => void;
}

/**
 * Brings actions to the store. Answers of the network that arrive in one turn land in one commit, so that readers are
 * told once; each stands or falls alone. Every other action takes effect at once, after the answers before it.
 */
export class Landings {
  readonly #apply: (action: Action) => void;
  readonly #batch: (run: () => void) => void;
  #waiting: Landing[] = [];

  constructor(apply: (action: Action) => void, batch: (run: () => void) => void) {
    this.#apply = apply;
    this.#batch = batch;
  }

  async take(action: Action): Promise<void> {
    if (action.type === actionTypes.SET_RESPONSE && action.request !== undefined) return this.#wait(action);
    this.#land();
    this.#apply(action);
  }

  #wait(action: Action): Promise<void> {
    if (this.#waiting.length === 0) queueMicrotask(() => this.#land());
    return new Promise((resolve, reject) => {
      this.#waiting.push({ action, resolve, reject });
    });
  }

  #land(): void {
    const landings = this.#waiting;
    if (landings.length === 0) return;
    this.#waiting = [];
    const errors = new Map<Landing, unknown>();
    this.#batch(() => {
      for (const landing of landings) this.#try(landing, errors);
    });
    for (const landing of landings) {
      if (errors.has(landing)) landing.reject(errors.get(landing));
      else landing.resolve();
    }
  }

  #try(landing: Landing, errors: Map<Landing, unknown>): void {
    try {
      this.#apply(landing.action);
    } catch (error) {
      errors.set(landing, error);
    }
  }
}
