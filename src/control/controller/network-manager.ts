import { callWith, type Refresh, type Version } from '../../define/endpoint/exchange.ts';
import type { EndpointInterface } from '../../define/endpoint/infer-endpoint.ts';
import type { Retry } from '../../define/endpoint/retry.ts';
import { DataError } from '../../std/data-error.ts';
import { messageOf } from '../../std/thrown.ts';
import { warn } from '../../std/warn.ts';
import type { Queryable } from '../../define/schema/infer-schema.ts';
import { INVALID } from '../../define/schema/schema.ts';
import type { Store } from '../../state/store/store.ts';
import { actionTypes, type FetchAction, type SetResponseAction } from './action.ts';
import { SharedReads } from './shared-reads.ts';
import { doubtsOf, tell } from './doubts.ts';
import type { EndpointCall, RequestInFlight } from './request-in-flight.ts';
import { OriginQueues } from './origin-queues.ts';
import { exchangeOf, type RequestLine } from './request-exchange.ts';
import type { Dispatch, Manager, Middleware, MiddlewareAPI } from './manager.ts';
import type { LeftByMutations, Mutations } from './mutations.ts';
import type { Slicing } from './slices.ts';
import { mutatedRecordOf } from './mutated-record.ts';
import { delay, wait } from './waiting.ts';

export interface NetworkManagerOptions {
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
export class NetworkManager implements Manager {
  readonly #expiry: Pick<SetResponseAction, 'dataExpiryLength' | 'errorExpiryLength'>;
  readonly #slices: Slicing | undefined;
  /** Requests under way, each with its controller. */
  readonly #requests = new Map<RequestInFlight, MiddlewareAPI>();
  /** Reads under way, and which of them others can share. */
  readonly #sharedReads = new SharedReads();
  /** The controllers that send through it, each with what ends that it hears of their mutations. */
  readonly #joined = new Map<MiddlewareAPI, () => void>();
  /** Mutations of before a reset that the server may still be carrying out. */
  readonly #forgotten = new Set<RequestInFlight>();
  #line: RequestLine;

  constructor(options: NetworkManagerOptions = {}) {
    const { dataExpiryLength, errorExpiryLength, retry, refresh, concurrency = 6 } = options;
    this.#expiry = { dataExpiryLength, errorExpiryLength };
    this.#line = { session: {}, retry, refresh, originQueues: new OriginQueues(concurrency) };
    this.#slices = options.slices;
  }

  readonly middleware: Middleware = (controller) => {
    this.#join(controller);
    return (next) => (action) => {
      switch (action.type) {
        case actionTypes.FETCH:
          return this.#fetch(controller, action);
        case actionTypes.SET_RESPONSE:
          return action.request === undefined ? this.#settleFrom(controller, action, next) : next(action);
        case actionTypes.RESET:
          this.#forget(true);
          return next(action);
        default:
          return next(action);
      }
    };
  };

  /** What is shown is asked for again also after mutations of other controllers of the store. */
  #join(controller: MiddlewareAPI): void {
    if (this.#joined.has(controller)) return;
    this.#joined.set(
      controller,
      controller.mutations.atRest((left) => this.#refreshAfter(controller, left)),
    );
  }

  /** Resolves when no request is under way any more. */
  async allSettled(): Promise<void> {
    await Promise.allSettled([...this.#requests.keys()].map(({ promise }) => promise));
  }

  #fetch(controller: MiddlewareAPI, action: FetchAction): Promise<void> {
    const { endpoint, key } = action;
    const { ended } = controller.mutations;
    const shared = endpoint.sideEffect ? undefined : this.#sharedReads.shared(key, ended);
    const request = shared ?? this.#send(controller, action);
    controller.answer(action, request.promise);
    // Typed void: middleware must not use the value.
    return request.promise as Promise<void>;
  }

  #send(controller: MiddlewareAPI, action: FetchAction): RequestInFlight {
    this.#join(controller);
    const request = controller.begin(action);
    this.#requests.set(request, controller);
    if (!action.endpoint.sideEffect) this.#sharedReads.share(request, controller.mutations.ended);
    void this.#run(controller, request);
    return request;
  }

