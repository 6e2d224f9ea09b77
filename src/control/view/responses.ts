import type { EndpointInterface } from '../../define/endpoint/infer.ts';
import { INVALID } from '../../define/schema/schema.ts';
import type { Result } from '../../state/store/results.ts';
import type { Store } from '../../state/store/store.ts';
import { ExpiryStatus } from './expiry-status.ts';

/** Why a request failed, and until when that keeps it from being sent again. */
export interface Failure {
  readonly error: unknown;
  readonly policy: 'hard' | 'soft' | undefined;
  readonly expiresAt: number;
}

/** What is known of a request key beside the result that the store has. */
export interface Meta {
  readonly failure?: Failure;
  /** Whether the result was thrown away, so that only another request can answer. */
  readonly isInvalidated?: boolean;
  /** Whether the result counts as stale before its time. */
  readonly isExpired?: boolean;
}

/** What a request key answers now. */
export interface StoredResponse<Data = unknown> {
  readonly data: Data;
  readonly expiryStatus: ExpiryStatus;
  /** Until when it is fresh. */
  readonly expiresAt: number;
}

export interface Reading extends StoredResponse {
  readonly failure: Failure | undefined;
}

/** Expiry of what has none to tell: it is stale already. */
const PAST = 1;
const NOTHING: Meta = {};

/** Reads of endpoints: results of the store, together with what the store has never heard of, errors and expiry. */
export class Responses {
  readonly store: Store;
  readonly now: () => number;
  readonly #metas = new Map<string, Meta>();
  readonly #listeners = new Map<string, Set<() => void>>();

  constructor(store: Store, now: () => number) {
    this.store = store;
    this.now = now;
  }

  meta(key: string): Meta {
    return this.#metas.get(key) ?? NOTHING;
  }

  /** Takes the place of what was known; nobody is told before `tell`. */
  put(key: string, meta: Meta | undefined): void {
    if (meta === undefined) this.#metas.delete(key);
    else this.#metas.set(key, meta);
  }

  tell(key: string): void {
    for (const listener of Array.from(this.#listeners.get(key) ?? [])) listener();
  }

  /** Forgets every meta. Gives the keys whose listeners have to be told. */
  clear(): string[] {
    const keys = [...this.#metas.keys()];
    this.#metas.clear();
    return keys;
  }

  /** Every request key that there is something to say about. */
  keys(): Set<string> {
    const keys = new Set(this.#metas.keys());
    for (const [key] of this.store.results()) keys.add(key);
    return keys;
  }

  subscribe(key: string, listener: () => void): () => void {
    const own = (): void => listener();
    const listeners = this.#listeners.get(key) ?? new Set();
    this.#listeners.set(key, listeners.add(own));
    return () => {
      listeners.delete(own);
      if (listeners.size === 0 && this.#listeners.get(key) === listeners) this.#listeners.delete(key);
    };
  }

  read(endpoint: EndpointInterface, args: readonly unknown[]): Reading {
    const key: string = endpoint.key(...args);
    const meta = this.meta(key);
    const result = this.store.result(key);
    const found = result === undefined ? this.#infer(endpoint, args, meta) : this.#stored(endpoint, key, meta, result);
    const failure = meta.failure?.policy === 'soft' && found.data !== undefined ? undefined : meta.failure;
    if (meta.failure === undefined) return { ...found, failure };
    const expiryStatus =
      found.data === undefined && meta.isInvalidated !== true ? ExpiryStatus.InvalidIfStale : found.expiryStatus;
    return { ...found, expiryStatus, expiresAt: meta.failure.expiresAt, failure };
  }

  #stored(endpoint: EndpointInterface, key: string, meta: Meta, { stamp }: Result): StoredResponse {
    const schema: unknown = endpoint.schema ?? undefined;
    const data = this.store.resultView(key, schema).current();
    if (data === INVALID) return { data: undefined, expiryStatus: ExpiryStatus.Invalid, expiresAt: 0 };
    const isWhole = schema === undefined || data !== undefined;
    const expiryStatus = isWhole && endpoint.invalidIfStale !== true ? ExpiryStatus.Valid : ExpiryStatus.InvalidIfStale;
    const expiresAt = meta.isExpired === true ? PAST : stamp.expiresAt;
    return { data, expiryStatus, expiresAt };
  }

  /** What the arguments lead to among the rows that other requests brought. */
  #infer(endpoint: EndpointInterface, args: readonly unknown[], meta: Meta): StoredResponse {
    if (meta.isInvalidated === true) return { data: undefined, expiryStatus: ExpiryStatus.Invalid, expiresAt: 0 };
    const data = canInfer(endpoint) ? this.store.query(endpoint.schema, args).current() : undefined;
    if (data === INVALID) return { data: undefined, expiryStatus: ExpiryStatus.Invalid, expiresAt: 0 };
    const isUsable = data !== undefined && endpoint.invalidIfStale !== true;
    // The store does not say until when the rows are fresh, so another request is due.
    return { data, expiryStatus: isUsable ? ExpiryStatus.Valid : ExpiryStatus.InvalidIfStale, expiresAt: PAST };
  }
}

/** Whether rows of other requests can answer this endpoint. */
export function canInfer(endpoint: EndpointInterface): boolean {
  return endpoint.schema !== undefined && endpoint.schema !== null && !endpoint.sideEffect;
}
