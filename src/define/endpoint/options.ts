import type { Denormalize, Loose, Queryable, SchemaArgs } from '../schema/infer-schema.ts';
import type { ArgsOrNull, NullableValueOf } from './infer-value.ts';
import type { StandardSchema } from '../../std/standard-schema.ts';

/** What an endpoint may fail with, as an error policy sees it. */
export interface UnknownError extends Error {
  readonly status?: unknown;
  readonly response?: { readonly statusText?: string; readonly body?: unknown };
}

/** What a guess reads of an endpoint: enough to name the request, and to know what its answer is. */
export type ReadableEndpoint = ((...args: Loose) => Promise<Loose>) & {
  key(...args: Loose): string;
  readonly schema?: Loose;
};

/** What is stored for a request. */
export interface SnapshotResponse<Data = Loose> {
  readonly data: Data;
  /** How far it can be relied on: see `ExpiryStatus`. */
  readonly expiryStatus: 1 | 2 | 3;
  /** Until when it is fresh. */
  readonly expiresAt: number;
}

/** What `getOptimisticResponse` can read: the store as it is when the guess is made. */
export interface SnapshotInterface {
  /** The value of a queryable, without a request. */
  get<S extends Queryable>(schema: S, ...args: SchemaArgs<S>): Denormalize<S> | undefined;
  /** As `get`, in an object. */
  getQueryMeta<S extends Queryable>(schema: S, ...args: SchemaArgs<S>): { readonly data: Denormalize<S> | undefined };
  /** The stored answer of an endpoint, and how far it can be relied on. */
  getResponse<E extends ReadableEndpoint>(endpoint: E, ...args: ArgsOrNull<E>): SnapshotResponse<NullableValueOf<E>>;
  getResponseMeta<E extends ReadableEndpoint>(
    endpoint: E,
    ...args: ArgsOrNull<E>
  ): SnapshotResponse<NullableValueOf<E>>;
  getError<E extends ReadableEndpoint>(endpoint: E, ...args: ArgsOrNull<E>): UnknownError | undefined;
  /** When the request was issued. */
  readonly fetchedAt: number;
  /** Throw this to make no guess. */
  readonly abort: Error;
}

/** What an endpoint says about how its answers are kept. The controller and the managers act on it. */
export interface EndpointExtraOptions {
  /** For how many milliseconds an answer is fresh. `Infinity`: for ever. */
  readonly dataExpiryLength?: number | undefined;
  /** For how many milliseconds an error is kept before the next try. */
  readonly errorExpiryLength?: number | undefined;
  /** Milliseconds between polls, while there is a subscriber. */
  readonly pollFrequency?: number | undefined;
  /** Stale data does not count as data: it is loading again. */
  readonly invalidIfStale?: boolean | undefined;
  /** `soft` shows what there was before the error, where there was something; otherwise the error wins. */
  errorPolicy?(error: Loose): 'hard' | 'soft' | undefined;
  /** Fields without which a record that came with something else does not answer this request. Default: those of its class. */
  readonly needs?: readonly string[] | undefined;
  /** What the response of this mutation will probably be. */
  getOptimisticResponse?(snap: SnapshotInterface, ...args: Loose): Loose;
  /**
   * Whether the records that are the answer, or its list, are whole: a field that is left out is not there any more. Otherwise it stays as it
   * was.
   */
  readonly whole?: boolean | undefined;
  /**
   * Sends mutations one after another: with `true` those of one record, whichever endpoints they are of, and those that name no record
   * by their request key; with a function, those for which it gives the same text. Guesses show at once.
   */
  readonly serial?: boolean | ((...args: Loose) => string | undefined) | undefined;
  /** What an answer that says nothing but yes stands for, where there is no guess. REST endpoints know it of PUT, PATCH and creates. */
  impliedResponse?(...args: Loose): Loose;
  /** Endpoints whose answers this mutation changes besides: they are stale after it, and asked for again where they are shown. */
  readonly refetches?: readonly { testKey(key: string): boolean }[] | undefined;
  /** What becomes of other results, by request key, when this one, in refs, has been stored. Schemas do that better. */
  update?(stored: Loose, ...args: Loose): Readonly<Record<string, (before: Loose) => Loose>>;
  /** Judges, and may change, what came, before anything is made of it. What it refuses is not stored. */
  readonly validate?: StandardSchema | undefined;
  /** Whatever else you want to hand to your own managers. */
  readonly extra?: Loose;
}