  async #run(controller: MiddlewareAPI, request: RequestInFlight): Promise<void> {
    const { endpoint, args, key } = request.asked;
    const isGuessed = endpoint.sideEffect && endpoint.getOptimisticResponse !== undefined;
    // What a guess deletes cannot be read any more.
    const before = isGuessed ? recordNow(controller.store, request) : undefined;
    try {
      const guessed = isGuessed
        ? controller.dispatch({ type: actionTypes.OPTIMISTIC, endpoint, args, key, request: request })
        : undefined;
      // It is waited for once the request is answered.
      guessed?.catch(() => {});
      const response = await this.#ask(controller, request, before);
      if (guessed) await guessed;
      if (!this.#requests.has(request)) return this.#carriedOut(controller, request);
      const slicing = this.#slices?.slice(controller.store, request, response, () => this.#requests.has(request));
      const readAll = slicing && (await slicing);
      if (!this.#requests.has(request)) return;
      controller.responses.storing.add(key);
      await controller.dispatch(this.#answerAction(controller, request, response));
      if (readAll) {
        // It is answered; only its callers still wait, for the values.
        this.#over(controller, request);
        await readAll();
      }
      this.#end(request);
    } catch (error) {
      if (!this.#requests.has(request)) return this.#carriedOut(controller, request);
      request.failure = { error };
      // The caller gets the error of the request, and not that of a manager which fails over it.
      await controller
        .dispatch(this.#answerAction(controller, request, error))
        .catch((failure: unknown) =>
          warn(endpoint, 'request-unfinished', () => `The error of ${key} could not be stored: ${messageOf(failure)}`),
        );
      this.#end(request);
    }
  }

  /** What a read waits for before it is sent; `undefined` for nothing. */
  protected beforeRead(): Promise<void> | undefined {
    return undefined;
  }

  /** Calls the endpoint. */
  async #ask(
    { store, mutations, responses }: MiddlewareAPI,
    request: RequestInFlight,
    before: KnownValue | undefined,
  ): Promise<unknown> {
    const { endpoint, args, key } = request.asked;
    const turn = endpoint.sideEffect ? mutations.queues.take(request) : this.beforeRead();
    if (turn !== undefined) await wait(turn, endpoint);
    if (!this.#requests.has(request)) return undefined;
    let sent = mutations.temporaryPks.sendable(args);
    const hasWaited = (turn !== undefined && endpoint.sideEffect === true) || sent instanceof Promise;
    if (sent instanceof Promise) sent = await wait(sent, endpoint);
    if (!this.#requests.has(request)) return undefined;
    if (hasWaited) delay(store, request);
    const stored = (): Version | undefined => responses.storedVersion(key);
    const record = (): unknown => {
      // One that was still being created has become another record meanwhile.
      if (before !== undefined && sent === args && !hasWaited) return before.value;
      const subject = mutatedRecordOf(endpoint, sent);
      return subject && store.get(subject.entity as Queryable, subject.pk);
    };
    request.isSent = true;
    try {
      return await callWith(endpoint, exchangeOf(this.#line, responses, request, { record, stored }), sent);
    } catch (error) {
      const { isUnchanged, version } = request.answered;
      if (isUnchanged !== true) throw error;
      if (stored() === version) return undefined;
      // What was stored has gone, or has been changed, meanwhile, and has to be sent after all.
      request.answered = {};
      const changed = exchangeOf(this.#line, responses, request, { record, stored: () => undefined });
      return callWith(endpoint, changed, sent);
    }
  }

  /** What a request came to, for the store. */
  #answerAction({ mutations }: MiddlewareAPI, request: RequestInFlight, response: unknown): SetResponseAction {
    const { endpoint, args, key, fetchedAt } = request.asked;
    const error = request.failure !== undefined;
    const isPassed = this.#settle(mutations, request, error);
    // What may be from before a mutation is no version to go by.
    if (isPassed) request.answered.version = undefined;
    const isOutdated = isPassed && !mutations.isAny;
    const type = actionTypes.SET_RESPONSE;
    const { dataExpiryLength, errorExpiryLength } = this.#expiry;
    return {
      type,
      endpoint,
      args,
      key,
      request: request,
      response,
      error,
      fetchedAt,
      isOutdated,
      dataExpiryLength,
      errorExpiryLength,
    };
  }

  /** A request is answered. Returns whether the answer may be from before a mutation. */
  #settle(mutations: Mutations, request: RequestInFlight, isFailed: boolean): boolean {
    const { ended, isAny } = mutations;
    if (!request.asked.endpoint.sideEffect)
      return !isFailed && this.#sharedReads.answered(request, ended, isAny || this.#forgotten.size > 0);
    mutations.settle(request, isFailed);
    return false;
  }

  /** The application sets an answer: that of a request under way, or one that was not asked for. */
  async #settleFrom({ mutations }: MiddlewareAPI, action: SetResponseAction, next: Dispatch): Promise<void> {
    const { key, fetchedAt, response, error = false, isResolving = false } = action;
    const request = [...this.#requests.keys()].find(
      ({ asked }) => isResolving && asked.key === key && asked.fetchedAt === fetchedAt,
    );
    if (request === undefined) return next({ ...this.#expiry, ...action });
    if (error) request.failure = { error: response };
    this.#settle(mutations, request, error);
    await next({ ...this.#expiry, ...action, request: request });
    this.#end(request);
  }

  #end(request: RequestInFlight): void {
    const controller = this.#requests.get(request);
    if (controller === undefined) return;
    this.#requests.delete(request);
    controller.responses.storing.delete(request.asked.key);
    controller.mutations.end(request);
    try {
      if (request.failure !== undefined) throw request.failure.error;
      request.resolve(request.read?.());
    } catch (error) {
      // It failed, or what was stored cannot be read.
      request.reject(error);
    }
    this.#over(controller, request);
  }

  #over(controller: MiddlewareAPI, request: RequestInFlight): void {
    this.#sharedReads.end(request);
    controller.mutations.rest(request);
  }

  #refreshAfter(controller: MiddlewareAPI, left: LeftByMutations): void {
    try {
      this.#refresh(controller, left);
    } catch (error) {
      // Its callers have their answer already.
      const { endpoint, key } = left.last.asked;
      warn(
        endpoint,
        'request-unfinished',
        () => `What is shown could not be asked for again after ${key}: ${messageOf(error)}`,
      );
    }
  }

  /** Answers that may be from before a mutation are stale, and what is shown of them is asked for again, once. */
  #refresh(controller: MiddlewareAPI, { doubted, refetched }: LeftByMutations): void {
    const outdated = this.#sharedReads.takeOutdated(controller.mutations.ended, this.#forgotten.size === 0);
    if (outdated.size === 0 && doubted.length === 0 && refetched === undefined) return;
    const { store } = controller;
    const { stale, shown, ofRows } = doubtsOf(store, doubted, doubted.length === 0 ? [] : [...controller.shown()]);
    const wanted = new Map<string, EndpointCall>(shown.map((request) => [request.key, request]));
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
    const request = this.#sharedReads.shared(endpoint.key(...args), controller.mutations.ended);
    if (request !== undefined) request.isAskedAgain = true;
  }

  /** A mutation of before a reset is over: what was read meanwhile may be from before it. */
  #carriedOut(controller: MiddlewareAPI, request: RequestInFlight): void {
    if (!this.#forgotten.delete(request)) return;
    this.#settle(controller.mutations, request, true);
    this.#over(controller, request);
  }

  /** Ends every request, with an error for its callers. */
  cleanup(): void {
    for (const leave of this.#joined.values()) leave();
    this.#joined.clear();
    const ended = [...this.#requests];
    this.#forget(false);
    this.#forgotten.clear();
    // They may be carried out all the same, which is for other controllers of the store to ask.
    for (const [request, { mutations }] of ended) {
      this.#settle(mutations, request, true);
      mutations.rest(request);
    }
  }

  /**
   * Ends every request for its callers. A mutation that the server has may be carried out all the same: after a reset, its end is
   * waited for, as only that tells when.
   */
  #forget(isReset: boolean): void {
    const requests = [...this.#requests];
    this.#requests.clear();
    this.#sharedReads.clear();
    this.#line = { ...this.#line, session: {} };
    for (const [request, { mutations, responses }] of requests) {
      responses.storing.delete(request.asked.key);
      // A failure may be the very reason for the reset.
      request.failure ??= { error: new ResetError() };
      mutations.end(request);
      request.reject(request.failure.error);
      const isAtServer = request.isOnLine || (request.isSent && request.abort === undefined);
      if (isReset && isAtServer && request.asked.endpoint.sideEffect) this.#forgotten.add(request);
      else request.abort?.abort(request.failure.error);
    }
  }
}

/** The value of a record at a moment; `undefined` where there is none. */
interface KnownValue {
  readonly value: unknown;
}

/** The record that a mutation is about, as readers see it now; `undefined` where that cannot be said. */
function recordNow(store: Store, { mutation }: RequestInFlight): KnownValue | undefined {
  const subject = mutation?.subject;
  if (subject === undefined) return undefined;
  try {
    const value: unknown = store.read(subject.entity, subject.pk);
    return { value: value === INVALID ? undefined : value };
  } catch {
    // Its callers get the error.
    return undefined;
  }
}
