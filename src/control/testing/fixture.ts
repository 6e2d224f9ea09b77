import type { EndpointInterface } from '../../define/endpoint/infer-endpoint.ts';
import type { ResolveType } from '../../define/endpoint/infer-value.ts';
import type { Loose } from '../../define/schema/infer-schema.ts';

/** An endpoint that fixtures can answer for. */
export type AnsweredEndpoint = EndpointInterface;

interface Delayed {
  /** Milliseconds before the answer, or what gives them. */
  readonly delay?: number | ((...args: Loose) => number);
  /** Whether the response is made after the delay instead of before it: the server is slow, and not the way back. */
  readonly delayCollapse?: boolean;
}

/** What one request is answered with, as the `fetch` of its endpoint would give it. */
export interface SuccessFixture<E extends AnsweredEndpoint = AnsweredEndpoint> extends Delayed {
  readonly endpoint: E;
  readonly args: Readonly<Parameters<E>>;
  readonly response: ResolveType<E> | ((...args: Parameters<E>) => ResolveType<E>);
  readonly error?: false;
}

/** What one request fails with. */
export interface ErrorFixture<E extends AnsweredEndpoint = AnsweredEndpoint> extends Delayed {
  readonly endpoint: E;
  readonly args: Readonly<Parameters<E>>;
  readonly response: unknown;
  readonly error: true;
}

/** One request and its outcome. */
export type Fixture<E extends AnsweredEndpoint = Loose> = SuccessFixture<E> | ErrorFixture<E>;

/** The arguments of an endpoint; of one that is not known, whatever they are. */
type FixtureArgs<E extends AnsweredEndpoint> = 0 extends 1 & E ? Loose : Parameters<E>;

/** Answers every request of an endpoint. `this` is what the interceptors of one place remember together. */
export interface ResponseInterceptor<Data = Loose, E extends AnsweredEndpoint = Loose> extends Delayed {
  readonly endpoint: E;
  response(this: Data, ...args: FixtureArgs<E>): ResolveType<E> | Promise<ResolveType<E>>;
}

/** Answers every HTTP request of an endpoint; whatever it does with a response is done with this one. */
export interface FetchInterceptor<Data = Loose, E extends AnsweredEndpoint = Loose> extends Delayed {
  readonly endpoint: E;
  /** Returns a `Response`, or the JSON of a successful one. */
  fetchResponse(this: Data, input: string, init: RequestInit): unknown;
}

export type Interceptor<Data = Loose, E extends AnsweredEndpoint = Loose> =
  | ResponseInterceptor<Data, E>
  | FetchInterceptor<Data, E>;

/** What stands for a server. */
export interface FixtureOptions<Data = Loose> {
  /** Of two fixtures of one request the later counts; of two interceptors, the earlier. */
  readonly fixtures?: readonly (Fixture | Interceptor<Data>)[];
  /** Makes what interceptors have as `this`. */
  readonly getInitialInterceptorData?: () => Data;
}

/** Whether it is about one request, so that it is known what to answer without being asked. */
export function isFixture(one: Fixture | Interceptor): one is Fixture {
  return 'args' in one && typeof one.response !== 'function';
}
