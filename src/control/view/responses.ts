import type { Version } from '../../define/endpoint/exchange.ts';
import type { EndpointInterface } from '../../define/endpoint/infer.ts';
import { ObjectSchema } from '../../define/schema/object.ts';
import { INVALID } from '../../define/schema/schema.ts';
import type { Result } from '../../state/store/results.ts';
import type { Store } from '../../state/store/store.ts';
import { isPlain } from '../../std/plain.ts';
import { ExpiryStatus } from './expiry-status.ts';

/** Why a request failed, and until when that keeps it from being sent again. */
export interface Failure {
  readonly error: unknown;
  readonly policy: 'hard' | 'soft' | undefined;
  readonly since: number;
  readonly expiresAt: number;
}

/** What is known of a request key beside the result that the store has. */
export interface Meta {
  readonly failure?: Failure | undefined;
  /** Whether the result was thrown away, so that only another request can answer. */
  readonly isInvalidated?: boolean;
  /** The issue of the request that was answered last, where its result was thrown away. */
  readonly issue?: number | undefined;
  /** Whether the result counts as stale before its time. */
  readonly isExpired?: boolean;
  /** Whether the result goes as soon as nobody shows it. */
  readonly isPassing?: boolean;
  /** Until when the result is fresh, where the server has said so again without sending it. */
  readonly expiresAt?: number;
  /** The version that the result came with. */
  readonly version?: Version | undefined;
  /** The version that a mutation has made of it since. */
  readonly written?: Version | undefined;
}

interface Kept extends Meta {
  /** When it was put. */
  readonly since: number;
  /** How many edits of the application there were before it. */
  readonly edits: number;
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

/** A request whose answer somebody shows. */
export interface ShownRequest {
  readonly endpoint: EndpointInterface;
  readonly args: readonly unknown[];
  readonly key: string;
}

interface Shown {
  request: ShownRequest;
  readonly listeners: Set<() => void>;
}

/** Expiry of what has none to tell: it is stale already. */
const PAST = 1;
const NOTHING: Kept = { since: 0, edits: 0 };
/** How long it is known of what nobody shows that it was invalidated, or failed. */
const STAY = 120_000;

/** Reads of endpoints: results of the store, together with what the store has never heard of, errors and expiry. */
export class Responses {
  readonly store: Store;
  readonly now: () => number;
  readonly #metas = new Map<string, Kept>();
  readonly #shown = new Map<string, Shown>();
  /** Keys whose listeners are told when the outermost batch has landed. */
  #held: Set<string> | undefined;
  #edits = 0;

  constructor(store: Store, now: () => number) {
    this.store = store;
    this.now = now;
  }

  meta(key: string): Kept {
    return this.#metas.get(key) ?? NOTHING;
  }

  /** Takes the place of what was known; nobody is told before `tell`. */
  put(key: string, meta: Meta | undefined): void {
    const before = this.#metas.get(key);
    const edits = before !== undefined && before.version === meta?.version ? before.edits : this.#edits;
    if (meta === undefined) this.#metas.delete(key);
    else this.#metas.set(key, { ...meta, since: this.now(), edits });
  }

