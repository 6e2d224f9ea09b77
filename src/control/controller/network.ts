import { abortWith } from '../../std/cancelling.ts';
import { callWith, type Version } from '../../define/endpoint/exchange.ts';
import { sentenceOf } from '../../std/thrown.ts';
import { warn } from '../../std/warn.ts';
import { noteNestedEdits } from './apply-guess.ts';
import { actionTypes, type FetchAction, type SetResponseAction } from './action.ts';
import { refetchShown } from './refetch-shown.ts';
import { type KnownValue, presentValueOf } from './present-value.ts';
import { ResetError } from './reset-error.ts';
import { shareAnswer } from './shared-answer.ts';
import { readsAlike, SharedReads } from './shared-reads.ts';
import type { RequestInFlight } from './request-in-flight.ts';
import { RequestExchange, type RequestParts } from './request-exchange.ts';
import type { Dispatch, MiddlewareAPI } from './manager.ts';
import type { Slicing } from './slices.ts';
import { mutatedRecordOf } from './mutated-record.ts';
import { orderFromNow, waitOrAbort } from './waiting-request.ts';

/** What the controllers of one network manager have in common. */
export interface NetworkParts extends RequestParts {
  readonly expiry: Pick<SetResponseAction, 'dataExpiryLength' | 'errorExpiryLength'>;
  readonly slices: Slicing | undefined;
  /** Returns a promise that reads wait for before they are sent; `undefined` for none. */
  readonly beforeRead: () => Promise<void> | undefined;
}

/** Sends the requests of one controller. Controllers may share a network manager, but no answer: each has a store and a user of its own. */
export class Network {
  readonly #controller: MiddlewareAPI;
  readonly #parts: NetworkParts;
  /** Requests in flight. */
  readonly #requests = new Set<RequestInFlight>();
  /** Reads in flight, and which of them another fetch can share. */
  readonly #sharedReads = new SharedReads();
  /** Mutations from before a reset that the server may still be carrying out. */
  readonly #forgotten = new Set<RequestInFlight>();
  #session = {};
  #stopListening: (() => void) | undefined;

  constructor(controller: MiddlewareAPI, parts: NetworkParts) {
    this.#controller = controller;
    this.#parts = parts;
    this.#listen();
  }

