import type { EndpointInterface, ValueOf, NullableValueOf } from '../../define/endpoint/infer.ts';
import type { UnknownError } from '../../define/endpoint/options.ts';
import type { Denormalize, Queryable, SchemaArgs } from '../../define/schema/infer.ts';
import type { Ticket } from '../../state/store/requests.ts';
import { Store } from '../../state/store/store.ts';
import { DataError } from '../../std/data-error.ts';
import type { Answer, View } from '../view/answer.ts';
import { endpointView } from '../view/endpoint-view.ts';
import { ExpiryStatus } from '../view/expiry-status.ts';
import { queryView } from '../view/query-view.ts';
import { Responses, type StoredResponse } from '../view/responses.ts';
import { Snapshot } from '../view/snapshot.ts';
import { type Action, actionTypes, type FetchAction, type SetResponseAction } from './action.ts';
import { apply } from './apply.ts';
import type { Dispatch, Manager, MiddlewareAPI } from './manager.ts';
import { Mutations } from './mutations.ts';
import { Network } from './network.ts';

export interface ControllerOptions {
  /** In the order in which actions pass through them. Requests that none of them sends, the controller sends itself. */
  readonly managers?: readonly Manager[];
  readonly store?: Store;
  /** The clock. Default: `Date.now`. */
  readonly now?: () => number;
}

/** The arguments of an endpoint; `null` for none of its requests. */
type ArgsOrNull<E extends EndpointInterface> = Parameters<E> | readonly [null];
type Only = { readonly testKey: (key: string) => boolean };

/** The handle through which an application acts on its records. Works alone; managers add to it. */
export class Controller implements MiddlewareAPI {
  readonly store: Store;
  readonly #now: () => number;
  readonly #responses: Responses;
  readonly #managers: readonly Manager[];
  readonly #dispatch: Dispatch;
  readonly #answers: Map<number, Promise<unknown>> = new Map();
  readonly #landed: WeakMap<Ticket, unknown> = new WeakMap();
  readonly #mutations: Mutations;
  #asked = 0;
  #isDisposed = false;

