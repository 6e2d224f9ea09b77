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

/** The synchronous reads of a controller. */
export interface Reader {
  /** The value of a queryable; `undefined` if there is none. With a state as the last argument, the value in that state. */
  get<S extends Queryable>(queryable: S, ...args: OrState<SchemaArgs<S>>): Denormalize<S> | undefined;
  /** As `get`, wrapped in an object. */
  getQueryMeta<S extends Queryable>(
    queryable: S,
    ...args: OrState<SchemaArgs<S>>
  ): { readonly data: Denormalize<S> | undefined };
  /** The stored answer of a request, and whether it is still fresh. */
  getResponse<E extends EndpointInterface>(
    endpoint: E,
    ...args: OrState<ArgsOrNull<E>>
  ): StoredResponse<NullableValueOf<E>>;
  /** The same as `getResponse`. */
  getResponseMeta<E extends EndpointInterface>(
    endpoint: E,
    ...args: OrState<ArgsOrNull<E>>
  ): StoredResponse<NullableValueOf<E>>;
  /** The error of a request; `undefined` if it has not failed. */
  getError<E extends EndpointInterface>(endpoint: E, ...args: OrState<ArgsOrNull<E>>): UnknownError | undefined;
  /** The present state of the store. It can be read later, and does not change. */
  getState(): Snapshot;
  /** A state, by default the present one, as `getOptimisticResponse` gets it for a request sent at `fetchedAt`. */
  snapshot(state?: Snapshot, fetchedAt?: number): Snapshot;
}

/** Arguments, optionally followed by the state to read. */
export type OrState<Args extends readonly unknown[]> = Args | WithLast<Args, Snapshot>;

/** An error of the compiler for an `async` function: what it does after an `await` is not in the batch. */
export type Synchronous<Result> =
  Result extends PromiseLike<unknown>
    ? 'batch() ends when its function returns. Await before batch(), not in it.'
    : unknown;

/** The controller as managers see it. */
export interface MiddlewareAPI extends Dispatcher, Reader {
  readonly store: Store;
  /** Sends a request. Resolves to the value that readers get, once screens show it. */
  fetch<E extends EndpointInterface>(endpoint: E, ...args: Parameters<E>): Promise<ValueOf<E>>;
  /** As `fetch`, but resolves as soon as the answer is stored, before screens show it. */
  request<E extends EndpointInterface>(endpoint: E, ...args: Parameters<E>): Promise<ValueOf<E>>;
  /** Returns the stored value while it is fresh. Rejects with the known error of a failed request until that expires. Otherwise as `fetch`. */
  fetchIfStale<E extends EndpointInterface>(
    endpoint: E,
    ...args: Parameters<E>
  ): ValueOf<E> | NullableValueOf<E> | Promise<ValueOf<E>>;
  /** Runs several actions as one commit. They have to be dispatched before `run` returns. */
  batch<Result>(run: () => Result & Synchronous<Result>): void;
  /** The requests whose answers are on a screen now, each once. */
  shown(): Iterable<ShownRequest>;
  /** Returns whether the answer of a request key is on a screen, also one of another controller of the store. */
  isShown(key: string): boolean;

  /** The stored answers and pending mutations. For managers that send requests themselves. */
  readonly responses: Responses;
  readonly mutations: Mutations;
  /** Starts a request, which gets its place in the order now. Answer it by a `SET_RESPONSE` with the result as `request`. */
  begin(action: FetchAction): RequestInFlight;
  /** Settles the promise of a fetch. */
  answer(fetch: FetchAction, answer: Promise<unknown>): void;
}

/** The controller of a manager before its `middleware` was called. That happens before `init`. */
export const NO_CONTROLLER: MiddlewareAPI = {} as MiddlewareAPI;

/** Passes an action on. The promise resolves when the action has taken effect. */
export type Dispatch = (action: Action) => Promise<void>;
/** Returns, for the controller and the next function, a function that gets every action. */
export type Middleware = (controller: MiddlewareAPI) => (next: Dispatch) => Dispatch;

/** A middleware that is started and stopped with the controller. */
export interface Manager {
  readonly middleware: Middleware;
  /** Called once the controller is ready. */
  init?(state: Snapshot): void;
  /** Called when the controller is disposed. Stops all timers and connections. */
  cleanup(): void;
  /** Called in place of `cleanup` when a controller is disposed while a later one goes on with the manager. Stops what belongs to the first one. */
  release?(controller: MiddlewareAPI): void;
  /** Called before `resetEntireStore()` begins. The reset waits for the promise, and does not happen if it rejects. */
  beforeReset?(): Promise<void> | undefined;
  /** A promise that components await before they read for the first time; `undefined` if there is nothing to wait for. */
  readonly ready?: Promise<void> | undefined;
}
