import type { EndpointInterface } from '../../define/endpoint/infer-endpoint.ts';
import { recordNamesOf, tableAndPkOf } from '../../control/controller/mutated-record.ts';
import { pksIn } from '../../control/controller/pks-in-text.ts';
import { withPkFields } from '../../control/controller/request-in-flight.ts';
import { isTemporaryPk } from '../../define/schema/own-pk.ts';
import type { OfflineOptions } from '../../define/endpoint/options.ts';
import type { NestedEdits } from '../../state/store/nested-edits.ts';
import type { Fields } from '../../std/plain.ts';
import { thrown } from '../../std/thrown.ts';
import { namesInArgs } from './saved-pks.ts';
import { Wakers } from './wakers.ts';
import { type ArgsText, argsToText, copyArgs } from './args-text.ts';

/** `waiting` for its turn, for the network or for the next try; `sending`; or `stopped` by its error, until the application retries, changes or discards it. */
export type OutboxState = 'waiting' | 'sending' | 'stopped';

/** An edit that the server has not answered, as applications see it. It does not change: each change makes another object. */
export interface OutboxEntry {
  readonly id: string;
  /** The name of the endpoint. */
  readonly endpoint: string;
  readonly args: readonly unknown[];
  /** When it was made, in milliseconds since 1970. */
  readonly createdAt: number;
  readonly state: OutboxState;
  /** How often it was sent. */
  readonly tries: number;
  /** The error of the last try. */
  readonly error: unknown;
  /** Whether it is in the storage, so that it survives a restart. */
  readonly isKept: boolean;
  /** Whether another tab sends it. */
  readonly isElsewhere: boolean;
}

/** A record that an entry creates, by the pk that it has until the server has answered. */
export interface CreatedRecord {
  readonly table: string;
  readonly pk: string;
}

/** What the storage has of the arguments of an entry. */
export interface StoredArgs {
  /** `undefined` as long as a write may have failed. Files are written again only with other arguments. */
  readonly args: readonly unknown[] | undefined;
  /** The number of files. */
  readonly files: number;
}

/** One try of an entry to get an answer. Another one takes its place after an edit, or when people try again. */
export interface Run {
  readonly abort: AbortController;
}

interface EntryNames {
  readonly args: readonly unknown[];
  readonly records: readonly string[];
  readonly queues: readonly string[];
  readonly temporaryPk: string | undefined;
  readonly texts: ReadonlySet<string>;
}

type EntryCaller = { resolve: (value: unknown) => void; reject: (error: unknown) => void };

/** An edit that the server has not answered. */
export class QueuedEntry {
  readonly id: string;
  /** Its place among the entries: after all that its tab knew when it was made. At least the time, in milliseconds since 1970. */
  readonly place: number;
  readonly name: string;
  readonly createdAt: number;
  /** `undefined` if the application has no such endpoint any more. */
  readonly endpoint: EndpointInterface | undefined;
  #args: readonly unknown[];
  state: OutboxState = 'waiting';
  tries = 0;
  error: unknown = undefined;
  isKept = false;
  stored: StoredArgs | undefined = undefined;
  /** Whether the create of a record in its arguments was looked for in all tabs, and not found. */
  isSearched = false;
  /** How often its arguments were changed. */
  revision = 0;
  /** Whether the server may have carried it out. */
  isSent = false;
  /** The tab that sends it. */
  tab = '';
  /** The row of its record when the entry was made, for conflicts. */
  base: unknown = undefined;
  /** The fields of the present pk of its record, if an earlier edit has changed the pk. */
  pkFields: Fields | undefined = undefined;
  #basedOn: string | undefined = undefined;
  /** The version that it has made, once it is answered. */
  made: { readonly tag: string | undefined } | undefined = undefined;
  /** Which fields of the records inside of its body it edits. Known when its guess is shown for the first time. */
  nestedEdits: NestedEdits | undefined = undefined;
  #creates: readonly CreatedRecord[] = [];
  /** The entries that have to be answered first. Of each of its mutation queues only the last one before it, which waits for the others. */
  readonly after: Set<QueuedEntry> = new Set();
  /** The entries that have this one in `after`. */
  readonly later: Set<QueuedEntry> = new Set();
  /** Wakes the code that waits for a change of `after`, or of the state of an entry in it. */
  readonly wakers: Wakers = new Wakers();
  /** The entry because of which it has stopped, if it is blocked. */
  blocker: QueuedEntry | undefined = undefined;
  /** Called when something by which it can be found has changed. */
  onChanged: () => void = ignore;
  run: Run | undefined = undefined;
  /** Settles what callers wait for. */
  readonly callers: EntryCaller[] = [];
  /** Resolves when the entry is in the storage, or writing it has failed. */
  saved: Promise<unknown> = Promise.resolve();
  /** What follows from its arguments. */
  #names: EntryNames | undefined;
  #text: { readonly args: readonly unknown[]; readonly text: Promise<ArgsText> } | undefined;

  constructor(made: Pick<QueuedEntry, 'id' | 'place' | 'name' | 'createdAt' | 'endpoint' | 'args'>) {
    this.id = made.id;
    this.place = made.place;
    this.name = made.name;
    this.createdAt = made.createdAt;
    this.endpoint = made.endpoint;
    this.#args = made.args;
  }

  get args(): readonly unknown[] {
    return this.#args;
  }

  set args(args: readonly unknown[]) {
    this.#args = args;
    this.onChanged();
  }

  /** The tag of the version that it changes, for `If-Match`. Empty if it is sent without one, because a conflict was decided. */
  get basedOn(): string | undefined {
    return this.#basedOn;
  }

  set basedOn(tag: string | undefined) {
    this.#basedOn = tag;
    this.onChanged();
  }