  /**
   * Listens to all controllers of the store: shown data in doubt is fetched again after the last mutation, a reset ends the requests in flight, and
   * reads of expired keys are outdated.
   */
  #listen(): void {
    const controller = this.#controller;
    this.#stopListening ??= controller.mutations.onIdle(
      (data) => refetchShown(controller, data, this.#sharedReads, this.#forgotten.size === 0),
      {
        onReset: () => this.#forget(true),
        onExpire: (test) => this.#sharedReads.expire(test),
      },
    );
  }

  /** Resolves when the requests that are in flight now are over. */
  async allSettled(): Promise<void> {
    await Promise.allSettled(Array.from(this.#requests, ({ promise }) => promise));
  }

  fetch(action: FetchAction): Promise<void> {
    const promise = this.#promiseOf(action);
    this.#controller.answer(action, promise);
    // Typed void: middleware must not use the value.
    return promise as Promise<void>;
  }

  /** Returns the promise of a read in flight that this fetch can share, or of a new request. */
  #promiseOf(action: FetchAction): Promise<unknown> {
    const { mutations, store } = this.#controller;
    const shared = action.endpoint.sideEffect ? undefined : this.#sharedReads.shared(action, mutations.ended);
    if (shared === undefined || !readsAlike(shared.call, action)) return this.#send(action).promise;
    return shareAnswer(shared, action, store, () => this.#promiseOf(action));
  }

  #send(action: FetchAction): RequestInFlight {
    const controller = this.#controller;
    this.#listen();
    const request = controller.begin(action);
    this.#requests.add(request);
    if (!action.endpoint.sideEffect) this.#sharedReads.share(request, controller.mutations.ended);
    void this.#run(request);
    return request;
  }

  async #run(request: RequestInFlight): Promise<void> {
    const controller = this.#controller;
    const { endpoint, args, key } = request.call;
    const isGuessed = endpoint.sideEffect && endpoint.getOptimisticResponse !== undefined;
    // Read before the guess: a record that the guess deletes cannot be read afterwards.
    const before = isGuessed ? presentValueOf(controller.store, request.mutation?.mutatedRecord) : undefined;
    try {
      if (endpoint.sideEffect && !isGuessed) noteNestedEdits(controller.store, controller.mutations, request);
      const guessed = isGuessed
        ? controller.dispatch({ type: actionTypes.OPTIMISTIC, endpoint, args, key, request })
        : undefined;
      // Awaited below, after the request was answered.
      guessed?.catch(() => {});
      const response = await this.#callEndpoint(request, before);
      if (guessed) await guessed;
      if (!this.#requests.has(request)) return this.#endForgotten(request);
      const slicing = this.#parts.slices?.slice(controller.store, request, response, () => this.#requests.has(request));
      const readAll = slicing && (await slicing);
      if (!this.#requests.has(request)) return;
      controller.responses.storing.add(key);
      await controller.dispatch(this.#answerAction(request, response));
      if (readAll) {
        // The request is answered. Only its callers still wait for the values.
        this.#noteEnd(request);
        await readAll();
      }
      this.#finish(request);
    } catch (error) {
      if (!this.#requests.has(request)) return this.#endForgotten(request);
      await this.#fail(request, error);
    }
  }

  async #fail(request: RequestInFlight, error: unknown): Promise<void> {
    const { endpoint, key } = request.call;
    request.failure = { error };
    try {
      await this.#controller.dispatch(this.#answerAction(request, error));
    } catch (failure) {
      // The caller gets the error of the request, not the error of a manager that could not handle it.
      warn(endpoint, 'request-unfinished', () => `The error of ${key} could not be stored: ${sentenceOf(failure)}`);
    }
    this.#finish(request);
  }

  /** Calls the endpoint, after waiting for queues and for creates that the arguments mention. */
  async #callEndpoint(request: RequestInFlight, before: KnownValue | undefined): Promise<unknown> {
    const { store, mutations, responses } = this.#controller;
    const { endpoint, args, key } = request.call;
    const idle = endpoint.sideEffect ? undefined : this.#parts.beforeRead();
    if (idle !== undefined) await waitOrAbort(idle, endpoint);
    const turn = mutations.turnOf(request);
    if (turn !== undefined) await waitOrAbort(turn, endpoint);
    if (!this.#requests.has(request)) return undefined;
    let sent = mutations.temporaryPks.sendable(args);
    const hasWaited = turn !== undefined || sent instanceof Promise;
    if (sent instanceof Promise) sent = await waitOrAbort(sent, endpoint);
    if (!this.#requests.has(request)) return undefined;
    sent = request.mutation?.argsNow(sent) ?? sent;
    if (hasWaited) orderFromNow(store, request, mutations.ended.all);
    const stored = (): Version | undefined => responses.storedVersion(key);
    const record = (): unknown => {
      // A record that was still being created has its real pk by now, so it is read again.
      if (before !== undefined && sent === args && !hasWaited) return before.value;
      return presentValueOf(store, mutatedRecordOf(endpoint, sent, store))?.value;
    };
    request.sentArgs = sent;
    if (sent !== args) mutations.noteSentRecord(request, mutatedRecordOf(endpoint, sent, store));
    const session = this.#session;
    try {
      return await callWith(
        endpoint,
        new RequestExchange(this.#parts, responses, request, { record, stored, session }),
        sent,
      );
    } catch (error) {
      const { isUnchanged, version } = request.answered;
      if (isUnchanged !== true) throw error;
      if (stored() === version) return undefined;
      // The server answered 304, but the stored answer was removed or has changed since. The request is sent again for the whole answer.
      orderFromNow(store, request, mutations.ended.all);
      request.answered = {};
      const whole = { record, stored: () => undefined, session };
      return callWith(endpoint, new RequestExchange(this.#parts, responses, request, whole), sent);
    }
  }

  /** Returns the action that stores the answer or error of a request. */
  #answerAction(request: RequestInFlight, response: unknown): SetResponseAction {
    const { mutations } = this.#controller;
    const { endpoint, key, fetchedAt } = request.call;
    const { sentArgs: args = request.call.args } = request;
    const error = request.failure !== undefined;
    const mayBeOutdated = this.#settle(request, error);
    // Data from before a mutation must not be revalidated by its version.
    if (mayBeOutdated) request.answered.version = undefined;
    const isOutdated = mayBeOutdated && !mutations.isAny;
    const type = actionTypes.SET_RESPONSE;
    return { type, endpoint, args, key, request, response, error, fetchedAt, isOutdated, ...this.#parts.expiry };
  }

  /** Notes that a request was answered. Returns whether the answer may have data from before a mutation, or before its key was expired. */
  #settle(request: RequestInFlight, isFailed: boolean): boolean {
    const { mutations } = this.#controller;
    const { ended, isAny } = mutations;
    if (!request.call.endpoint.sideEffect)
      return !isFailed && this.#sharedReads.noteAnswer(request, ended, isAny || this.#forgotten.size > 0);
    mutations.settle(request, isFailed);
    return false;
  }

  /** Stores an answer that the application sets, for a request in flight or without one. */
  async settleFrom(action: SetResponseAction, next: Dispatch): Promise<void> {
    const { expiry } = this.#parts;
    const { key, fetchedAt, response, error = false, isResolving = false } = action;
    const request = [...this.#requests].find(
      ({ call }) => isResolving && call.key === key && call.fetchedAt === fetchedAt,
    );
    if (request === undefined) return next({ ...expiry, ...action });
    if (error) request.failure = { error: response };
    this.#settle(request, error);
    try {
      await next({ ...expiry, ...action, request });
    } catch (failure) {
      // As if the server had sent an answer that cannot be stored.
      if (this.#requests.has(request)) await this.#fail(request, failure);
      throw failure;
    }
    this.#finish(request);
  }

  #finish(request: RequestInFlight): void {
    if (!this.#requests.delete(request)) return;
    const { mutations, responses } = this.#controller;
    responses.storing.delete(request.call.key);
    mutations.end(request);
    try {
      if (request.failure !== undefined) throw request.failure.error;
      request.resolve(request.read?.());
    } catch (error) {
      // The request failed, or the stored answer cannot be read.
      request.reject(error);
    }
    this.#noteEnd(request);
  }

  #noteEnd(request: RequestInFlight): void {
    this.#sharedReads.end(request);
    this.#controller.mutations.notifyIfIdle(request);
  }

  /** Call it when a mutation from before a reset has ended: data that was read in the meantime may be from before the mutation. */
  #endForgotten(request: RequestInFlight): void {
    if (!this.#forgotten.delete(request)) return;
    this.#settle(request, true);
    this.#noteEnd(request);
  }

  /** Ends every request, with an error for its callers. */
  end(): void {
    this.#stopListening?.();
    this.#stopListening = undefined;
    const ended = [...this.#requests];
    this.#forget(false);
    this.#forgotten.clear();
    // The server may still carry them out. Other controllers of the store fetch the data that they may have changed.
    for (const request of ended) {
      this.#settle(request, true);
      this.#controller.mutations.notifyIfIdle(request);
    }
  }

  /**
   * Ends every request for its callers. The server may still carry out a mutation that was sent. After a reset its end is
   * awaited, because data that was read before that end may be outdated.
   */
  #forget(isReset: boolean): void {
    const { mutations, responses } = this.#controller;
    const requests = [...this.#requests];
    this.#requests.clear();
    this.#sharedReads.clear();
    this.#session = {};
    for (const request of requests) {
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
