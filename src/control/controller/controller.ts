import type { EndpointInterface, WithLast } from '../../define/endpoint/infer-endpoint.ts';
import { checkSchema, isEndpoint, requestKey } from '../../define/endpoint/request-key.ts';
import type { ArgsOrNull, ListArgs, NullableValueOf, ValueOf } from '../../define/endpoint/infer-value.ts';
import type { UnknownError } from '../../define/endpoint/options.ts';
import type { Denormalize, List, Queryable, SchemaArgs } from '../../define/schema/infer-schema.ts';
import { Store } from '../../state/store/store.ts';
import type { Answer, View } from '../view/answer.ts';
import { onScreens } from '../screen/arrivals.ts';
import { endpointView } from '../view/endpoint-view.ts';
import { ExpiryStatus } from '../view/expiry-status.ts';
import { queryView } from '../view/query-view.ts';
import { Responses, publicResponse, type ShownRequest, type StoredResponse } from '../view/responses.ts';
import { takeSnapshot } from '../../state/store/store-snapshot.ts';
import { Snapshot } from '../view/controller-snapshot.ts';
import { type Action, actionTypes, type FetchCaller, type FetchAction } from './action.ts';
import { apply } from './apply.ts';
import { bindAll } from './bind-all.ts';
import { disposed, isEndedOnPurpose, unanswered } from './controller-errors.ts';
import { Dispatcher, splitLast } from './dispatcher.ts';
import type { RequestInFlight } from './request-in-flight.ts';
import type { GCInterface } from './gc-policy.ts';
import { ownArgs } from '../../std/plain.ts';
import { AnswerBatch } from './answer-batch.ts';
import type { Manager, MiddlewareAPI, OrState, Synchronous } from './manager.ts';
import { ManagerChain } from './manager-chain.ts';
import { Mutations } from './mutations.ts';
import { warmUp } from './warm-up.ts';

/** The options of `Controller`. */
export interface ControllerOptions {
  /** In the order in which actions pass through them. The controller itself sends the requests that no manager sends. */
  readonly managers?: readonly Manager[];
  readonly store?: Store;
  /** The clock. Default: `Date.now`. */
  readonly now?: () => number;
  /** When data that is not shown is removed. Default: only when you call `collect`. */
  readonly gcPolicy?: GCInterface;
}

/**
 * The methods by which an application reads, writes and fetches: `await controller.fetch(PostResource.get, { id })`. It works without managers;
 * they add polling, streams and more.
 */
export class Controller extends Dispatcher implements MiddlewareAPI {
  readonly store: Store;
  readonly gcPolicy: GCInterface | undefined;
  readonly #now: () => number;
  readonly responses: Responses;
  readonly mutations: Mutations;
  readonly #managers: ManagerChain;
  /** Whether its code is compiled, or will be when the page is idle. */
  #isWarm = false;
  #isDisposed = false;

  constructor({ managers = [], now = () => Date.now(), store = new Store({ now }), gcPolicy }: ControllerOptions = {}) {
    super();
    bindAll(this);
    this.store = store;
    this.gcPolicy = gcPolicy;
    this.#now = now;
    this.responses = new Responses(store, now);
    this.mutations = Mutations.of(store);
    this.#managers = new ManagerChain(managers);
    const answers = new AnswerBatch((action) => apply(this, action), this.batch);
    this.#managers.start(this, (action) => answers.take(action));
    gcPolicy?.init(this);
  }

  /** A promise that components await before they read for the first time, such as of data on a disk; `undefined` once all data is there. */
  get ready(): Promise<void> | undefined {
    return this.#managers.ready;
  }

  override async resetEntireStore(): Promise<void> {
    const allowed = this.#managers.beforeReset();
    if (allowed) await allowed;
    return super.resetEntireStore();
  }

  now(): number {
    return this.#now();
  }

  dispatch(action: Action): Promise<void> {
    const done = this.#managers.dispatch(action);
    // The network manager waits for these actions before it continues a request. It must not wait for a screen.
    const isOfRequest = action.type === actionTypes.FETCH || ('request' in action && action.request !== undefined);
    return isOfRequest ? done : this.#untilShown(done);
  }