  /** Runs several writes as one commit, after which each listener is told once. */
  batch(run: () => void): void {
    if (this.#held !== undefined) return this.store.batch(run);
    const held = new Set<string>();
    this.#held = held;
    try {
      this.store.batch(run);
    } finally {
      this.#held = undefined;
      for (const key of held) this.tell(key);
    }
  }

  /** Calls the listeners of a key. One that throws keeps nobody from hearing; the page hears of its error. */
  tell(key: string): void {
    if (this.#held !== undefined) this.#held.add(key);
    else for (const listener of Array.from(this.#shown.get(key)?.listeners ?? [])) attempt(listener);
  }

  /** The application wrote records itself: results may differ from what their servers sent. */
  edited(): void {
    this.#edits++;
  }

  /** The version of a result that is as it came. */
  storedVersion(key: string): Version | undefined {
    const meta = this.#metas.get(key);
    const isAsItCame = meta?.written === undefined && meta?.edits === this.#edits;
    if (!isAsItCame || this.store.result(key) === undefined) return undefined;
    const value: unknown = this.store.resultView(key).current();
    return value === INVALID ? undefined : meta.version;
  }

  /** Forgets every meta. Gives the keys whose listeners have to be told. */
  clear(): Iterable<string> {
    const keys = new Set([...this.#metas.keys(), ...this.#shown.keys()]);
    this.#metas.clear();
    return keys;
  }

  /** Forgets what nobody shows and what there is no result for any more. */
  sweep(): void {
    for (const [key, { since, failure }] of this.#metas) {
      const isKept = this.#shown.has(key) || this.store.result(key) !== undefined;
      if (!isKept && Math.max(since + STAY, failure?.expiresAt ?? 0) < this.now()) this.#metas.delete(key);
    }
  }

  /** Every request key that there is something to say about. */
  keys(): Set<string> {
    const keys = new Set(this.#metas.keys());
    for (const [key] of this.store.results()) keys.add(key);
    return keys;
  }

  /** The requests whose answers are shown, each once, as its latest subscriber asks for it. */
  *shown(): Generator<ShownRequest> {
    for (const { request } of this.#shown.values()) yield request;
  }

  isShown(key: string): boolean {
    return this.#shown.has(key);
  }

  subscribe(request: ShownRequest, listener: () => void): () => void {
    const { key } = request;
    const own = (): void => listener();
    const shown = this.#shown.get(key) ?? { request, listeners: new Set() };
    shown.request = request;
    shown.listeners.add(own);
    this.#shown.set(key, shown);
    return () => {
      shown.listeners.delete(own);
      if (shown.listeners.size > 0 || this.#shown.get(key) !== shown) return;
      this.#shown.delete(key);
      // Who goes only to come back in the same turn, still finds it.
      if (this.meta(key).isPassing === true) queueMicrotask(() => this.#pass(key));
    };
  }

  #pass(key: string): void {
    if (this.#shown.has(key) || this.meta(key).isPassing !== true) return;
    this.put(key, undefined);
    this.store.dropResult(key);
  }

  read(endpoint: EndpointInterface, args: readonly unknown[], key: string = endpoint.key(...args)): Reading {
    const meta = this.meta(key);
    const found = this.#found(endpoint, args, key, meta);
    const { failure } = meta;
    if (failure === undefined) return { ...found, failure };
    const isMissing = found.data === undefined;
    return {
      data: found.data,
      expiryStatus: isMissing && meta.isInvalidated !== true ? ExpiryStatus.InvalidIfStale : found.expiryStatus,
      expiresAt: this.#until(failure.expiresAt, failure.since),
      failure: failure.policy === 'soft' && !isMissing ? undefined : failure,
    };
  }

  /** What the request was answered, or what the arguments lead to among the rows that other requests brought. */
  #found(endpoint: EndpointInterface, args: readonly unknown[], key: string, meta: Kept): StoredResponse {
    const { store } = this;
    const schema = endpoint.schema ?? undefined;
    const result = store.result(key);
    let value: unknown;
    if (result !== undefined) value = store.resultView(key, schema).current();
    else if (meta.isInvalidated === true) value = INVALID;
    else if (canInfer(endpoint)) value = store.query(schema, args).current();
    if (value === INVALID) return { data: undefined, expiryStatus: ExpiryStatus.Invalid, expiresAt: 0 };
    const isWhole = result === undefined ? isFound(schema, value) : schema === undefined || value !== undefined;
    const isGood = isWhole && endpoint.invalidIfStale !== true;
    const isAnswer = isGood || result !== undefined;
    let expiresAt = PAST;
    if (isAnswer && meta.isExpired !== true)
      expiresAt = result === undefined ? store.expiresAt(schema, ...args) : this.#freshUntil(result, meta);
    return {
      data: isAnswer ? value : undefined,
      expiryStatus: isGood ? ExpiryStatus.Valid : ExpiryStatus.InvalidIfStale,
      expiresAt,
    };
  }

  #freshUntil({ stamp }: Result, { expiresAt, since }: Kept): number {
    return expiresAt === undefined ? this.#until(stamp.expiresAt, stamp.date) : this.#until(expiresAt, since);
  }

  /** What is from a time that is still to come, by a clock that has been set back, is stale. */
  #until(expiresAt: number, since: number): number {
    return since > this.now() ? PAST : expiresAt;
  }
}

/** Whether rows were found for all members of an object; a part of an answer is none. */
function isFound(schema: unknown, data: unknown): boolean {
  if (data === undefined) return false;
  const members: unknown = schema instanceof ObjectSchema ? schema.schema : schema;
  if (!isPlain(members) || Array.isArray(members)) return true;
  return Object.entries(members).every(([name, member]) => {
    const isSchema = typeof member === 'function' || (typeof member === 'object' && member !== null);
    return !isSchema || isFound(member, (data as Readonly<Record<string, unknown>>)[name]);
  });
}

function attempt(listener: () => void): void {
  try {
    listener();
  } catch (error) {
    queueMicrotask(() => {
      throw error;
    });
  }
}

/** Whether rows of other requests can answer this endpoint. */
export function canInfer(endpoint: EndpointInterface): boolean {
  return endpoint.schema !== undefined && endpoint.schema !== null && !endpoint.sideEffect;
}
