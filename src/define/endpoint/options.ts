import type { Denormalize, Loose, Queryable, SchemaArgs } from '../schema/infer-schema.ts';
import type { ArgsOrNull, NullableValueOf } from './infer-value.ts';
import type { StandardSchema } from '../../std/standard-schema.ts';

/** An error of an endpoint, as an error policy gets it. */
export interface UnknownError extends Error {
  readonly status?: unknown;
  readonly response?: { readonly statusText?: string; readonly body?: unknown };
}

/** An endpoint as `getOptimisticResponse` can read it: it needs a key and a schema. */
export type ReadableEndpoint = ((...args: Loose) => Promise<Loose>) & {
  key(...args: Loose): string;
  readonly schema?: Loose;
};

/** The stored answer of a request. */
export interface SnapshotResponse<Data = Loose> {
  readonly data: Data;
  /** How fresh the answer is: see `ExpiryStatus`. */
  readonly expiryStatus: 1 | 2 | 3;
  /** The time until which the answer is fresh. */
  readonly expiresAt: number;
}

/** Rows as they are stored, by table and pk. */
export interface StoredRows {
  row(table: string, pk: string): object | symbol | undefined;
  /** Returns the pk that has replaced a temporary pk. Returns any other pk unchanged. */
  pkOf(table: string, pk: string): string;
}

/** The argument `snap` of `getOptimisticResponse`: reads the store as it is when the guess is made. */
export interface SnapshotInterface {
  /** Returns the value of a queryable. Sends no request. */
  get<S extends Queryable>(schema: S, ...args: SchemaArgs<S>): Denormalize<S> | undefined;
  /** As `get`, but returns an object. */
  getQueryMeta<S extends Queryable>(schema: S, ...args: SchemaArgs<S>): { readonly data: Denormalize<S> | undefined };
  /** Returns the stored answer of an endpoint, and how fresh it is. */
  getResponse<E extends ReadableEndpoint>(endpoint: E, ...args: ArgsOrNull<E>): SnapshotResponse<NullableValueOf<E>>;
  getResponseMeta<E extends ReadableEndpoint>(
    endpoint: E,
    ...args: ArgsOrNull<E>
  ): SnapshotResponse<NullableValueOf<E>>;
  getError<E extends ReadableEndpoint>(endpoint: E, ...args: ArgsOrNull<E>): UnknownError | undefined;
  /** The rows as they are stored, for `refsOf`. */
  readonly store: StoredRows;
  /** The time at which the request was issued. */
  readonly fetchedAt: number;
  /** Throw this to show no optimistic update. */
  readonly abort: Error;
}

/** How an `OutboxManager` sends the mutations of an endpoint. */
export interface OfflineOptions {
  /** Edits of one record that were not sent yet become one edit: the bodies are merged. Default: false. */
  readonly coalesce?: boolean;
  /**
   * Decides about an answer of 409 or 412. `'mine'`: the edit is sent again, without the version that it was based on. `'theirs'`: the edit is
   * discarded. A record: it is sent instead of the body. `undefined`: the entry stops, and the user decides.
   */
  onConflict?(conflict: OfflineConflict): Loose;
}

/** The three versions of a record, if the server has refused an edit because the record has changed. */
export interface OfflineConflict {
  /** The record as it was stored when the edit was made; `undefined` if it was not. */
  readonly base: Loose;
  /** The body of the edit. */
  readonly mine: Loose;
  /** The body of the answer: with most servers, the record as it is now. */
  readonly theirs: Loose;
  readonly error: UnknownError;
  readonly args: readonly Loose[];
}

/** Options for how the answers of an endpoint are kept. The controller and the managers use them. */
export interface EndpointExtraOptions {
  /** How many milliseconds an answer is fresh. `Infinity`: for ever. */
  readonly dataExpiryLength?: number | undefined;
  /** How many milliseconds an error is kept before the request may be sent again. */
  readonly errorExpiryLength?: number | undefined;
  /** Milliseconds between polls, while there is a subscriber. */
  readonly pollFrequency?: number | undefined;
  /** If true, stale data is not shown: the request counts as loading again. */
  readonly invalidIfStale?: boolean | undefined;
  /** `soft` keeps showing the data from before the error, if there is any. `hard` shows the error. */
  errorPolicy?(error: Loose): 'hard' | 'soft' | undefined;
  /** Fields that a record must have to answer this request if it came with another response. Default: the required fields of its class. */
  readonly needs?: readonly string[] | undefined;
  /** Returns the response that this mutation is expected to get, and shows it until the response arrives. */
  getOptimisticResponse?(snap: SnapshotInterface, ...args: Loose): Loose;
  /**
   * If true, the records of an answer are complete: a field that the answer leaves out is removed. Otherwise a left-out field keeps its
   * value. Applies to the record that is the answer, and to the records of an answer that is a list.
   */
  readonly whole?: boolean | undefined;
  /**
   * Sends mutations one after another. `true`: those of one record, of all endpoints, and those that name no record by their
   * request key. A function: those for which it returns the same text. Optimistic updates show at once.
   */
  readonly serial?: boolean | ((...args: Loose) => string | undefined) | undefined;
  /**
   * Returns the response to use if the server only confirms the mutation and there is no guess. REST endpoints do this for PUT, PATCH and
   * creates.
   */
  impliedResponse?(...args: Loose): Loose;
  /** Endpoints whose answers this mutation makes stale. The answers that are shown are fetched again. */
  readonly refetches?: readonly { testKey(key: string): boolean }[] | undefined;
  /**
   * Called when the answer is stored. Returns changes of other results by request key. `stored` has refs in place of records. Prefer
   * schemas, such as collections.
   */
  update?(stored: Loose, ...args: Loose): Readonly<Record<string, (before: Loose) => Loose>>;
  /** Checks the response before it is stored, and may change it. A response that it rejects is not stored. */
  readonly validate?: StandardSchema | undefined;
  /** Whether an `OutboxManager` keeps this mutation until the server has answered, also over a restart. */
  readonly offline?: boolean | OfflineOptions | undefined;
  /** Options of your own, for your own managers. */
  readonly extra?: Loose;
}
