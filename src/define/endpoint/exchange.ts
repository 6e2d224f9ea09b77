import type { Invokable } from './callable.ts';
import type { EndpointInterface } from './infer-endpoint.ts';
import type { UnknownError } from './options.ts';
import type { Retry } from './retry.ts';

/**
 * Refreshes the credentials of requests, such as a token, after an answer of 401. Requests that fail together share one call. They are then
 * sent once more with new headers. If it throws or returns `false`, they fail with their 401.
 */
export type Refresh = (error: UnknownError) => unknown;

/** The version of a resource, as its server names it. */
export interface Version {
  readonly url: string;
  /** The request key of the stored answer that has this version. */
  readonly key: string;
  readonly etag: string | undefined;
  readonly lastModified: string | undefined;
}

/** Facts about an answer beside its value. */
export interface Answered {
  /** The version of the stored answer. With `isUnchanged`, the version of the answer that is already stored. */
  version?: Version | undefined;
  /** How many milliseconds the answer is fresh. Overrides the endpoint. */
  freshFor?: number | undefined;
  /** Whether the server forbids to store the answer (`Cache-Control: no-store`): it is dropped as soon as no reader shows it. */
  isNoStore?: boolean;
  /** Whether the server said that the stored answer is up to date, instead of sending it again. */
  isUnchanged?: boolean;
  /** Whether the request was repeated after a failure. The first attempt may have been carried out. */
  isRepeated?: boolean;
  /** Whether the answer may be an old one: a server that recognizes a repeat by its key sends the first answer again. */
  isReplay?: boolean;
  /** The error with the items of a batch that the server refused. The other items were carried out. */
  refused?: (Error & { readonly refused: readonly { readonly index: number }[] }) | undefined;
}

/**
 * One request, as the controller and the endpoint both see it. It lets each pass data to the other without an import. An endpoint finds it
 * in its member `exchange`, and may ignore it.
 */
export interface Exchange {
  /** Names the request. */
  readonly key: string;
  /** The same object for all requests of a controller until its reset. Endpoints store there what only one session may see. */
  readonly session: object;
  /** Aborts when the answer is not needed any more. */
  readonly signal: AbortSignal;
  /** Repeats a failed request, if the endpoint has no `retry` of its own. */
  readonly retry: Retry | undefined;
  /** Refreshes credentials, if the endpoint has no `refresh` of its own. */
  readonly refresh?: Refresh | undefined;
  /** The endpoint writes facts about the answer here. */
  readonly answered: Answered;
  /** Returns the version of the stored answer to this request, if the stored answer is unchanged since it arrived. */
  stored(): Version | undefined;
  /** Returns the last known version of the answer to any request. */
  version(key: string): Version | undefined;
  /** The tag of the version that a mutation is based on, if it was made earlier. Empty if it is sent without one. */
  basedOn?: string | undefined;
  /** Returns the stored record that a mutation is about, as it was before the optimistic update. */
  record?(): unknown;
  /** Waits for a place among the requests to an origin. Returns a function that frees the place. */
  enter(origin: string, signal: AbortSignal): Promise<() => void>;
}

/**
 * Calls an endpoint for one request. Its methods find the exchange in `this.exchange`; this object inherits from the endpoint but cannot be
 * called. Functions that were not made by this library get no exchange.
 */
export function callWith(endpoint: EndpointInterface, exchange: Exchange, args: readonly unknown[]): Promise<unknown> {
  if (!('invoke' in endpoint)) return endpoint(...args);
  // The property is not enumerable, so that endpoints extended while it runs do not get the exchange of this request.
  return (Object.create(endpoint, { exchange: { value: exchange } }) as Invokable).invoke(...args) as Promise<unknown>;
}
