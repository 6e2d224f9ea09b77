import { abortWith } from '../../std/cancelling.ts';
import { callWith, type Refresh, type Version } from '../../define/endpoint/exchange.ts';
import { checkRetry, type Retry } from '../../define/endpoint/retry.ts';
import { sentenceOf } from '../../std/thrown.ts';
import { warn } from '../../std/warn.ts';
import type { Queryable } from '../../define/schema/infer-schema.ts';
import { actionTypes, type FetchAction, type SetResponseAction } from './action.ts';
import { refetchShown } from './refetch-shown.ts';
import { type KnownValue, recordNow } from './record-before.ts';
import { ResetError } from './reset-error.ts';
import { shareAnswer } from './shared-answer.ts';
import { readsAlike, SharedReads } from './shared-reads.ts';
import type { RequestInFlight } from './request-in-flight.ts';
import { OriginQueues } from './origin-queues.ts';
import { RequestExchange, type RequestParts } from './request-exchange.ts';
import type { Dispatch, Manager, Middleware, MiddlewareAPI } from './manager.ts';
import type { Mutations } from './mutations.ts';
import type { Slicing } from './slices.ts';
import { mutatedRecordOf } from './mutated-record.ts';
import { orderFromNow, wait } from './waiting.ts';

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
  readonly #expiry: Pick<SetResponseAction, 'dataExpiryLength' | 'errorExpiryLength'>;
  readonly #slices: Slicing | undefined;
  /** Requests in flight, each with its controller. */
  readonly #requests = new Map<RequestInFlight, MiddlewareAPI>();
  /** Reads in flight, and which of them another fetch can share. */
  readonly #sharedReads = new SharedReads();
  /** The controllers that send through this manager, each with its unsubscribe function. */
  readonly #listening = new Map<MiddlewareAPI, () => void>();
  /** Mutations from before a reset that the server may still be carrying out. */
  readonly #forgotten = new Set<RequestInFlight>();
  #parts: RequestParts;

  constructor(options: NetworkManagerOptions = {}) {
    const { dataExpiryLength, errorExpiryLength, retry, refresh, concurrency = 6 } = options;
    checkRetry(retry);
    this.#expiry = { dataExpiryLength, errorExpiryLength };
    this.#parts = { session: {}, retry, refresh, originQueues: new OriginQueues(concurrency) };
    this.#slices = options.slices;
  }

  readonly middleware: Middleware = (controller) => {
    this.#listen(controller);
    return (next) => (action) => {
      switch (action.type) {
        case actionTypes.FETCH:
          return this.#fetch(controller, action);
        case actionTypes.SET_RESPONSE:
          return action.request === undefined ? this.#settleFrom(controller, action, next) : next(action);
        default:
          return next(action);
      }
    };
  };

  /** Listens to all controllers of the store: shown data in doubt is fetched again after the last mutation, and a reset ends the requests in flight. */
  #listen(controller: MiddlewareAPI): void {
    if (this.#listening.has(controller)) return;
    this.#listening.set(
      controller,
      controller.mutations.onIdle(
        (left) => refetchShown(controller, left, this.#sharedReads, this.#forgotten.size === 0),
        () => this.#forget(true),
      ),
    );
  }

  /** Resolves when the requests that are in flight now are over. */
  async allSettled(): Promise<void> {
    await Promise.allSettled([...this.#requests.keys()].map(({ promise }) => promise));
  }

  #fetch(controller: MiddlewareAPI, action: FetchAction): Promise<void> {
    const promise = this.#promiseOf(controller, action);
    controller.answer(action, promise);
    // Typed void: middleware must not use the value.
    return promise as Promise<void>;
  }

  /** Returns the promise of a read in flight that this fetch can share, or of a new request. */
  #promiseOf(controller: MiddlewareAPI, action: FetchAction): Promise<unknown> {
    const { ended } = controller.mutations;
    const shared = action.endpoint.sideEffect ? undefined : this.#sharedReads.shared(action, ended);
    if (shared === undefined || !readsAlike(shared.call, action)) return this.#send(controller, action).promise;
    return shareAnswer(shared, action, controller.store, () => this.#promiseOf(controller, action));
  }

  #send(controller: MiddlewareAPI, action: FetchAction): RequestInFlight {
    this.#listen(controller);
    const request = controller.begin(action);
    this.#requests.set(request, controller);
    if (!action.endpoint.sideEffect) this.#sharedReads.share(request, controller.mutations.ended);
    void this.#run(controller, request);
    return request;
  }

  async #run(controller: MiddlewareAPI, request: RequestInFlight): Promise<void> {
    const { endpoint, args, key } = request.call;
    const isGuessed = endpoint.sideEffect && endpoint.getOptimisticResponse !== undefined;
    // Read before the guess: a record that the guess deletes cannot be read afterwards.
    const before = isGuessed ? recordNow(controller.store, request) : undefined;
    try {
      const guessed = isGuessed
        ? controller.dispatch({ type: actionTypes.OPTIMISTIC, endpoint, args, key, request })
        : undefined;
      // Awaited below, after the request was answered.
      guessed?.catch(() => {});
      const response = await this.#callEndpoint(controller, request, before);
      if (guessed) await guessed;
      if (!this.#requests.has(request)) return this.#endForgotten(controller, request);
      const slicing = this.#slices?.slice(controller.store, request, response, () => this.#requests.has(request));
      const readAll = slicing && (await slicing);
      if (!this.#requests.has(request)) return;
      controller.responses.storing.add(key);
      await controller.dispatch(this.#answerAction(controller, request, response));
      if (readAll) {
        // The request is answered. Only its callers still wait for the values.
        this.#noteEnd(controller, request);
        await readAll();
      }
      this.#end(request);
    } catch (error) {
      if (!this.#requests.has(request)) return this.#endForgotten(controller, request);
      request.failure = { error };
      try {
        await controller.dispatch(this.#answerAction(controller, request, error));
      } catch (failure) {
        // The caller gets the error of the request, not the error of a manager that could not handle it.
        warn(endpoint, 'request-unfinished', () => `The error of ${key} could not be stored: ${sentenceOf(failure)}`);
      }
      this.#end(request);
    }
  }

  /** A promise that reads wait for before they are sent; `undefined` for none. */
  protected beforeRead(): Promise<void> | undefined {
    return undefined;
  }

  /** Calls the endpoint, after waiting for queues and for creates that the arguments mention. */
  async #callEndpoint(
    { store, mutations, responses }: MiddlewareAPI,
    request: RequestInFlight,
    before: KnownValue | undefined,
  ): Promise<unknown> {
    const { endpoint, args, key } = request.call;
    const turn = endpoint.sideEffect ? mutations.turnOf(request) : this.beforeRead();
    if (turn !== undefined) await wait(turn, endpoint);
    if (!this.#requests.has(request)) return undefined;
    let sent = mutations.temporaryPks.sendable(args);
    const hasWaited = (turn !== undefined && endpoint.sideEffect === true) || sent instanceof Promise;
    if (sent instanceof Promise) sent = await wait(sent, endpoint);
    if (!this.#requests.has(request)) return undefined;
    sent = request.mutation?.argsNow(sent) ?? sent;
    if (hasWaited) orderFromNow(store, request, mutations.ended.all);
    const stored = (): Version | undefined => responses.storedVersion(key);
    const record = (): unknown => {
      // A record that was still being created has its real pk by now, so it is read again.
      if (before !== undefined && sent === args && !hasWaited) return before.value;
      const mutatedRecord = mutatedRecordOf(endpoint, sent, store);
      return mutatedRecord && store.get(mutatedRecord.entity as Queryable, mutatedRecord.pk);
    };
    request.sentArgs = sent;
    if (sent !== args) mutations.noteSentRecord(request, mutatedRecordOf(endpoint, sent, store));
    try {
      return await callWith(endpoint, new RequestExchange(this.#parts, responses, request, { record, stored }), sent);
    } catch (error) {
      const { isUnchanged, version } = request.answered;
      if (isUnchanged !== true) throw error;
      if (stored() === version) return undefined;
      // The server answered 304, but the stored answer was removed or has changed since. The request is sent again for the whole answer.
      request.answered = {};
      const changed = new RequestExchange(this.#parts, responses, request, { record, stored: () => undefined });
      return callWith(endpoint, changed, sent);
    }
  }

  /** The action that stores the answer or error of a request. */
  #answerAction({ mutations }: MiddlewareAPI, request: RequestInFlight, response: unknown): SetResponseAction {
    const { endpoint, key, fetchedAt } = request.call;
    const { sentArgs: args = request.call.args } = request;
    const error = request.failure !== undefined;
    const mayPredateMutation = this.#settle(mutations, request, error);
    // An answer that may have data from before a mutation must not be revalidated by its version.
    if (mayPredateMutation) request.answered.version = undefined;
    const isOutdated = mayPredateMutation && !mutations.isAny;
    const type = actionTypes.SET_RESPONSE;
    return { type, endpoint, args, key, request, response, error, fetchedAt, isOutdated, ...this.#expiry };
  }

  /** Notes that a request was answered. Returns whether the answer may have data from before a mutation. */
  #settle(mutations: Mutations, request: RequestInFlight, isFailed: boolean): boolean {
    const { ended, isAny } = mutations;
    if (!request.call.endpoint.sideEffect)
      return !isFailed && this.#sharedReads.noteAnswer(request, ended, isAny || this.#forgotten.size > 0);
    mutations.settle(request, isFailed);
    return false;
  }

  /** Stores an answer that the application sets, for a request in flight or without one. */
  async #settleFrom({ mutations }: MiddlewareAPI, action: SetResponseAction, next: Dispatch): Promise<void> {
    const { key, fetchedAt, response, error = false, isResolving = false } = action;
    const request = [...this.#requests.keys()].find(
      ({ call }) => isResolving && call.key === key && call.fetchedAt === fetchedAt,
    );
    if (request === undefined) return next({ ...this.#expiry, ...action });
    if (error) request.failure = { error: response };
    this.#settle(mutations, request, error);
    await next({ ...this.#expiry, ...action, request });
    this.#end(request);
  }

  #end(request: RequestInFlight): void {
    const controller = this.#requests.get(request);
    if (controller === undefined) return;
    this.#requests.delete(request);
    controller.responses.storing.delete(request.call.key);
    controller.mutations.end(request);
    try {
      if (request.failure !== undefined) throw request.failure.error;
      request.resolve(request.read?.());
    } catch (error) {
      // The request failed, or the stored answer cannot be read.
      request.reject(error);
    }
    this.#noteEnd(controller, request);
  }

  #noteEnd(controller: MiddlewareAPI, request: RequestInFlight): void {
    this.#sharedReads.end(request);
    controller.mutations.notifyIfIdle(request);
  }

  /** Call it when a mutation from before a reset has ended: data that was read in the meantime may be from before the mutation. */
  #endForgotten(controller: MiddlewareAPI, request: RequestInFlight): void {
    if (!this.#forgotten.delete(request)) return;
    this.#settle(controller.mutations, request, true);
    this.#noteEnd(controller, request);
  }

  /** Ends every request, with an error for its callers. */
  cleanup(): void {
    for (const unsubscribe of this.#listening.values()) unsubscribe();
    this.#listening.clear();
    const ended = [...this.#requests];
    this.#forget(false);
    this.#forgotten.clear();
    // The server may still carry them out. Other controllers of the store fetch the data that they may have changed.
    for (const [request, { mutations }] of ended) {
      this.#settle(mutations, request, true);
      mutations.notifyIfIdle(request);
    }
  }

  /**
   * Ends every request for its callers. The server may still carry out a mutation that was sent. After a reset its end is
   * awaited, because data that was read before that end may be outdated.
   */
  #forget(isReset: boolean): void {
    const requests = [...this.#requests];
    this.#requests.clear();
    this.#sharedReads.clear();
    this.#parts = { ...this.#parts, session: {} };
    for (const [request, { mutations, responses }] of requests) {
      responses.storing.delete(request.call.key);
      // A failure may be the reason for the reset.
      request.failure ??= { error: new ResetError() };
      mutations.end(request);
      request.reject(request.failure.error);
      const isAtServer = request.isSending || (request.sentArgs !== undefined && request.abort === undefined);
      if (isReset && isAtServer && request.call.endpoint.sideEffect) this.#forgotten.add(request);
      else abortWith(request.abort, request.failure.error);
    }
  }
}
