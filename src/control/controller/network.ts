import { type Answered, callWith, type Exchange } from '../../define/endpoint/exchange.ts';
import type { Retry } from '../../define/endpoint/retry.ts';
import type { Ticket } from '../../state/store/requests.ts';
import { DataError } from '../../std/data-error.ts';
import { actionTypes, type FetchAction, type SetResponseAction } from './action.ts';
import { DATA_EXPIRY_LENGTH, ERROR_EXPIRY_LENGTH } from './apply.ts';
import { Fence } from './fence.ts';
import { Lines } from './lines.ts';
import type { Dispatch, Manager, Middleware, MiddlewareAPI } from './manager.ts';
import type { Slicing } from './slices.ts';

export interface NetworkOptions {
  /** For how many milliseconds an answer is fresh, where the endpoint does not say. Default: 60,000. */
  readonly dataExpiryLength?: number;
  /** For how many milliseconds an error is kept, where the endpoint does not say. Default: 1,000. */
  readonly errorExpiryLength?: number;
  /** How REST requests that failed are sent again, where the endpoint does not say. Default: not. */
  readonly retry?: Retry;
  /** How many REST requests to one origin run at a time. Default: 6. */
  readonly concurrency?: number;
  /** Files large answers away in slices, between which the page goes on moving. Default: each in one. */
  readonly slices?: Slicing;
}

/** Why a request that was under way will not be answered: everything it could be stored in was forgotten. */
export class ResetError extends DataError {
  constructor() {
    super('request-reset', 'A request was under way while the store was emptied. Send it again if it is still wanted.');
  }
}

interface Flight {
  readonly action: FetchAction;
  request: Ticket;
  /** Made for those who listen. */
  abort?: AbortController;
  /** Why nobody waits for it any more. */
  end?: unknown;
  readonly promise: Promise<unknown>;
  readonly resolve: (value: unknown) => void;
  readonly reject: (error: unknown) => void;
  /** Set once it has failed, while that is being stored. */
  failure?: { readonly error: unknown };
}

/** What a call of an endpoint gave. */
interface Asked {
  readonly response: unknown;
  readonly answered: Answered;
}

/**
 * Sends requests. Reads of one key share a request, unless a mutation settled since it was sent: what it answers may
 * be from before.
 */
export class Network implements Manager {
  readonly #expiry: Required<Pick<NetworkOptions, 'dataExpiryLength' | 'errorExpiryLength'>>;
  readonly #retry: Retry | undefined;
  readonly #lines: Lines;
  readonly #slices: Slicing | undefined;
  /** Requests under way. */
  readonly #flights = new Set<Flight>();
  /** Reads under way, and which of them others can share. */
  readonly #fence = new Fence<Flight>();
  #session = {};

  constructor(options: NetworkOptions = {}) {
    const { dataExpiryLength = DATA_EXPIRY_LENGTH, errorExpiryLength = ERROR_EXPIRY_LENGTH } = options;
    this.#expiry = { dataExpiryLength, errorExpiryLength };
    this.#retry = options.retry;
    this.#lines = new Lines(options.concurrency ?? 6);
    this.#slices = options.slices;
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
    const flight = (isMutation ? undefined : this.#fence.shared(action.key)) ?? this.#send(controller, action);
    controller.answer(action, flight.promise);
    await flight.promise;
  }

  #send(controller: MiddlewareAPI, action: FetchAction): Flight {
    const request = controller.begin(action.endpoint, action.args);
    const flight: Flight = { action, request, ...deferred() };
    this.#flights.add(flight);
    if (!action.endpoint.sideEffect) this.#fence.share(flight);
    void this.#run(controller, flight);
    return flight;
  }

