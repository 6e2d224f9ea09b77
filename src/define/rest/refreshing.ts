import type { UnknownError } from '../endpoint/options.ts';
import type { Refresh } from '../endpoint/exchange.ts';
import { thrown } from '../../std/thrown.ts';

/** The credentials that requests share: how often they were made anew, and how that is done. */
export class Credentials {
  readonly #refresh: Refresh;
  #count = 0;
  #running: Promise<unknown> | undefined;

  constructor(refresh: Refresh) {
    this.#refresh = refresh;
  }

  /** How often they were refreshed. */
  get count(): number {
    return this.#count;
  }

  /**
   * Resolves when the credentials are newer than those of a request that got a 401, which are named by `count`. Requests that
   * met it together share one refresh. Rejects where there is none to be had.
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

/** The credentials that a function refreshes. Controllers share none, nor do users of one: a reset begins another session. */
export function credentialsOf(refresh: Refresh, session: object = refresh): Credentials {
  const ofSession = shared.get(session) ?? new WeakMap<Refresh, Credentials>();
  shared.set(session, ofSession);
  const credentials = ofSession.get(refresh) ?? new Credentials(refresh);
  ofSession.set(refresh, credentials);
  return credentials;
}

/** Runs `attempt`, and once more where it was refused because of its credentials and `renew` has made them anew. */
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
