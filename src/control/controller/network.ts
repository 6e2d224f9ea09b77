import type { Ticket } from '../../state/store/requests.ts';
import { DataError } from '../../std/data-error.ts';
import { actionTypes, type FetchAction, type SetResponseAction } from './action.ts';
import { DATA_EXPIRY_LENGTH, ERROR_EXPIRY_LENGTH } from './apply.ts';
import type { Dispatch, Manager, Middleware, MiddlewareAPI } from './manager.ts';

export interface NetworkOptions {
  /** For how many milliseconds an answer is fresh, where the endpoint does not say. Default: 60,000. */
  readonly dataExpiryLength?: number;
  /** For how many milliseconds an error is kept, where the endpoint does not say. Default: 1,000. */
  readonly errorExpiryLength?: number;
}

/** Why a request that was under way will not be answered: everything it could be stored in was forgotten. */
export class ResetError extends DataError {
  constructor() {
    super('request-reset', 'A request was under way while the store was emptied. Send it again if it is still wanted.');
  }
}

interface Flight {
  readonly action: FetchAction;
  readonly request: Ticket;
  readonly promise: Promise<unknown>;
  readonly resolve: (value: unknown) => void;
  readonly reject: (error: unknown) => void;
  /** Set once it has failed, while that is being stored. */
  failure?: { readonly error: unknown };
}

/**
 * Sends requests. Reads of one key share a request, unless a mutation settled since it was sent: what it answers may
 * be from before.
 */
export class Network implements Manager {
  readonly #options: Required<NetworkOptions>;
  /** Requests under way. */
  readonly #flights = new Set<Flight>();
  /** Reads that others can share, by request key. */
  readonly #shared = new Map<string, Flight>();

  constructor(options: NetworkOptions = {}) {
    const { dataExpiryLength = DATA_EXPIRY_LENGTH, errorExpiryLength = ERROR_EXPIRY_LENGTH } = options;
    this.#options = { dataExpiryLength, errorExpiryLength };
  }

  readonly middleware: Middleware = (controller) => (next) => (action) => {
    switch (action.type) {
      case actionTypes.FETCH:
        return this.#fetch(controller, action);
      case actionTypes.SET_RESPONSE:
        return action.request === undefined ? this.#settleFrom(controller, action, next) : next(action);
      case actionTypes.RESET:
        this.#rejectAll(controller);
        return next(action);
      default:
        return next(action);
    }
  };

  /** Ends every request, with an error for those who wait. */
  cleanup(): void {
    this.#rejectAll(undefined);
  }

  /** Resolves when no request is under way any more. */
  async allSettled(): Promise<void> {
    await Promise.allSettled([...this.#flights].map(({ promise }) => promise));
  }

  async #fetch(controller: MiddlewareAPI, action: FetchAction): Promise<void> {
    const isMutation = Boolean(action.endpoint.sideEffect);
    const flight = (isMutation ? undefined : this.#shared.get(action.key)) ?? this.#send(controller, action);
    controller.answer(action, flight.promise);
    await flight.promise;
  }

  #send(controller: MiddlewareAPI, action: FetchAction): Flight {
    const flight: Flight = { action, request: controller.begin(action.endpoint), ...deferred() };
    this.#flights.add(flight);
    if (!action.endpoint.sideEffect) this.#shared.set(action.key, flight);
    void this.#run(controller, flight);
    return flight;
  }

  async #run(controller: MiddlewareAPI, flight: Flight): Promise<void> {
    const { action, request } = flight;
    const { endpoint, args, key } = action;
    const call = async (): Promise<unknown> => endpoint(...args);
    try {
      const isGuessing = Boolean(endpoint.sideEffect) && endpoint.getOptimisticResponse !== undefined;
      const guessed = isGuessing
        ? controller.dispatch({ type: actionTypes.OPTIMISTIC, endpoint, args, key, request })
        : undefined;
      const [response] = await Promise.all([call(), guessed]);
      if (!this.#flights.has(flight)) return;
      await controller.dispatch(this.#landing(flight, response, false));
      this.#end(flight, () => flight.resolve(controller.landed(request)));
    } catch (error) {
      if (!this.#flights.has(flight)) return;
      flight.failure = { error };
      // Who waits gets the error of the request, and not that of a manager which fails over it.
      await controller.dispatch(this.#landing(flight, error, true)).catch(() => {});
      this.#end(flight, () => flight.reject(error));
    }
  }

  #landing(flight: Flight, response: unknown, error: boolean): SetResponseAction {
    const { action, request } = flight;
    const { endpoint, args, key, fetchedAt } = action;
    this.#fence(flight);
    const isOutdated = !endpoint.sideEffect && this.#shared.get(key) !== flight;
    const type = actionTypes.SET_RESPONSE;
    return { type, endpoint, args, key, response, error, request, fetchedAt, isOutdated, ...this.#options };
  }

  /** Somebody else knows the answer: to a request that is under way, or of its own accord. */
  async #settleFrom(controller: MiddlewareAPI, action: SetResponseAction, next: Dispatch): Promise<void> {
    const flight = [...this.#flights].find(
      (one) => action.isResolving && one.action.key === action.key && one.action.fetchedAt === action.fetchedAt,
    );
    if (flight === undefined) return next({ ...this.#options, ...action });
    const { request, resolve, reject } = flight;
    this.#fence(flight);
    if (action.error === true) flight.failure = { error: action.response };
    await next({ ...this.#options, ...action, request });
    this.#end(flight, () => (action.error === true ? reject(action.response) : resolve(controller.landed(request))));
  }

  #end(flight: Flight, settle: () => void): void {
    if (!this.#flights.delete(flight)) return;
    const { key } = flight.action;
    if (this.#shared.get(key) === flight) this.#shared.delete(key);
    settle();
  }

  /** What was asked for before a mutation settled may be from before; one that failed may have done its work too. */
  #fence({ action }: Flight): void {
    if (action.endpoint.sideEffect) this.#shared.clear();
  }

  #rejectAll(controller: MiddlewareAPI | undefined): void {
    const flights = [...this.#flights];
    this.#flights.clear();
    this.#shared.clear();
    for (const { request, reject, failure } of flights) {
      controller?.abandon(request);
      // A failure may be the very reason for the reset.
      reject(failure === undefined ? new ResetError() : failure.error);
    }
  }
}

function deferred(): Pick<Flight, 'promise' | 'resolve' | 'reject'> {
  let settle: Pick<Flight, 'resolve' | 'reject'> | undefined;
  const promise = new Promise<unknown>((resolve, reject) => {
    settle = { resolve, reject };
  });
  // Who waits hears of it; a poll that nobody waits for must not end the process.
  promise.catch(() => {});
  return { promise, ...(settle as unknown as Pick<Flight, 'resolve' | 'reject'>) };
}
