import { memo } from '../../std/memo.ts';
import type { Version } from '../../define/endpoint/exchange.ts';
import { requestKey } from '../../define/endpoint/request-key.ts';
import type { EndpointInterface } from '../../define/endpoint/infer-endpoint.ts';
import { isEntity } from '../../define/schema/entity.ts';
import { isObject } from '../../define/schema/fields.ts';
import { memberSchemas } from '../../define/schema/bare-answer.ts';
import { isUnion } from '../../define/schema/polymorphic.ts';
import { INVALID } from '../../define/schema/row.ts';
import type { Found } from '../../state/store/request-cell.ts';
import type { RequestRead } from '../../state/store/request-cells.ts';
import type { Failure, Note } from '../../state/store/request-state.ts';
import type { Store } from '../../state/store/store.ts';
import { dataOrEmpty } from './empty-value.ts';
import { isMadeSince, isRecordDeleted } from './record-of-read.ts';
import { type Fit, fitOf } from './inferred.ts';
import { ExpiryStatus } from './expiry-status.ts';
import { elapsed } from '../../std/elapsed.ts';

/** The stored answer of a request. */
export interface StoredResponse<Data = unknown> {
  readonly data: Data;
  readonly expiryStatus: ExpiryStatus;
  /** Until when it is fresh. */
  readonly expiresAt: number;
}

export interface RequestReading extends StoredResponse {
  readonly failure: Failure | undefined;
  /** Whether the record of the answer was deleted. */
  readonly isDeleted: boolean;
}

/** A request whose answer is on a screen. */
export interface ShownRequest {
  readonly endpoint: EndpointInterface;
  readonly args: readonly unknown[];
  readonly key: string;
}

/** A reader that shows an answer. Several readers can share the object of the request. */
interface ShowingReader {
  readonly request: ShownRequest;
}

/** Facts to store about a request. `Responses` adds the time, and the value that has the version. */
export interface NewNote extends Omit<Note, 'since' | 'edits' | 'value' | 'version' | 'written'> {
  readonly version?: Version | undefined;
  readonly written?: Version | undefined;
}

/** The time of expiry for data without one: it is stale already. */
export const PAST = 1;
const NOTHING: Note = { since: 0, edits: 0 };
/** How many milliseconds the note of a request that is not shown is kept. */
const NOTE_LIFETIME = 120_000;
/** How many readers show each answer of a store, by request key. The readers can be of several controllers. */
const readersOf = new WeakMap<Store, Map<string, number>>();

/** The result for `null` instead of arguments: no request. */
const NOT_REQUESTED: StoredResponse = Object.freeze({
  data: undefined,
  expiryStatus: ExpiryStatus.Valid,
  expiresAt: Number.POSITIVE_INFINITY,
});

/** Returns the part of a reading that applications get. */
export function publicResponse(
  endpoint: { readonly schema?: unknown },
  reading: StoredResponse = NOT_REQUESTED,
): StoredResponse {
  const { data, expiryStatus, expiresAt } = reading;
  return { data: dataOrEmpty(data, endpoint.schema), expiryStatus, expiresAt };
}

/** Reads the stored answers of endpoints, and decides whether they are still fresh. */
export class Responses {
  readonly store: Store;
  readonly now: () => number;
  /** By request key: its readers, the latest one last. Most requests have one reader, and a set needs much more memory. */
  readonly #shown = new Map<string, ShowingReader | Set<ShowingReader>>();
  /** The number of readers in all controllers of the store, by request key. */
  readonly #readers: Map<string, number>;
  /** The keys of answers that are being stored, until their readers are notified. */
  readonly storing: Set<string> = new Set();
  #edits = 0;

  constructor(store: Store, now: () => number) {
    this.store = store;
    this.now = now;
    this.#readers = memo(readersOf, store, () => new Map());
  }

  note(key: string): NewNote {
    return this.#noteOf(key) as NewNote;
  }

