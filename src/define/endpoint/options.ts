import type { Loose } from '../schema/infer.ts';
import type { StandardSchema } from '../../std/standard-schema.ts';

/** What an endpoint may fail with, as an error policy sees it. */
export interface UnknownError extends Error {
  readonly status?: unknown;
  readonly response?: { readonly statusText?: string; readonly body?: unknown };
}

/** What `getOptimisticResponse` can read: the store as it is when the guess is made. */
export interface SnapshotInterface {
  /** The value of a queryable, without a request. */
  get(schema: Loose, ...args: readonly Loose[]): Loose;
  /** As `get`, in an object. */
  getQueryMeta(schema: Loose, ...args: readonly Loose[]): { readonly data: Loose };
  /** The stored answer of an endpoint. */
  getResponse(endpoint: Loose, ...args: readonly Loose[]): Loose;
  getResponseMeta(endpoint: Loose, ...args: readonly Loose[]): Loose;
  getError(endpoint: Loose, ...args: readonly Loose[]): UnknownError | undefined;
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
  /** Milliseconds between polls, while somebody is subscribed. */
  readonly pollFrequency?: number | undefined;
  /** Stale data does not count as data: it is loading again. */
  readonly invalidIfStale?: boolean | undefined;
  /** `soft` shows what there was before the error, where there was something; otherwise the error wins. */
  errorPolicy?(error: Loose): 'hard' | 'soft' | undefined;
  /** What the response of this mutation will probably be. */
  getOptimisticResponse?(snap: SnapshotInterface, ...args: Loose): Loose;
  /** What becomes of other results, by request key, when this one, in refs, has been stored. Schemas do that better. */
  update?(stored: Loose, ...args: Loose): Readonly<Record<string, (before: Loose) => Loose>>;
  /** Judges, and may change, what came, before anything is made of it. What it refuses is not stored. */
  readonly validate?: StandardSchema | undefined;
  /** Whatever else you want to hand to your own managers. */
  readonly extra?: Loose;
}