  constructor({ managers = [], now = Date.now, store = new Store({ now }) }: ControllerOptions = {}) {
    this.store = store;
    this.#now = now;
    this.#responses = new Responses(store, now);
    this.#mutations = new Mutations(store);
    this.#managers = [...managers, new Network()];
    const last: Dispatch = async (action) => this.#apply(action);
    this.#dispatch = this.#managers
      .map(({ middleware }) => middleware(this))
      .reduceRight((next, wrap) => wrap(next), last);
    for (const manager of this.#managers) manager.init?.();
  }

  now(): number {
    return this.#now();
  }

  #apply(action: Action): void {
    const value = apply({ responses: this.#responses, mutations: this.#mutations }, action);
    if (action.type === actionTypes.SET_RESPONSE && action.request) this.#landed.set(action.request, value);
  }

  /** Hands an action to the managers, and what they let through to the store. */
  dispatch(action: Action): Promise<void> {
    return this.#dispatch(action);
  }

  /** Sends a request. Resolves when the response is stored, to what readers of it get. */
  async fetch<E extends EndpointInterface>(endpoint: E, ...args: Parameters<E>): Promise<ValueOf<E>> {
    if (this.#isDisposed) throw disposed();
    const id = ++this.#asked;
    const key: string = endpoint.key(...args);
    try {
      await this.dispatch({ type: actionTypes.FETCH, id, endpoint, args, key, fetchedAt: this.now() });
      const answer = this.#answers.get(id);
      if (answer === undefined) throw unanswered(key);
      // The compiler knows the value by the schema, which the store does not look at.
      return (await answer) as ValueOf<E>;
    } finally {
      this.#answers.delete(id);
    }
  }

  /** What is stored, at once, while it is fresh; otherwise as `fetch`. */
  fetchIfStale<E extends EndpointInterface>(
    endpoint: E,
    ...args: Parameters<E>
  ): ValueOf<E> | NullableValueOf<E> | Promise<ValueOf<E>> {
    const { data, expiryStatus, expiresAt } = this.getResponse(endpoint, ...args);
    const isFresh = expiryStatus !== ExpiryStatus.Invalid && this.now() <= expiresAt;
    return isFresh ? data : this.fetch(endpoint, ...args);
  }

  answer({ id }: FetchAction, answer: Promise<unknown>): void {
    this.#answers.set(id, answer);
  }

  begin(endpoint: EndpointInterface): Ticket {
    return endpoint.sideEffect ? this.#mutations.begin() : this.store.begin();
  }

  abandon(request: Ticket): void {
    this.store.settle(request);
    this.#mutations.drop(request);
  }

  landed(request: Ticket): unknown {
    return this.#landed.get(request);
  }

  /** The value of a queryable; `undefined` where there is none. */
  get<S extends Queryable>(queryable: S, ...args: SchemaArgs<S>): Denormalize<S> | undefined {
    return this.store.get(queryable, ...args);
  }

  /** What a request answers now, and how far that can be relied on. */
  getResponse<E extends EndpointInterface>(endpoint: E, ...args: ArgsOrNull<E>): StoredResponse<NullableValueOf<E>> {
    const { data, expiryStatus, expiresAt } =
      args[0] === null ? NOT_ASKED : this.#responses.read(endpoint, args as Parameters<E>);
    return { data: data as NullableValueOf<E>, expiryStatus, expiresAt };
  }

  /** As `getResponse`. */
  getResponseMeta<E extends EndpointInterface>(
    endpoint: E,
    ...args: ArgsOrNull<E>
  ): StoredResponse<NullableValueOf<E>> {
    return this.getResponse(endpoint, ...args);
  }

  /** Why a request failed, unless its policy is to show what there was before. */
  getError<E extends EndpointInterface>(endpoint: E, ...args: ArgsOrNull<E>): UnknownError | undefined {
    if (args[0] === null) return undefined;
    return this.#responses.read(endpoint, args as Parameters<E>).failure?.error as UnknownError | undefined;
  }

  /** The store as it is now, to be read later. */
  snapshot(fetchedAt: number = this.now()): Snapshot {
    return new Snapshot(this.store.snapshot(), this.#responses, fetchedAt);
  }

  /** Files a record away: `set(schema, ...args, record)`, or instead of the record what makes it of the present value. */
  async set<S extends Queryable>(schema: S, ...rest: readonly [...SchemaArgs<S>, unknown]): Promise<void> {
    const [args, value] = split(rest);
    return this.dispatch({ type: actionTypes.SET, schema, args, value });
  }

  /** `setResponse(endpoint, ...args, response)`: as if the server had answered so. */
  async setResponse<E extends EndpointInterface>(
    endpoint: E,
    ...rest: readonly [...Parameters<E>, unknown]
  ): Promise<void> {
    const [args, response] = split(rest);
    return this.#respond(endpoint, args, { response, fetchedAt: this.now() });
  }

  /** `setError(endpoint, ...args, error)`: as if the request had failed so. */
  async setError<E extends EndpointInterface>(
    endpoint: E,
    ...rest: readonly [...Parameters<E>, unknown]
  ): Promise<void> {
    const [args, response] = split(rest);
    return this.#respond(endpoint, args, { response, fetchedAt: this.now(), error: true });
  }

  /** Answers a request, also one that is under way since `fetchedAt`. */
  async resolve<E extends EndpointInterface>(
    endpoint: E,
    given: {
      readonly args: Readonly<Parameters<E>>;
      readonly response: unknown;
      readonly fetchedAt: number;
      readonly error?: boolean;
    },
  ): Promise<void> {
    const { args, ...answer } = given;
    return this.#respond(endpoint, args, { ...answer, isResolving: true });
  }

  #respond(
    endpoint: EndpointInterface,
    args: readonly unknown[],
    answer: Pick<SetResponseAction, 'response' | 'fetchedAt' | 'error' | 'isResolving'>,
  ): Promise<void> {
    return this.dispatch({ type: actionTypes.SET_RESPONSE, endpoint, args, key: endpoint.key(...args), ...answer });
  }

  /** Throws a result away. Those who show it have to fetch. */
  async invalidate<E extends EndpointInterface>(endpoint: E, ...args: ArgsOrNull<E>): Promise<void> {
    if (args[0] === null) return;
    await this.dispatch({ type: actionTypes.INVALIDATE, key: endpoint.key(...args) });
  }

  async invalidateAll(only: Only): Promise<void> {
    return this.dispatch({ type: actionTypes.INVALIDATEALL, testKey: (key) => only.testKey(key) });
  }

  /** Makes results stale. Those who show them go on showing them. */
  async expireAll(only: Only): Promise<void> {
    return this.dispatch({ type: actionTypes.EXPIREALL, testKey: (key) => only.testKey(key) });
  }

  /** Forgets everything. Requests under way fail, and nothing of them will be stored. */
  async resetEntireStore(): Promise<void> {
    return this.dispatch({ type: actionTypes.RESET });
  }

  /** Asks managers to keep an endpoint up to date. */
  async subscribe<E extends EndpointInterface>(endpoint: E, ...args: ArgsOrNull<E>): Promise<void> {
    if (args[0] === null) return;
    await this.dispatch({ type: actionTypes.SUBSCRIBE, endpoint, args, key: endpoint.key(...args) });
  }

  async unsubscribe<E extends EndpointInterface>(endpoint: E, ...args: ArgsOrNull<E>): Promise<void> {
    if (args[0] === null) return;
    await this.dispatch({ type: actionTypes.UNSUBSCRIBE, endpoint, args, key: endpoint.key(...args) });
  }

  /** A live answer of an endpoint or of a queryable. */
  view<E extends EndpointInterface>(endpoint: E, ...args: Parameters<E>): View<ValueOf<E>>;
  view<S extends Queryable>(queryable: S, ...args: SchemaArgs<S>): View<Denormalize<S>>;
  view(what: EndpointInterface | Queryable, ...args: readonly unknown[]): View {
    return isEndpoint(what) ? endpointView(this.#responses, what, args) : queryView(this.store, what, args);
  }

  /**
   * `watch(endpoint, ...args, listener)`, or of a queryable: calls `listener` with the answer, now and whenever it
   * becomes another. Sends no request. Gives what ends it.
   */
  watch<E extends EndpointInterface>(
    endpoint: E,
    ...rest: readonly [...Parameters<E>, (answer: Answer<ValueOf<E>>) => void]
  ): () => void;
  watch<S extends Queryable>(
    queryable: S,
    ...rest: readonly [...SchemaArgs<S>, (answer: Answer<Denormalize<S>>) => void]
  ): () => void;
  watch(what: EndpointInterface | Queryable, ...rest: readonly unknown[]): () => void {
    const [args, last] = split(rest);
    const listener = last as (answer: Answer) => void;
    const view = isEndpoint(what) ? this.view(what, ...args) : this.view(what, ...args);
    let told: Answer | undefined;
    const onChange = (): void => {
      const answer = view.current();
      if (answer === told) return;
      told = answer;
      listener(answer);
    };
    const stop = view.subscribe(onChange);
    onChange();
    return stop;
  }

  /** Ends managers, timers and requests. */
  dispose(): void {
    this.#isDisposed = true;
    for (const manager of this.#managers) manager.cleanup();
  }
}

const NOT_ASKED: StoredResponse = Object.freeze({
  data: undefined,
  expiryStatus: ExpiryStatus.Valid,
  expiresAt: Number.POSITIVE_INFINITY,
});

function isEndpoint(what: EndpointInterface | Queryable): what is EndpointInterface {
  return typeof what === 'function' && typeof (what as { readonly key?: unknown }).key === 'function';
}

/** The last of the arguments is what the others are about. */
function split(rest: readonly unknown[]): readonly [args: readonly unknown[], last: unknown] {
  return [rest.slice(0, -1), rest.at(-1)];
}

function unanswered(key: string): DataError {
  return new DataError(
    'fetch-unanswered',
    `No manager answered the fetch of ${key}. A middleware that does not call next() for it has to call ` +
      'controller.answer().',
  );
}

function disposed(): DataError {
  return new DataError('controller-disposed', 'A fetch was asked of a controller that was disposed. Make a new one.');
}
