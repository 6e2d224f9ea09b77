import type { EndpointInterface } from '../../define/endpoint/infer-endpoint.ts';
import type { ResolveType } from '../../define/endpoint/infer-value.ts';
import type { Loose } from '../../define/schema/infer-schema.ts';

/** An endpoint that fixtures can answer. */
export type AnsweredEndpoint = EndpointInterface;

interface Delayed {
  /** The delay of the answer in milliseconds, or a function that returns it. */
  readonly delay?: number | ((...args: Loose) => number);
  /** Whether the response is computed after the delay instead of before it, as by a slow server. */
  readonly delayCollapse?: boolean;
}

/** The response of one request, as the `fetch` of its endpoint returns it. */
export interface SuccessFixture<E extends AnsweredEndpoint = AnsweredEndpoint> extends Delayed {
  readonly endpoint: E;
  readonly args: Readonly<Parameters<E>>;
  readonly response: ResolveType<E> | ((...args: Parameters<E>) => ResolveType<E>);
  readonly error?: false;
}

/** The error of one request. */
export interface ErrorFixture<E extends AnsweredEndpoint = AnsweredEndpoint> extends Delayed {
  readonly endpoint: E;
  readonly args: Readonly<Parameters<E>>;
  readonly response: unknown;
  readonly error: true;
}

/** A request and its response or error. */
export type Fixture<E extends AnsweredEndpoint = Loose> = SuccessFixture<E> | ErrorFixture<E>;

/** The arguments of an endpoint; any arguments if its type is not known. */
type FixtureArgs<E extends AnsweredEndpoint> = 0 extends 1 & E ? Loose : Parameters<E>;

/** Answers every request of an endpoint. `this` is the object that all interceptors of one provider share. */
export interface ResponseInterceptor<Data = Loose, E extends AnsweredEndpoint = Loose> extends Delayed {
  readonly endpoint: E;
  response(this: Data, ...args: FixtureArgs<E>): ResolveType<E> | Promise<ResolveType<E>>;
}

/** Answers every HTTP request of an endpoint. The endpoint processes the response as usual. */
export interface FetchInterceptor<Data = Loose, E extends AnsweredEndpoint = Loose> extends Delayed {
  readonly endpoint: E;
  /** Returns a `Response`, or the JSON of a successful one. */
  fetchResponse(this: Data, input: string, init: RequestInit): unknown;
}

/** Answers all requests of an endpoint with a function. */
export type Interceptor<Data = Loose, E extends AnsweredEndpoint = Loose> =
  | ResponseInterceptor<Data, E>
  | FetchInterceptor<Data, E>;

/** Fixtures and interceptors in place of a server. */
export interface FixtureOptions<Data = Loose> {
  /** If two fixtures match a request, the later one answers; of two interceptors, the earlier one. */
  readonly fixtures?: readonly (Fixture | Interceptor<Data>)[];
  /** Returns the `this` of interceptors. */
  readonly getInitialInterceptorData?: () => Data;
}

/** Returns whether a fixture answers exactly one request, so that its answer is known before the request. */
export function isFixture(one: Fixture | Interceptor): one is Fixture {
  return 'args' in one && typeof one.response !== 'function';
}