  async #run(controller: MiddlewareAPI, flight: Flight): Promise<void> {
    const { action, request } = flight;
    const { endpoint, args, key } = action;
    try {
      const isGuessing = Boolean(endpoint.sideEffect) && endpoint.getOptimisticResponse !== undefined;
      const guessed = isGuessing
        ? controller.dispatch({ type: actionTypes.OPTIMISTIC, endpoint, args, key, request })
        : undefined;
      const [{ response, answered }] = await Promise.all([this.#ask(controller, flight), guessed]);
      if (!this.#flights.has(flight)) return;
      const slicing = this.#slice(controller, flight, response);
      const readAll = slicing && (await slicing);
      if (!this.#flights.has(flight)) return;
      await controller.dispatch(this.#landing(controller, flight, { response, answered }));
      if (readAll) {
        // It is answered, and done with for all but those who wait for its values.
        this.#over(controller, flight);
        await readAll();
      }
      this.#end(controller, flight, () => flight.resolve(controller.landed(flight.request)));
    } catch (error) {
      if (!this.#flights.has(flight)) return;
      flight.failure = { error };
      // Who waits gets the error of the request, and not that of a manager which fails over it.
      await controller.dispatch(this.#landing(controller, flight, { response: error, error: true })).catch(() => {});
      this.#end(controller, flight, () => flight.reject(error));
    }
  }

  /** What comes of a large read is made ready to land, in slices. */
  #slice(controller: MiddlewareAPI, flight: Flight, input: unknown): ReturnType<Slicing['slice']> {
    const { endpoint, args } = flight.action;
    if (endpoint.sideEffect || !endpoint.schema) return undefined;
    const given = { schema: endpoint.schema, input, args };
    return this.#slices?.slice(controller.store, flight.request, given, () => this.#flights.has(flight));
  }

  /** Calls the endpoint. */
  async #ask(controller: MiddlewareAPI, flight: Flight): Promise<Asked> {
    const { endpoint, args } = flight.action;
    const given = controller.sendable(args);
    if (!(given instanceof Promise)) return this.#call(controller, flight, given);
    const sent = await given;
    // A read that had to wait is asked for only now.
    if (!endpoint.sideEffect && this.#flights.has(flight)) {
      controller.abandon(flight.request);
      flight.request = controller.begin(endpoint);
    }
    return this.#call(controller, flight, sent);
  }

  async #call(controller: MiddlewareAPI, flight: Flight, args: readonly unknown[], isWhole = false): Promise<Asked> {
    const { endpoint, key } = flight.action;
    const answered: Answered = {};
    const exchange: Exchange = {
      key,
      session: this.#session,
      get signal() {
        flight.abort ??= new AbortController();
        if (flight.end !== undefined) flight.abort.abort(flight.end);
        return flight.abort.signal;
      },
      retry: this.#retry,
      answered,
      stored: () => (isWhole ? undefined : controller.storedVersion(key)),
      version: (other) => controller.version(other),
      enter: (origin, signal) => this.#lines.enter(origin, Boolean(endpoint.sideEffect), signal),
    };
    try {
      return { response: await callWith(endpoint, exchange, args), answered };
    } catch (error) {
      if (answered.isUnchanged !== true) throw error;
      // What was stored may have gone, or have been changed, meanwhile: then it has to be sent after all.
      const isThere = controller.storedVersion(key) === answered.version;
      return isThere ? { response: undefined, answered } : this.#call(controller, flight, args, true);
    }
  }

  #landing(
    controller: MiddlewareAPI,
    flight: Flight,
    answer: Pick<SetResponseAction, 'response' | 'answered' | 'error'>,
  ): SetResponseAction {
    const { endpoint, args, key, fetchedAt } = flight.action;
    const isPassed = this.#settle(controller, flight, answer.error === true);
    const isOutdated = isPassed && !this.#isWriting();
    // What may be from before a mutation is no version to go by.
    if (isPassed && answer.answered) answer.answered.version = undefined;
    const type = actionTypes.SET_RESPONSE;
    return { type, endpoint, args, key, request: flight.request, fetchedAt, isOutdated, ...answer, ...this.#expiry };
  }

  /** A request is answered. Gives whether that may be from before a mutation. */
  #settle(controller: MiddlewareAPI, flight: Flight, isFailed: boolean): boolean {
    if (!flight.action.endpoint.sideEffect) return !isFailed && this.#fence.land(flight, this.#isWriting());
    this.#fence.raise();
    // Its answer may come too late to correct what was read since then.
    if (controller.isOvertaken(flight.request)) this.#fence.doubt();
    return false;
  }

  #isWriting(): boolean {
    for (const { action } of this.#flights) if (action.endpoint.sideEffect) return true;
    return false;
  }

  /** Somebody else knows the answer: to a request that is under way, or of its own accord. */
  async #settleFrom(controller: MiddlewareAPI, action: SetResponseAction, next: Dispatch): Promise<void> {
    const flight = [...this.#flights].find(
      (one) => action.isResolving && one.action.key === action.key && one.action.fetchedAt === action.fetchedAt,
    );
    if (flight === undefined) return next({ ...this.#expiry, ...action });
    const { request, resolve, reject } = flight;
    this.#settle(controller, flight, action.error === true);
    if (action.error === true) flight.failure = { error: action.response };
    await next({ ...this.#expiry, ...action, request });
    this.#end(controller, flight, () =>
      action.error === true ? reject(action.response) : resolve(controller.landed(request)),
    );
  }

  #end(controller: MiddlewareAPI, flight: Flight, settle: () => void): void {
    if (!this.#flights.delete(flight)) return;
    settle();
    this.#over(controller, flight);
  }

  #over(controller: MiddlewareAPI, flight: Flight): void {
    this.#fence.end(flight);
    if (!this.#isWriting()) this.#refresh(controller);
  }

  /** Answers that may be from before a mutation are stale, and what is shown of them is asked for again, once. */
  #refresh(controller: MiddlewareAPI): void {
    const outdated = this.#fence.takeOutdated();
    if (outdated.size === 0) return;
    for (const [key, { endpoint, args }] of outdated)
      // Asked for before anybody is told, so that who asks then shares the request.
      if (controller.isShown(key)) controller.fetch(endpoint, ...args).catch(() => {});
    void controller.expireAll({ testKey: (key) => outdated.has(key) });
  }

  #rejectAll(controller: MiddlewareAPI | undefined): void {
    const flights = [...this.#flights];
    this.#flights.clear();
    this.#fence.clear();
    this.#session = {};
    for (const flight of flights) {
      controller?.abandon(flight.request);
      // A failure may be the very reason for the reset.
      flight.end = flight.failure === undefined ? new ResetError() : flight.failure.error;
      flight.reject(flight.end);
      flight.abort?.abort(flight.end);
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