  #noteOf(key: string): Note {
    return this.store.request(key)?.note ?? NOTHING;
  }

  /** Replaces the stored facts about a request. */
  put(key: string, note: NewNote | undefined): void {
    const before = this.store.request(key)?.note;
    const { edits, value } =
      before !== undefined && before.version === note?.version
        ? before
        : { edits: this.#edits, value: note?.version && this.#versionedValue(key) };
    this.store.note(key, note && { ...note, since: this.now(), edits, value });
  }

  /** Call it when the application writes records itself: stored results may then differ from the versions on the server. */
  noteEdit(): void {
    this.#edits++;
  }

  /** Returns the version (such as an ETag) of a result, if nothing has changed the result since it arrived. */
  storedVersion(key: string): Version | undefined {
    const { edits, value, version, written } = this.#noteOf(key);
    const isUnchanged = written === undefined && edits === this.#edits;
    if (!isUnchanged || this.store.result(key) === undefined) return undefined;
    // A mutation may have changed a list, and the server may have the former list again.
    return value === INVALID || value !== this.#valueOf(key) ? undefined : (version as Version | undefined);
  }

  /** Returns the value that a result has in its version; `INVALID` if that is not known, because guesses may have changed it. */
  #versionedValue(key: string): unknown {
    return this.store.hasLayers ? INVALID : this.#valueOf(key);
  }

  /** Returns the value of a result, `INVALID` if it cannot be built. */
  #valueOf(key: string): unknown {
    try {
      return this.store.resultView(key).current();
    } catch {
      return INVALID;
    }
  }

  /** Removes the facts about requests that are not shown and have no result. */
  sweep(): void {
    for (const [key, { results, note }] of [...this.store.requests()]) {
      if (results.length > 0 || this.isShown(key)) continue;
      const { since, failure } = note ?? NOTHING;
      if (Math.max(since + NOTE_LIFETIME, failure?.expiresAt ?? 0) < this.now()) this.store.dropRequest(key);
    }
  }

  /** Returns the keys of all known requests, and of those on a screen whose answers came with other requests. */
  keys(): string[] {
    const known = Array.from(this.store.requests(), ([key]) => key);
    return [...new Set([...known, ...this.#readers.keys()])];
  }

  /** Returns the requests whose answers are on a screen, each once, as its latest reader calls it. */
  *shown(): Generator<ShownRequest> {
    for (const readers of this.#shown.values()) yield latestOf(readers).request;
  }

  /** Returns a request whose answer is on a screen, as its latest reader calls it. */
  shownAs(key: string): ShownRequest | undefined {
    const readers = this.#shown.get(key);
    return readers && latestOf(readers).request;
  }

  /** Returns whether an answer is on a screen, also one of another controller of the store. */
  isShown(key: string): boolean {
    return this.#readers.has(key);
  }

  /** Counts a reader that shows an answer. Returns a function that removes the reader. */
  show(request: ShownRequest): () => void {
    const { key } = request;
    const reader = { request };
    const others = this.#shown.get(key);
    if (others instanceof Set) others.add(reader);
    else this.#shown.set(key, others === undefined ? reader : new Set([others, reader]));
    this.#readers.set(key, (this.#readers.get(key) ?? 0) + 1);
    return () => {
      const left = (this.#readers.get(key) ?? 1) - 1;
      if (left > 0) this.#readers.set(key, left);
      else this.#readers.delete(key);
      const shown = this.#shown.get(key);
      if (shown instanceof Set) shown.delete(reader);
      if (shown instanceof Set ? shown.size > 0 : shown !== reader) return;
      this.#shown.delete(key);
      // A reader that unmounts and mounts again in one turn still finds the answer.
      if (this.note(key).isNoStore === true) void Promise.resolve().then(() => this.#dropNoStore(key));
    };
  }

  #dropNoStore(key: string): void {
    if (!this.isShown(key) && this.note(key).isNoStore === true) this.store.dropRequest(key);
  }

  read(
    endpoint: EndpointInterface,
    args: readonly unknown[],
    read: RequestRead = requestRead(endpoint, args, requestKey(endpoint, args, 'getResponse()')),
  ): RequestReading {
    this.store.use(read.key);
    const found = this.store.readRequest(read);
    return this.reading(endpoint, args, found, read);
  }

  /** Adds freshness, failure and deletion to what the store has found for a request. */
  reading(endpoint: EndpointInterface, args: readonly unknown[], found: Found, read: RequestRead): RequestReading {
    const note = found.state?.note ?? NOTHING;
    const { failure } = note;
    const stored = this.#stored(endpoint, args, found, read);
    const record = { entity: endpoint.schema, args, found };
    const isDeleted = found.value === INVALID && note.isInvalidated !== true && isRecordDeleted(this.store, record);
    const isMissing = stored.data === undefined;
    const isOver = failure === undefined || (!isMissing && isMadeSince(this.store, failure, record));
    if (isOver) return { ...stored, failure: undefined, isDeleted };
    return {
      data: stored.data,
      expiryStatus: isMissing && note.isInvalidated !== true ? ExpiryStatus.InvalidIfStale : stored.expiryStatus,
      expiresAt: this.#until(failure.expiresAt, failure.since),
      failure: failure.policy === 'soft' && !isMissing ? undefined : failure,
      isDeleted,
    };
  }

  /** Returns the stored answer of the request itself, or a value made from rows of other requests. */
  #stored(
    endpoint: EndpointInterface,
    args: readonly unknown[],
    { result, state, value }: Found,
    read: RequestRead,
  ): StoredResponse {
    const note = state?.note ?? NOTHING;
    if (value === INVALID) return { data: undefined, expiryStatus: ExpiryStatus.Invalid, expiresAt: 0 };
    const schema = endpoint.schema ?? undefined;
    const fit = result === undefined ? this.#fit(endpoint, args, value) : 'whole';
    const isWhole = result === undefined ? fit !== 'none' : schema === undefined || value !== undefined;
    const isGood = isWhole && endpoint.invalidIfStale !== true;
    const isAnswer = isWhole || result !== undefined;
    let expiresAt = PAST;
    if (isAnswer && note.isExpired !== true) {
      if (fit === 'part') expiresAt = PAST;
      else if (result === undefined) expiresAt = this.#rowsUntil(read);
      else if (note.expiresAt === undefined) expiresAt = this.#until(result.stamp.expiresAt, result.stamp.date);
      else expiresAt = this.#until(note.expiresAt, note.since);
    }
    return {
      data: isAnswer ? value : undefined,
      expiryStatus: isGood ? ExpiryStatus.Valid : ExpiryStatus.InvalidIfStale,
      expiresAt,
    };
  }

  /** Returns how well rows from other requests answer this one. */
  #fit(endpoint: EndpointInterface, args: readonly unknown[], value: unknown): Fit {
    const { schema } = endpoint;
    if (!isFound(schema, value)) return 'none';
    const entity: unknown = isUnion(schema) ? Object(value).constructor : schema;
    if (!isEntity(entity)) return 'whole';
    const row = this.store.row(entity.key, String(entity.pk(value, undefined, undefined, args)));
    const pkOf = (pk: string): string => this.store.pkOf(entity.key, pk);
    return isObject(row) ? fitOf(entity, row, args, endpoint, pkOf) : 'whole';
  }

  /** Until when rows are fresh. For an earlier state it reads the present rows, which may have become unreadable since. */
  #rowsUntil(read: RequestRead): number {
    try {
      return this.store.requestExpiresAt(read);
    } catch {
      return PAST;
    }
  }

  /** Returns the time of expiry. Data that is dated later than now is stale, because the clock was set back. */
  #until(expiresAt: number, since: number): number {
    return elapsed(since, this.now()) === undefined ? PAST : expiresAt;
  }
}

