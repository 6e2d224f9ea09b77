import { memo } from '../../std/memo.ts';
import type { UnknownError } from '../endpoint/options.ts';
import type { Refresh } from '../endpoint/exchange.ts';
import { thrown } from '../../std/thrown.ts';

/** The credentials that several requests share, with the function that refreshes them. */
export class Credentials {
  readonly #refresh: Refresh;
  #count = 0;
  #running: Promise<unknown> | undefined;

  constructor(refresh: Refresh) {
    this.#refresh = refresh;
  }

  /** How many times the credentials were refreshed. */
  get count(): number {
    return this.#count;
  }

  /**
   * Resolves when the credentials are newer than those of the failed request, which were the ones after `count` refreshes. Requests that
   * fail together share one refresh. Rejects if the refresh fails.
   */
  renew(refusal: UnknownError, count: number): Promise<unknown> {
    if (this.#count > count) return Promise.resolve();
    this.#running ??= this.#run(refusal).finally(() => (this.#running = undefined));
    return this.#running;
  }

  async #run(refusal: UnknownError): Promise<void> {
    if ((await this.#refresh(refusal)) === false) throw refusal;
    this.#count++;
  }
}

const shared = new WeakMap<object, WeakMap<Refresh, Credentials>>();

/** Returns the credentials that a function refreshes. Sessions share none: each controller has its own, and a reset begins a new one. */
export function credentialsOf(refresh: Refresh, session: object = refresh): Credentials {
  const ofSession = memo(shared, session, () => new WeakMap<Refresh, Credentials>());
  return memo(ofSession, refresh, () => new Credentials(refresh));
}

/** Runs `attempt`. After an answer of 401, calls `renew` and runs `attempt` once more. */
export async function withRefresh(
  attempt: () => Promise<unknown>,
  renew: (error: UnknownError) => Promise<unknown>,
): Promise<unknown> {
  try {
    return await attempt();
  } catch (error) {
    if (!isUnauthorized(error)) throw error;
    await renew(error).catch((reason: unknown) => {
      if (reason !== error) error.cause = reason;
      throw error;
    });
    return attempt();
  }
}

function isUnauthorized(error: unknown): error is UnknownError {
  return thrown(error).status === 401;
}
