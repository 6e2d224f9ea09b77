import { callWith, type Exchange, type Refresh, type Version } from '../../define/endpoint/exchange.ts';
import type { EndpointInterface } from '../../define/endpoint/infer.ts';
import type { Retry } from '../../define/endpoint/retry.ts';
import { DataError } from '../../std/data-error.ts';
import type { Queryable } from '../../define/schema/infer.ts';
import { INVALID } from '../../define/schema/schema.ts';
import type { Store } from '../../state/store/store.ts';
import type { Responses } from '../view/responses.ts';
import { actionTypes, type FetchAction, type SetResponseAction } from './action.ts';
import { Fence } from './fence.ts';
import { type Doubted, doubtsOf, isRefusal, tell } from './doubts.ts';
import type { Asked, Flight } from './flight.ts';
import { Lines } from './lines.ts';
import type { Dispatch, Manager, Middleware, MiddlewareAPI } from './manager.ts';
import type { Mutations } from './mutations.ts';
import type { Slicing } from './slices.ts';
import { subjectOf } from './subject.ts';
import { delay, wait } from './waiting.ts';

export interface NetworkOptions {
  /** For how many milliseconds an answer is fresh, where the endpoint does not say. Default: 60,000. */
  readonly dataExpiryLength?: number;
  /** For how many milliseconds an error is kept, where the endpoint does not say. Default: 1,000. */
  readonly errorExpiryLength?: number;
  /** How REST requests that failed are sent again, where the endpoint does not say: `retrying()`. Default: not. */
  readonly retry?: Retry;
  /** What makes the credentials of REST requests anew after a 401, where the endpoint does not say. Default: nothing. */
  readonly refresh?: Refresh;
  /** How many REST requests to one origin run at a time. Default: 6. */
  readonly concurrency?: number;
  /** Files large answers away in slices, between which the page goes on moving. Default: each in one. */
  readonly slices?: Slicing;
}

/** Why a request that was under way will not be answered: everything it could be stored in was forgotten. */
export class ResetError extends DataError {
  override readonly name: string = 'ResetError';

  constructor() {
    super('request-reset', 'A request was under way while the store was emptied. Send it again if it is still wanted.');
  }
}

/**
 * Sends requests. Reads of one key share a request, unless a mutation settled since it was sent: what it answers may
 * be from before.
 */
export class Network implements Manager {
  readonly #expiry: Pick<SetResponseAction, 'dataExpiryLength' | 'errorExpiryLength'>;
  readonly #slices: Slicing | undefined;
  /** Requests under way, each with its controller. */
  readonly #flights = new Map<Flight, MiddlewareAPI>();
  /** Reads under way, and which of them others can share. */
  readonly #fence = new Fence();
  /** Mutations that failed and were not refused: the server has carried them out, or may have. */
  readonly #unsure = new Set<Flight>();
  readonly #retry: Retry | undefined;
  readonly #refreshed: Refresh | undefined;
  readonly #lines: Lines;
  #session = {};