  get creates(): readonly CreatedRecord[] {
    return this.#creates;
  }

  set creates(creates: readonly CreatedRecord[]) {
    this.#creates = creates;
    this.onChanged();
  }

  /** The `Idempotency-Key` of all its tries with the same arguments. */
  get key(): string {
    return this.revision === 0 ? this.id : `${this.id}-${this.revision}`;
  }

  /** The names of its mutation queues: entries of one record, or with the same text by `serial`, are sent one after another. */
  get queues(): readonly string[] {
    return this.#named.queues;
  }

  /** The names of the record that it edits: one for each class that the record can have. */
  get records(): readonly string[] {
    return this.#named.records;
  }

  /** The pk of the record that it edits, if the pk is temporary. */
  get temporaryPk(): string | undefined {
    return this.#named.temporaryPk;
  }

  /** All texts in its arguments, and the temporary pks inside longer texts. */
  get texts(): ReadonlySet<string> {
    return this.#named.texts;
  }

  /** Returns whether another entry is in the same mutation queue. */
  sharesQueue({ queues }: Pick<QueuedEntry, 'queues'>): boolean {
    return queues.some((queue) => this.queues.includes(queue));
  }

  /** Made once for the same arguments: each new entry is compared with all others. */
  get #named(): EntryNames {
    const { args, endpoint } = this;
    return (this.#names?.args === args ? this.#names : undefined) ?? (this.#names = namesOf(endpoint, args));
  }

  /** Returns whether the entry was made before another one. Entries that two tabs have made at the same time can have the same place. */
  isBefore({ id, place }: Pick<QueuedEntry, 'id' | 'place'>): boolean {
    return this.place < place || (this.place === place && this.id < id);
  }

  /**
   * Returns whether the entry creates a record that these texts name. An earlier text that names a record by a pk of the application is about an earlier record,
   * which was deleted meanwhile.
   */
  isCreatorOf(texts: ReadonlySet<string>, isBefore = true): boolean {
    return this.creates.some(({ pk }) => texts.has(pk) && (isBefore || isTemporaryPk(pk)));
  }

  /** Whether it has stopped because an entry before it has. */
  get isBlocked(): boolean {
    return this.state === 'stopped' && thrown(this.error).code === 'outbox-blocked';
  }

  get method(): unknown {
    return Reflect.get(Object(this.endpoint) as object, 'method');
  }

  /** Whether it is sent with a key, by which the server recognizes repeats. */
  get hasKey(): boolean {
    const { idempotencyKey = typeof this.method === 'string' } = Object(this.endpoint) as { idempotencyKey?: unknown };
    return idempotencyKey !== false;
  }

  /** Whether it has the same effect when it is sent twice. */
  get isRepeatable(): boolean {
    return this.isIdempotent || this.hasKey;
  }

  get isIdempotent(): boolean {
    return this.method === 'PUT' || this.method === 'DELETE';
  }

  /** Gives it other arguments, with which it is another request. Throws if they cannot be kept. */
  change(args: readonly unknown[]): void {
    this.keep(args);
    this.nestedEdits = undefined;
    this.revision++;
  }

  /** Call it when an earlier edit has changed the pk of the record: `fields` are the fields of the new pk, with which the entry is sent from now on. */
  changePk(fields: Fields): void {
    this.pkFields = { ...this.pkFields, ...fields };
    this.args = withPkFields(this.args, fields);
  }

  /** Changes its key, unless the server may have carried it out. With the same key, the server may repeat its refusal. */
  renew(): void {
    if (!this.isSent) this.revision++;
  }

  /** Takes a copy of arguments. Throws if they cannot be kept. */
  keep(given: readonly unknown[]): void {
    const args = copyArgs(given, this.name);
    this.#textOf(args).catch(ignore);
    this.args = args;
  }

  /** The text of its arguments, made once for the same arguments. */
  get argsText(): Promise<ArgsText> {
    return this.#textOf(this.#args);
  }

  #textOf(args: readonly unknown[]): Promise<ArgsText> {
    if (this.#text?.args !== args) this.#text = { args, text: argsToText(args, this.name) };
    return this.#text.text;
  }
}

function namesOf(endpoint: EndpointInterface | undefined, args: readonly unknown[]): EntryNames {
  const records = endpoint === undefined ? [] : recordNamesOf(endpoint, args);
  const [record = ''] = records;
  const temporaryPk = pksIn(record).length > 0 ? tableAndPkOf(record)[1] : undefined;
  const queues = endpoint === undefined ? [] : queuesOf(endpoint, args, records);
  return { args, records, queues, temporaryPk, texts: namesInArgs(args) };
}

function queuesOf(
  endpoint: EndpointInterface,
  args: readonly unknown[],
  records: readonly string[],
): readonly string[] {
  const { serial } = endpoint;
  if (serial === true && records.length === 0) return [endpoint.key(...args)];
  if (typeof serial !== 'function') return records;
  const queue = serial(...args);
  return queue === undefined ? [] : [queue];
}

/** Sorts entries in the order in which they were made. */
export function byPlace(one: QueuedEntry, other: QueuedEntry): number {
  return one.isBefore(other) ? -1 : 1;
}

function ignore(): void {}

/** Returns whether an error has one of these statuses. */
export function isStatus(error: unknown, ...statuses: readonly number[]): boolean {
  return statuses.some((status) => thrown(error).status === status);
}

/** The option `offline` of an endpoint. Empty if the endpoint has none. */
export function optionsOf(endpoint: EndpointInterface | undefined): OfflineOptions {
  const { offline } = Object(endpoint) as { readonly offline?: unknown };
  return Object(offline) as OfflineOptions;
}
