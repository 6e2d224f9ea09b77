import type { Invokable } from './callable.ts';
import type { EndpointInterface } from './infer-endpoint.ts';
import type { UnknownError } from './options.ts';
import type { Retry } from './retry.ts';

/**
 * Makes the credentials of requests anew when one was answered with 401, such as a token. Requests that met it together share one
 * call, and are sent once more with new headers. What it throws, or `false`, ends them with their 401.
 */
export type Refresh = (error: UnknownError) => unknown;

/** The version of what is at an address, as its server names it. */
export interface Version {
  readonly url: string;
  /** The request key whose stored answer it is the version of. */
  readonly key: string;
  readonly etag: string | undefined;
  readonly lastModified: string | undefined;
}

/** What is to be known of an answer beside its value. */
export interface Answered {
  /** Of the stored answer from now on, or where `isUnchanged`, of the one that it is. */
  version?: Version | undefined;
  /** For how many milliseconds the answer is fresh, whatever the endpoint says. */
  freshFor?: number | undefined;
  /** Whether it must be dropped as soon as no reader shows it. */
  isPassing?: boolean;
  /** Whether the server said, instead of sending it again, that the stored answer is right. */
  isUnchanged?: boolean;
  /** Whether the request was sent again after it had failed: it may have been carried out before. */
  isRepeated?: boolean;
  /** Why some items of a batch are not in the answer, which were refused; the others are done. */
  refused?: (Error & { readonly refused: readonly { readonly index: number }[] }) | undefined;
}

/**
 * One request, as its caller and the endpoint that sends it see it: where the two meet without knowing
 * each other. An endpoint finds it in its member `exchange`, and may ignore it.
 */
export interface Exchange {
  /** Names the request. */
  readonly key: string;
  /** The same object for all requests of a controller, and another after each reset: what may be remembered together. */
  readonly session: object;
  /** Aborts when the answer has no place to go any more. */
  readonly signal: AbortSignal;
  /** How a request that failed is sent again, where the endpoint does not say. */
  readonly retry: Retry | undefined;
  /** How credentials are refreshed, where the endpoint does not say. */
  readonly refresh?: Refresh | undefined;
  /** What the endpoint tells of the answer. */
  readonly answered: Answered;
  /** The version of the stored answer to this very request, where that is as it came. */
  stored(): Version | undefined;
  /** The version that was last known of the answer to any request. */
  version(key: string): Version | undefined;
  /** The stored record that a mutation is about, as it was before the guess. */
  record?(): unknown;
  /** Waits for a place among the requests to an origin. Returns a function that frees the place. */
  enter(origin: string, signal: AbortSignal): Promise<() => void>;
}

/**
 * Calls an endpoint for one request. Its methods find the exchange in what they have as `this`, which is as the endpoint,
 * but cannot be called itself. Functions that are no endpoints of ours send theirs without an exchange.
 */
export function callWith(endpoint: EndpointInterface, exchange: Exchange, args: readonly unknown[]): Promise<unknown> {
  if (!('invoke' in endpoint)) return endpoint(...args);
  // Not enumerable: an endpoint that is derived of this one while it runs is not of this request.
  return (Object.create(endpoint, { exchange: { value: exchange } }) as Invokable).invoke(...args) as Promise<unknown>;
}