  async #untilShown(done: Promise<void>): Promise<void> {
    await done;
    await onScreens(this.store);
  }

  batch<Result>(run: () => Result & Synchronous<Result>): void {
    this.store.batch(run);
  }

  /**
   * Sends a request. Resolves to the value that readers get, once the response is stored and on the screen of every provider
   * that shows it.
   */
  fetch<E extends EndpointInterface>(endpoint: E, ...args: ListArgs<E>): Promise<List<ValueOf<E>>>;
  fetch<E extends EndpointInterface>(endpoint: E, ...args: Parameters<E>): Promise<ValueOf<E>>;
  fetch(endpoint: EndpointInterface, ...args: readonly unknown[]): Promise<unknown> {
    const answer = this.#fetch(endpoint, args, true, () => void answer.catch(ignore));
    return answer;
  }

  /** As `fetch`, but resolves as soon as the response is stored. */
  request<E extends EndpointInterface>(endpoint: E, ...args: ListArgs<E>): Promise<List<ValueOf<E>>>;
  request<E extends EndpointInterface>(endpoint: E, ...args: Parameters<E>): Promise<ValueOf<E>>;
  request(endpoint: EndpointInterface, ...args: readonly unknown[]): Promise<unknown> {
    const answer = this.#fetch(endpoint, args, false, () => void answer.catch(ignore));
    return answer;
  }

  /** Calls `onEnd` when the request was ended on purpose, so that its rejection is not reported as unhandled. */
  async #fetch(
    endpoint: EndpointInterface,
    args: readonly unknown[],
    isShown: boolean,
    onEnd: () => void,
  ): Promise<unknown> {
    try {
      if (this.#isDisposed) throw disposed();
      const key = requestKey(endpoint, args, 'fetch()');
      const caller: FetchCaller = {};
      // The request may be sent later, and a guess is made again. Both use the arguments as they were when `fetch` was called.
      const call = { endpoint, args: ownArgs(args), key };
      await this.dispatch({ type: actionTypes.FETCH, caller, ...call, fetchedAt: this.now() });
      if (caller.answer === undefined) throw unanswered(key);
      return await caller.answer;
    } catch (error) {
      // After `fetch` has returned this promise.
      if (isEndedOnPurpose(error)) void Promise.resolve().then(onEnd);
      throw error;
    } finally {
      const shown = isShown && onScreens(this.store);
      if (shown) await shown;
    }
  }

  /** Returns the stored value while it is fresh. Rejects with the known error of a failed request until that expires. Otherwise as `fetch`. */
  fetchIfStale<E extends EndpointInterface>(
    endpoint: E,
    ...args: Parameters<E>
  ): ValueOf<E> | NullableValueOf<E> | Promise<ValueOf<E>> {
    const { data, expiryStatus, expiresAt } = this.getResponse(endpoint, ...args);
    const isFresh = expiryStatus !== ExpiryStatus.Invalid && this.now() <= expiresAt;
    if (!isFresh) return this.fetch(endpoint, ...args);
    const error = this.getError(endpoint, ...args);
    return error === undefined ? data : Promise.reject(error);
  }

  answer({ caller }: FetchAction, answer: Promise<unknown>): void {
    caller.answer = answer;
  }

  begin(action: FetchAction): RequestInFlight {
    const request = this.mutations.begin(action);
    if (!this.#isWarm) warmUp(request, () => new Controller());
    this.#isWarm = true;
    return request;
  }

  get<S extends Queryable>(queryable: S, ...rest: OrState<SchemaArgs<S>>): Denormalize<S> | undefined {
    checkSchema(queryable, 'get()', 'getResponse()');
    const [args, state] = withState(rest);
    const value: unknown = state
      ? state.get(queryable, ...(args as SchemaArgs<S>))
      : this.store.get(queryable, ...(args as SchemaArgs<S>));
    return value as Denormalize<S> | undefined;
  }

  getQueryMeta<S extends Queryable>(
    queryable: S,
    ...rest: OrState<SchemaArgs<S>>
  ): { readonly data: Denormalize<S> | undefined } {
    return { data: this.get(queryable, ...rest) };
  }

  getResponse<E extends EndpointInterface>(
    endpoint: E,
    ...rest: OrState<ArgsOrNull<E>>
  ): StoredResponse<NullableValueOf<E>> {
    const [args, state] = withState(rest);
    if (state !== undefined) return state.getResponse(endpoint, ...(args as ArgsOrNull<E>));
    const reading = args[0] === null ? undefined : this.responses.read(endpoint, args);
    return publicResponse(endpoint, reading) as StoredResponse<NullableValueOf<E>>;
  }

  getResponseMeta<E extends EndpointInterface>(
    endpoint: E,
    ...rest: OrState<ArgsOrNull<E>>
  ): StoredResponse<NullableValueOf<E>> {
    return this.getResponse(endpoint, ...rest);
  }

  getError<E extends EndpointInterface>(endpoint: E, ...rest: OrState<ArgsOrNull<E>>): UnknownError | undefined {
    const [args, state] = withState(rest);
    if (state !== undefined) return state.getError(endpoint, ...(args as ArgsOrNull<E>));
    if (args[0] === null) return undefined;
    return this.responses.read(endpoint, args).failure?.error as UnknownError | undefined;
  }

  snapshot(state: Snapshot = this.getState(), fetchedAt: number = this.now()): Snapshot {
    return state.asOf(fetchedAt);
  }

  getState(): Snapshot {
    return new Snapshot(takeSnapshot(this.store), this.responses, this.now());
  }

  shown(): Iterable<ShownRequest> {
    return this.responses.shown();
  }

  isShown(key: string): boolean {
    return this.responses.isShown(key);
  }

  /** A live answer of an endpoint or of a queryable. */
  view<E extends EndpointInterface>(endpoint: E, ...args: Parameters<E>): View<ValueOf<E>>;
  view<S extends Queryable>(queryable: S, ...args: SchemaArgs<S>): View<Denormalize<S>>;
  view(what: EndpointInterface | Queryable, ...args: readonly unknown[]): View {
    // Anything that is not an object is refused as an endpoint.
    const isQueryable = Object(what) === what && !isEndpoint(what);
    return isQueryable
      ? queryView(this.store, what, args)
      : endpointView(this.responses, what as EndpointInterface, args);
  }

  /**
   * `watch(endpoint, ...args, listener)` or `watch(queryable, ...args, listener)`: calls `listener` with the answer, now and whenever it
   * changes. Sends no request. Returns an unsubscribe function.
   */
  watch<E extends EndpointInterface>(
    endpoint: E,
    ...rest: WithLast<Parameters<E>, (answer: Answer<ValueOf<E>>) => void>
  ): () => void;
  watch<S extends Queryable>(
    queryable: S,
    ...rest: WithLast<SchemaArgs<S>, (answer: Answer<Denormalize<S>>) => void>
  ): () => void;
  watch(what: EndpointInterface | Queryable, ...rest: readonly unknown[]): () => void {
    const [args, last] = splitLast(rest);
    const listener = last as (answer: Answer) => void;
    // `view` finds out which of the two it is.
    const view: View = this.view(what as EndpointInterface, ...args);
    let notified: Answer | undefined;
    const onChange = (): void => {
      const answer = view.current();
      if (answer === notified) return;
      notified = answer;
      listener(answer);
    };
    const stop = view.subscribe(onChange);
    try {
      onChange();
    } catch (error) {
      // The caller gets no function to unsubscribe with.
      stop();
      throw error;
    }
    return stop;
  }

  /** Removes expired data that is not shown, one slice for each step of the iterator. */
  *collect(): Generator<undefined, number> {
    const removed = yield* this.store.collect();
    this.responses.sweep();
    return removed;
  }

  /** Stops managers, timers and requests. */
  dispose(): void {
    this.#isDisposed = true;
    this.#managers.stop(this);
    this.gcPolicy?.cleanup(this);
  }
}

function withState(rest: readonly unknown[]): readonly [args: readonly unknown[], state: Snapshot | undefined] {
  const last = rest.at(-1);
  return last instanceof Snapshot ? [rest.slice(0, -1), last] : [rest, undefined];
}

function ignore(): void {}
