import type { Refresh } from '../endpoint/exchange.ts';
import type { EndpointExtraOptions, SnapshotInterface } from '../endpoint/options.ts';
import type { Retry } from '../endpoint/retry.ts';
import type { Loose } from '../schema/infer-schema.ts';
import type { HeadersGiven, Platform } from '../../std/platform.ts';
import type { Caching } from './caching.ts';
import type {
  BodyOf,
  CallOf,
  ContentFor,
  HasPath,
  MergeGenerics,
  Option,
  PartialRestGenerics,
  ProcessOption,
  RestArgs,
} from './infer-args.ts';
import type { FieldsOf, RecordIn } from './infer-record.ts';
import type { Wire } from './wire-shape.ts';

/** The status, headers and times of a response. */
export interface ResponseMeta {
  readonly url: string;
  readonly method: string;
  readonly status: number;
  readonly headers: Headers;
  /** The time when the request was sent and when its response came, by the clock of the platform. */
  readonly sentAt: number;
  readonly receivedAt: number;
}

/** The options of a REST endpoint that do not affect types. */
export interface RestOptions<O extends HasPath = Loose> extends Omit<EndpointExtraOptions, 'getOptimisticResponse'> {
  readonly name?: string;
  /** The start of all addresses: the origin, and any path that they have in common. */
  readonly urlPrefix?: string;
  /** Fetch options of every request. */
  readonly requestInit?: RequestInit | undefined;
  /** Aborts the requests of the endpoint. */
  readonly signal?: AbortSignal | undefined;
  /** After how many milliseconds a request fails. Default: 30,000. `Infinity`: never. */
  readonly timeout?: number | undefined;
  /** Repeats failed requests: `retrying()`, or `false` for never. Default: the option of the NetworkManager, if it has one. */
  readonly retry?: Retry | false | undefined;
  /** How the body of the response is read. With a schema and without `process` it must be JSON. */
  readonly content?: ContentFor<O> | undefined;
  /** Refreshes the credentials after an answer of 401, or `false` for never. Default: the option of the NetworkManager, if it has one. */
  readonly refresh?: Refresh | false | undefined;
  /** Uses versions and `Cache-Control`: `httpCaching()`. Default: only the expiry options of the endpoint apply. */
  readonly caching?: Caching | undefined;
  /**
   * The `Idempotency-Key` of mutations, by which the server recognizes a repeated request. Requests with a key can be repeated. `true`
   * makes a random key.
   */
  readonly idempotencyKey?: boolean | string | (() => string) | undefined;
  /** Parses JSON. Default: `JSON.parse`. `parseLossless` keeps integers that are too large for a number as strings. */
  readonly parseJson?: ((text: string) => unknown) | undefined;
  /** More origins that headers and bodies may be sent to. The origin of `urlPrefix` is always allowed. */
  readonly origins?: readonly string[] | undefined;
  /** Records that are created in the list, or moved, show their expected result at once. */
  readonly optimistic?: boolean | undefined;
  /**
   * The form of records in requests and responses, made by a function of `rejoin/wire`. The references that it names must be fields of the
   * records.
   */
  readonly wire?: Wire<FieldsOf<RecordIn<O>>, Loose, Loose> | undefined;
  /** The environment in which requests run: network, clock, timers and random numbers. */
  readonly platform?: Platform | undefined;
  getOptimisticResponse?(this: Loose, snap: SnapshotInterface, ...args: RestArgs<O>): Loose;
  getRequestInit?(this: Loose, body: BodyOf<O>, call: CallOf<O>): RequestInit | Promise<RequestInit>;
  getHeaders?(this: Loose, headers: Record<string, string>, call: CallOf<O>): HeadersGiven | Promise<HeadersGiven>;
  fetchResponse?(this: Loose, url: string, init: RequestInit): Promise<Response>;
  parseResponse?(this: Loose, response: Response): Promise<Loose>;
  onResponse?(this: Loose, meta: ResponseMeta): void;
  fetch?(this: Loose, ...args: Loose): Promise<Loose>;
  url?(this: Loose, ...args: Loose): string;
  searchToString?(this: Loose, params: Readonly<Record<string, Loose>>): string;
  key?(this: Loose, ...args: RestArgs<O>): string;
  testKey?(this: Loose, key: string): boolean;
}

/**
 * The options of `extend`. Others become members of the endpoint. All options are listed, because functions get their parameter types from
 * the name that they are listed under.
 */
export type ExtendGenerics = PartialRestGenerics & { readonly [name in keyof RestOptions]?: unknown } & Readonly<
    Record<string, Loose>
  >;

/** The options of `extend` that do not affect types, and `process`. */
export type ExtendOptions<O extends HasPath, N, P> = RestOptions<MergeGenerics<O, N, unknown> & HasPath> &
  ProcessOption<MergeGenerics<O, N, unknown> & HasPath, P> &
  FittingContent<O, N>;
/** Requires `content: 'json'` if an endpoint with another `content` gets a schema. */
export type FittingContent<O, N> = 'content' extends keyof O
  ? 'content' extends keyof N
    ? unknown
    : [Option<O, 'content', undefined>] extends [ContentFor<MergeGenerics<O, N, unknown>> | undefined]
      ? unknown
      : { readonly content: ContentFor<MergeGenerics<O, N, unknown>> }
  : unknown;
