import type { Refresh } from '../../define/endpoint/exchange.ts';
import { checkRetry, type Retry } from '../../define/endpoint/retry.ts';
import { actionTypes } from './action.ts';
import { OriginQueues } from './origin-queues.ts';
import type { Manager, Middleware, MiddlewareAPI } from './manager.ts';
import { Network, type NetworkParts } from './network.ts';
import type { Slicing } from './slices.ts';

/** The options of `NetworkManager`. */
export interface NetworkManagerOptions {
  /** How many milliseconds an answer is fresh, unless the endpoint sets it. Default: 60,000. */
  readonly dataExpiryLength?: number;
  /** How many milliseconds an error is kept, unless the endpoint sets it. Default: 1,000. */
  readonly errorExpiryLength?: number;
  /** How failed REST requests are sent again, unless the endpoint sets it: `retrying()`. Default: not at all. */
  readonly retry?: Retry;
  /** Renews the credentials of REST requests after a 401, unless the endpoint sets it. Default: none. */
  readonly refresh?: Refresh;
  /** The largest number of REST requests to one origin at a time. Default: 6. */
  readonly concurrency?: number;
  /** Stores large answers in slices, so that the page stays responsive. Default: each answer at once. */
  readonly slices?: Slicing;
}

/**
 * Sends requests. Reads of one key share a request, unless a mutation settled since it was sent: its answer may have data
 * from before the mutation.
 */
export class NetworkManager implements Manager {
  readonly #parts: NetworkParts;
  /** The requests of each controller that sends through this manager. */
  readonly #networks = new Map<MiddlewareAPI, Network>();

  constructor(options: NetworkManagerOptions = {}) {
    const { dataExpiryLength, errorExpiryLength, retry, refresh, slices, concurrency = 6 } = options;
    checkRetry(retry);
    this.#parts = {
      expiry: { dataExpiryLength, errorExpiryLength },
      retry,
      refresh,
      slices,
      originQueues: new OriginQueues(concurrency),
      beforeRead: () => this.beforeRead(),
    };
  }

  readonly middleware: Middleware = (controller) => {
    const network = new Network(controller, this.#parts);
    this.#networks.set(controller, network);
    return (next) => (action) => {
      switch (action.type) {
        case actionTypes.FETCH:
          this.#networks.set(controller, network);
          return network.fetch(action);
        case actionTypes.SET_RESPONSE:
          return action.request === undefined ? network.settleFrom(action, next) : next(action);
        default:
          return next(action);
      }
    };
  };

  /** Returns a promise that reads wait for before they are sent; `undefined` for none. */
  protected beforeRead(): Promise<void> | undefined {
    return undefined;
  }

  /** Resolves when the requests that are in flight now are over. */
  async allSettled(): Promise<void> {
    await Promise.all(Array.from(this.#networks.values(), async (network) => network.allSettled()));
  }

  /** Ends every request, with an error for its callers. */
  cleanup(): void {
    for (const controller of this.#networks.keys()) this.release(controller);
  }

  /** Ends the requests of one controller, which is disposed while another one goes on with this manager. */
  release(controller: MiddlewareAPI): void {
    this.#networks.get(controller)?.end();
    this.#networks.delete(controller);
  }
}