function latestOf(readers: ShowingReader | ReadonlySet<ShowingReader>): ShowingReader {
  if (!(readers instanceof Set)) return readers as ShowingReader;
  let last: ShowingReader | undefined;
  for (const reader of readers as ReadonlySet<ShowingReader>) last = reader;
  // A set without members is removed.
  return last as ShowingReader;
}

/** Returns the read of a request as the store takes it. */
export function requestRead(endpoint: EndpointInterface, args: readonly unknown[], key: string): RequestRead {
  return { key, schema: endpoint.schema ?? undefined, infer: canInfer(endpoint) ? args : undefined };
}

/** Returns whether rows were found for all members of an object. A partial object is not an answer. */
function isFound(schema: unknown, data: unknown): boolean {
  if (data === undefined) return false;
  return Object.entries(memberSchemas(schema) ?? {}).every(([name, member]) => {
    const isSchema = typeof member === 'function' || (typeof member === 'object' && member !== null);
    const value = (data as Readonly<Record<string, unknown>>)[name];
    // A member that is not a schema, such as the literal of a total, has to be there too, because rows cannot contain it.
    return isSchema ? isFound(member, value) : value !== undefined || member === undefined;
  });
}

/** Returns whether rows of other requests can answer this endpoint. */
function canInfer(endpoint: EndpointInterface): boolean {
  return endpoint.schema !== undefined && endpoint.schema !== null && !endpoint.sideEffect;
}