  constructor(options: NetworkOptions = {}) {
    const { dataExpiryLength, errorExpiryLength } = options;
    this.#expiry = { dataExpiryLength, errorExpiryLength };
    this.#retry = options.retry;
    this.#refreshed = options.refresh;
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
        this.cleanup();
        return next(action);
      default:
        return next(action);
    }
  };

  /** Resolves when no request is under way any more. */
  async allSettled(): Promise<void> {
    await Promise.allSettled([...this.#flights.keys()].map(({ promise }) => promise));
  }

  #fetch(controller: MiddlewareAPI, action: FetchAction): Promise<void> {
    const { endpoint, key } = action;
    const flight = (endpoint.sideEffect ? undefined : this.#fence.shared(key)) ?? this.#send(controller, action);
    controller.answer(action, flight.promise);
    // What it resolves to is not for those to know who pass actions on.
    return flight.promise as Promise<void>;
  }

  #send(controller: MiddlewareAPI, action: FetchAction): Flight {
    const flight = controller.begin(action);
    this.#flights.set(flight, controller);
    if (!action.endpoint.sideEffect) this.#fence.share(flight);
    void this.#run(controller, flight);
    return flight;
  }

  async #run(controller: MiddlewareAPI, flight: Flight): Promise<void> {
    const { endpoint, args, key } = flight.asked;
    const isGuessed = endpoint.sideEffect && endpoint.getOptimisticResponse !== undefined;
    // What a guess deletes cannot be read any more.
    const before = isGuessed ? recordNow(controller.store, flight) : undefined;
    try {
      const guessed = isGuessed
        ? controller.dispatch({ type: actionTypes.OPTIMISTIC, endpoint, args, key, request: flight })
        : undefined;
      // It is waited for once the request is answered.
      guessed?.catch(() => {});
      const response = await this.#ask(controller, flight, before);
      if (guessed) await guessed;
      if (!this.#flights.has(flight)) return;
      const slicing = this.#slices?.slice(controller.store, flight, response, () => this.#flights.has(flight));
      const readAll = slicing && (await slicing);
      if (!this.#flights.has(flight)) return;
      controller.responses.landing.add(key);
      await controller.dispatch(this.#landing(controller, flight, response));
      if (readAll) {
        // It is answered, and done with for all but those who wait for its values.
        this.#over(controller, flight);
        await readAll();
      }
      this.#end(flight);
    } catch (error) {
      if (!this.#flights.has(flight)) return;
      flight.failure = { error };
      // The caller gets the error of the request, and not that of a manager which fails over it.
      await controller.dispatch(this.#landing(controller, flight, error)).catch(() => {});
      this.#end(flight);
    }
  }

  /** What a read waits for before it is sent; `undefined` for nothing. */
  protected beforeRead(): Promise<void> | undefined {
    return undefined;
  }

  /** Calls the endpoint. */
  async #ask(
    { store, mutations, responses }: MiddlewareAPI,
    flight: Flight,
    before: Known | undefined,
  ): Promise<unknown> {
    const { endpoint, args, key } = flight.asked;
    const turn = endpoint.sideEffect ? mutations.turns.take(flight) : this.beforeRead();
    if (turn !== undefined) await wait(turn, endpoint);
    if (!this.#flights.has(flight)) return undefined;
    let sent = mutations.temporaryPks.sendable(args);
    const hasWaited = (turn !== undefined && endpoint.sideEffect === true) || sent instanceof Promise;
    if (sent instanceof Promise) sent = await wait(sent, endpoint);
    if (!this.#flights.has(flight)) return undefined;
    if (hasWaited) delay(store, flight);
    const stored = (): Version | undefined => responses.storedVersion(key);
    const record = (): unknown => {
      // One that was still being created has become another record meanwhile.
      if (before !== undefined && sent === args && !hasWaited) return before.value;
      const subject = subjectOf(endpoint, sent);
      return subject && store.get(subject.entity as Queryable, subject.pk);
    };
    try {
      return await callWith(endpoint, this.#exchange(responses, flight, record, stored), sent);
    } catch (error) {
      const { isUnchanged, version } = flight.answered;
      if (isUnchanged !== true) throw error;
      if (stored() === version) return undefined;
      // What was stored has gone, or has been changed, meanwhile, and has to be sent after all.
      flight.answered = {};
      return callWith(endpoint, this.#exchange(responses, flight, record), sent);
    }
  }

  #exchange(
    responses: Responses,
    flight: Flight,
    record: () => unknown,
    stored: Exchange['stored'] = () => undefined,
  ): Exchange {
    const { endpoint, key } = flight.asked;
    return {
      key,
      session: this.#session,
      get signal() {
        flight.abort ??= new AbortController();
        if (flight.failure !== undefined) flight.abort.abort(flight.failure.error);
        return flight.abort.signal;
      },
      retry: this.#retry,
      refresh: this.#refreshed,
      answered: flight.answered,
      stored,
      record,
      version: (other) => {
        const { written, version } = responses.note(other);
        return written ?? version;
      },
      enter: (origin, signal) => this.#lines.enter(origin, Boolean(endpoint.sideEffect), signal),
    };
  }

  /** What a request came to, for the store. */
  #landing({ mutations }: MiddlewareAPI, flight: Flight, response: unknown): SetResponseAction {
    const { endpoint, args, key, fetchedAt } = flight.asked;
    const error = flight.failure !== undefined;
    const isPassed = this.#settle(mutations, flight, error);
    // What may be from before a mutation is no version to go by.
    if (isPassed) flight.answered.version = undefined;
    const isOutdated = isPassed && !mutations.isAny;
    const type = actionTypes.SET_RESPONSE;
    const { dataExpiryLength, errorExpiryLength } = this.#expiry;
    return {
      type,
      endpoint,
      args,
      key,
      request: flight,
      response,
      error,
      fetchedAt,
      isOutdated,
      dataExpiryLength,
      errorExpiryLength,
    };
  }

  /** A request is answered. Returns whether the answer may be from before a mutation. */
  #settle({ isAny }: Mutations, flight: Flight, isFailed: boolean): boolean {
    if (!flight.asked.endpoint.sideEffect) return !isFailed && this.#fence.land(flight, isAny);
    this.#fence.raise();
    if (!isFailed) return false;
    // It may have done its work, and no answer corrects what was read before that.
    this.#fence.doubt();
    const isUnsure = flight.answered.isRepeated === true || !isRefusal(flight.failure?.error);
    if (isUnsure) this.#unsure.add(flight);
    return false;
  }

  /** The application sets an answer: that of a request under way, or one that was not asked for. */
  async #settleFrom({ mutations }: MiddlewareAPI, action: SetResponseAction, next: Dispatch): Promise<void> {
    const { key, fetchedAt, response, error = false, isResolving = false } = action;
    const flight = [...this.#flights.keys()].find(
      ({ asked }) => isResolving && asked.key === key && asked.fetchedAt === fetchedAt,
    );
    if (flight === undefined) return next({ ...this.#expiry, ...action });
    if (error) flight.failure = { error: response };
    this.#settle(mutations, flight, error);
    await next({ ...this.#expiry, ...action, request: flight });
    this.#end(flight);
  }

  #end(flight: Flight): void {
    const controller = this.#flights.get(flight);
    if (controller === undefined) return;
    this.#flights.delete(flight);
    controller.responses.landing.delete(flight.asked.key);
    controller.mutations.end(flight);
    try {
      if (flight.failure !== undefined) throw flight.failure.error;
      flight.resolve(flight.read?.());
    } catch (error) {
      // It failed, or what was stored cannot be read.
      flight.reject(error);
    }
    this.#over(controller, flight);
  }

  #over(controller: MiddlewareAPI, flight: Flight): void {
    this.#fence.end(flight);
    if (!controller.mutations.isAny) this.#refresh(controller);
  }

  /** Answers that may be from before a mutation are stale, and what is shown of them is asked for again, once. */
  #refresh(controller: MiddlewareAPI): void {
    const outdated = this.#fence.takeOutdated();
    const doubted = [...controller.mutations.takeDoubted(), ...touched(controller, this.#unsure)];
    const refetched = controller.mutations.takeRefetched();
    if (outdated.size === 0 && doubted.length === 0 && refetched === undefined) return;
    const { store } = controller;
    const { stale, shown, ofRows } = doubtsOf(store, doubted, doubted.length === 0 ? [] : [...controller.shown()]);
    const wanted = new Map<string, Asked>(shown.map((request) => [request.key, request]));
    for (const [key, asked] of outdated) if (controller.isShown(key)) wanted.set(key, asked);
    if (refetched !== undefined)
      for (const request of controller.shown()) if (refetched(request.key)) wanted.set(request.key, request);
    for (const { endpoint, args } of wanted.values())
      // Asked for before the observers are told, so that what they ask for then shares the request.
      this.#askAgain(controller, endpoint, args);
    void controller.expireAll({
      testKey: (key) => outdated.has(key) || stale.has(key) || refetched?.(key) === true,
    });
    tell(store, ofRows);
  }

  #askAgain(controller: MiddlewareAPI, endpoint: EndpointInterface, args: readonly unknown[]): void {
    controller.request(endpoint, ...args).catch(() => {});
    const flight = this.#fence.shared(endpoint.key(...args));
    if (flight !== undefined) flight.isAskedAgain = true;
  }

  /** Ends every request, with an error for those who wait. */
  cleanup(): void {
    const flights = [...this.#flights];
    this.#flights.clear();
    this.#fence.clear();
    this.#unsure.clear();
    this.#session = {};
    for (const [flight, { mutations, responses }] of flights) {
      responses.landing.delete(flight.asked.key);
      // A failure may be the very reason for the reset.
      flight.failure ??= { error: new ResetError() };
      mutations.end(flight);
      flight.reject(flight.failure.error);
      flight.abort?.abort(flight.failure.error);
    }
  }
}

/** Takes what mutations may have changed, of which no answer tells. */
function touched({ mutations }: MiddlewareAPI, flights: Set<Flight>): readonly Doubted[] {
  const records = Array.from(flights, (flight) => [...mutations.touchedBy(flight)]).flat();
  flights.clear();
  return records;
}

/** The value of a record at a moment; `undefined` where there is none. */
interface Known {
  readonly value: unknown;
}

/** The record that a mutation is about, as readers see it now; `undefined` where that cannot be said. */
function recordNow(store: Store, { mutation }: Flight): Known | undefined {
  const subject = mutation?.subject;
  if (subject === undefined) return undefined;
  try {
    const value: unknown = store.read(subject.entity, subject.pk);
    return { value: value === INVALID ? undefined : value };
  } catch {
    // Who asks for it gets the error.
    return undefined;
  }
}
