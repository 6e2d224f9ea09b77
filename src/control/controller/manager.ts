import type { EndpointInterface, WithLast } from '../../define/endpoint/infer-endpoint.ts';
import type { ArgsOrNull, NullableValueOf, ValueOf } from '../../define/endpoint/infer-value.ts';
import type { UnknownError } from '../../define/endpoint/options.ts';
import type { Denormalize, Queryable, SchemaArgs } from '../../define/schema/infer-schema.ts';
import type { Store } from '../../state/store/store.ts';
import type { Responses, ShownRequest, StoredResponse } from '../view/responses.ts';
import type { Snapshot } from '../view/controller-snapshot.ts';
import type { Action, FetchAction } from './action.ts';
import type { Dispatcher } from './dispatcher.ts';
import type { RequestInFlight } from './request-in-flight.ts';
import type { Mutations } from './mutations.ts';

/** What an application, and its managers, can read at once. */
export interface Reader {
  /** The value of a queryable; `undefined` where there is none. A state as the last argument is read instead of the present. */
  get<S extends Queryable>(queryable: S, ...args: OrState<SchemaArgs<S>>): Denormalize<S> | undefined;
  /** As `get`, in an object. */
  getQueryMeta<S extends Queryable>(
    queryable: S,
    ...args: OrState<SchemaArgs<S>>
  ): { readonly data: Denormalize<S> | undefined };
  /** What a request answers now, and how far that can be relied on. */
  getResponse<E extends EndpointInterface>(
    endpoint: E,
    ...args: OrState<ArgsOrNull<E>>
  ): StoredResponse<NullableValueOf<E>>;
  getResponseMeta<E extends EndpointInterface>(
    endpoint: E,
    ...args: OrState<ArgsOrNull<E>>
  ): StoredResponse<NullableValueOf<E>>;
  getError<E extends EndpointInterface>(endpoint: E, ...args: OrState<ArgsOrNull<E>>): UnknownError | undefined;
  /** The store as it is now, to be read later. */
  getState(): Snapshot;
  /** A state, by default that of now, as `getOptimisticResponse` gets it for a request of that time. */
  snapshot(state?: Snapshot, fetchedAt?: number): Snapshot;
}

/** The arguments, and behind them a state to read, if not the present. */
export type OrState<Args extends readonly unknown[]> = Args | WithLast<Args, Snapshot>;

/** What managers may ask of the controller. */
export interface MiddlewareAPI extends Dispatcher, Reader {
  readonly store: Store;
  fetch<E extends EndpointInterface>(endpoint: E, ...args: Parameters<E>): Promise<ValueOf<E>>;
  /** As `fetch`, without waiting for a screen. */
  request<E extends EndpointInterface>(endpoint: E, ...args: Parameters<E>): Promise<ValueOf<E>>;
  fetchIfStale<E extends EndpointInterface>(
    endpoint: E,
    ...args: Parameters<E>
  ): ValueOf<E> | NullableValueOf<E> | Promise<ValueOf<E>>;
  /** Runs several actions as one commit. Those have to be dispatched before `run` returns. */
  batch(run: () => void): void;
  /** The requests whose answers are shown now, each once. */
  shown(): Iterable<ShownRequest>;
  isShown(key: string): boolean;

  /** What the answers and mutations of requests are kept in. For managers that send requests themselves. */
  readonly responses: Responses;
  readonly mutations: Mutations;
  /** A request starts: its place in the order. It is answered by a `SET_RESPONSE` with the result as its `request`. */
  begin(action: FetchAction): RequestInFlight;
  /** Says what a fetch resolves to. */
  answer(fetch: FetchAction, answer: Promise<unknown>): void;
}

/** Stands for the controller of a manager, until one has called its `middleware`, which it does before `init`. */
export const NO_CONTROLLER: MiddlewareAPI = {} as MiddlewareAPI;

export type Dispatch = (action: Action) => Promise<void>;
export type Middleware = (controller: MiddlewareAPI) => (next: Dispatch) => Dispatch;

/** A middleware with a life. */
export interface Manager {
  readonly middleware: Middleware;
  /** Called once the controller is ready. */
  init?(state: Snapshot): void;
  cleanup(): void;
}
