import { eitherSignal, throwIfAborted } from '../../std/cancelling.ts';
import type { OptimisticAction } from '../../control/controller/action.ts';
import { isTemporaryPk } from '../../define/schema/own-pk.ts';
import { withPkFields } from '../../control/controller/request-in-flight.ts';
import { networkOf } from '../../control/manager/presence.ts';
import { derived, type Invokable } from '../../define/endpoint/callable.ts';
import type { EndpointInterface } from '../../define/endpoint/infer-endpoint.ts';
import { isUnanswered, refusalIn } from '../../define/rest/error-response.ts';
import { failuresOf } from '../../define/rest/retryable.ts';
import { originOf } from '../../define/rest/url.ts';
import { memo } from '../../std/memo.ts';
import type { Platform } from '../../std/platform.ts';
import { thrown } from '../../std/thrown.ts';
import { isStatus, type QueuedEntry, type Run } from './outbox-entry.ts';
import { givenUp, neverCreated, unsure } from './outbox-errors.ts';
import { namesInArgs, textsIn } from './saved-pks.ts';
import { delayAfter, type EndTry, OriginTries } from './origin-tries.ts';
import { type ConflictQueue, type Sending, tagLike, VersionConflicts } from './version-conflicts.ts';
import { Wakers } from './wakers.ts';

/** The parts of an outbox that `OutboxSender` uses. */
export interface SenderQueue extends ConflictQueue {
  readonly turns: {
    /** Resolves when it is the turn of an entry. Rejects if an entry before it has stopped. */
    turn(entry: QueuedEntry, signal: AbortSignal): Promise<void>;
  };
  readonly endedTabs: {
    /** Resolves when the entries of earlier starts have been taken over, or that has taken too long. */
    readonly begun: Promise<unknown>;
  };
  /** Saves a changed entry, and notifies its readers. */
  changed(entry: QueuedEntry): Promise<unknown>;
  /** Notes that an entry is about to be sent. */
  noteSent(entry: QueuedEntry): void;
  /** Whether the storage has failed. */
  readonly isUnsaved: boolean;
  /** Whether nothing is sent until a login. */
  readonly isPaused: boolean;
  /** How often `resume` was called. */
  readonly resumes: number;
  /** Whether the manager was started again, or the user has logged out. Then another outbox has the entries. */
  readonly isEnded: boolean;
  /** Sends nothing more, because the server requires a login. */
  pause(error: unknown): void;
}

/** How many conflicts of one entry `onConflict` may decide in a row. */
const MAX_CONFLICTS = 5;

/** The statuses of requests that were not carried out, but can succeed when they are sent again. */
const REFUSED = [408, 425, 429, 503] as const;

type EndpointWithFetch = EndpointInterface &
  Invokable & {
    readonly signal?: AbortSignal | undefined;
    fetch(...args: readonly unknown[]): Promise<unknown>;
  };

/** The state before a try. */
interface TryState {
  readonly wasOnline: boolean;
  readonly wasSent: boolean;
}

type Fetch = (this: object, ...args: readonly unknown[]) => Promise<unknown>;

/** Sends an entry, again and again, until it is answered or fails for a reason that is not temporary. */
export class OutboxSender {
  readonly #queue: SenderQueue;
  readonly #platform: Platform;
  /** Entries that wait for their next try. */
  readonly delays: Wakers = new Wakers();
  readonly #origins = new Map<string | undefined, OriginTries>();
  /** The entries, by the endpoint that was made for a run. */
  readonly #entries = new WeakMap<object, QueuedEntry>();
  readonly #conflicts: VersionConflicts;

  constructor(queue: SenderQueue, platform: Platform) {
    this.#queue = queue;
    this.#conflicts = new VersionConflicts(queue);
    this.#platform = platform;
  }

  /** Returns the endpoint of an entry as one run sends it: it waits for its turn, and repeats itself. */
  endpointFor(entry: QueuedEntry, { abort }: Run): EndpointInterface {
    const endpoint = entry.endpoint as EndpointWithFetch;
    const { fetch, signal: given } = endpoint;
    const signal = eitherSignal(given, abort.signal) as AbortSignal;
    const send = (sending: Sending, args: readonly unknown[]): Promise<unknown> => this.#send(sending, fetch, args);
    const made = derived(endpoint, {
      serial: undefined,
      retry: false,
      signal,
      fetch(this: Sending['self'], ...args: readonly unknown[]) {
        return send({ entry, signal, self: this }, args);
      },
    });
    this.#entries.set(made, entry);
    return made;
  }

  /** Call it when a run is about to show its guess. An entry keeps its place and its edits of nested records in each run, and the records that it creates their temporary pks, in all tabs. */
  guessing({ endpoint, request }: OptimisticAction): void {
    const entry = this.#entries.get(endpoint);
    const { mutation } = request;
    if (entry === undefined || mutation === undefined) return;
    mutation.place = entry.place;
    mutation.nestedEdits = entry.nestedEdits ??= mutation.nestedEdits;
    const created = entry.creates.map(({ pk }) => pk);
    if (created.length > 0) mutation.created = created.filter(isTemporaryPk);
  }

  /** Call it when the guess of a run is shown. Notes the pks of the records that it creates. */
  guessed({ endpoint, request }: OptimisticAction): void {
    const entry = this.#entries.get(endpoint);
    if (entry === undefined || entry.creates.length > 0) return;
    const made = request.mutation?.layer?.created ?? [];
    const created = made.filter(({ isTemporary }) => isTemporary || entry.method === 'POST');
    entry.creates = created.map(({ pk, table }) => ({ pk, table }));
  }

  async #send(sending: Sending, fetch: Fetch, given: readonly unknown[]): Promise<unknown> {
    const { entry, self, signal } = sending;
    let args = given;
    let conflicts = 0;
    // Data that arrives while the entry waits is not the data from which the edit was made.
    entry.basedOn ??= this.#conflicts.tagOf(sending, args);
    for (let failures = 0; ;) {
      const [wasSent, end] = await this.#ready(sending, args); // oxlint-disable-line no-await-in-loop -- one try after another
      args = withPkFields(args, entry.pkFields);
      const wasOnline = isOnline();
      const { resumes } = this.#queue;
      if (wasSent && entry.hasKey && self.exchange) self.exchange.answered.isReplay = true;
      try {
        const answer = await Reflect.apply(fetch, requestOf(sending), args); // oxlint-disable-line no-await-in-loop
        entry.made = { tag: tagLike(entry.basedOn, self.exchange?.answered.version?.etag) };
        end(false);
        return answer;
      } catch (error) {
        end(signal.aborted ? undefined : this.#isTemporary(error) && refusalIn(error) === undefined);
        throwIfAborted(signal);
        this.#noteFailure(entry, error, { wasOnline, wasSent });
        if (isStatus(error, 404, 410) && entry.method === 'DELETE') return undefined;
        if (isStatus(error, 409, 412) && ++conflicts <= MAX_CONFLICTS) {
          args = await this.#conflicts.decide(sending, error, args); // oxlint-disable-line no-await-in-loop
        } else if (isStatus(error, 401)) {
          // The session of a try from before the login is over in any case.
          if (resumes === this.#queue.resumes) this.#queue.pause(error);
        } else await this.#delay(sending, error, failures++); // oxlint-disable-line no-await-in-loop
      }
    }
  }

  /** Waits for the turn of an entry. Notes that it is sent, before it is. Returns whether an earlier try may have been carried out. */
  async #ready(sending: Sending, args: readonly unknown[]): Promise<readonly [wasSent: boolean, end: EndTry]> {
    const { entry, signal } = sending;
    for (;;) {
      /* oxlint-disable no-await-in-loop -- until it is its turn */
      await this.#queue.turns.turn(entry, signal);
      // An entry that must not be sent twice is not tried while the browser knows that there is no network.
      while (!entry.isRepeatable && !isOnline()) await this.delays.wait(signal);
      // A longer text is sent as it is if no entry creates the record that it names.
      const named = entry.isSearched ? textsIn(args) : namesInArgs(args);
      const unknown = [...named].find(isTemporaryPk);
      if (unknown !== undefined) throw neverCreated(entry, unknown);
      const end = await this.#originOf(entry).begin(entry, signal);
      try {
        if (!this.#queue.isPaused && entry.after.size === 0) return [await this.#noteTry(sending), end];
      } catch (error) {
        end();
        throw error;
      }
      end();
      /* oxlint-enable no-await-in-loop */
    }
  }

  async #noteTry({ entry, signal }: Sending): Promise<boolean> {
    throwIfAborted(signal);
    entry.state = 'sending';
    entry.tries++;
    const wasSent = entry.isSent;
    entry.isSent = true;
    this.#queue.noteSent(entry);
    const kept = this.#queue.changed(entry);
    if (!wasSent && !this.#queue.isUnsaved) await kept;
    // The browser may have stopped the page meanwhile, and another tab may have sent the entry.
    await this.#queue.endedTabs.begun;
    throwIfAborted(signal);
    if (this.#queue.isEnded) throw givenUp();
    return wasSent;
  }

  #originOf({ endpoint }: QueuedEntry): OriginTries {
    const { path = '', urlPrefix = '' } = Object(endpoint) as { readonly path?: unknown; readonly urlPrefix?: unknown };
    const origin = originOf(`${String(urlPrefix)}${String(path)}`);
    return memo(this.#origins, origin, () => new OriginTries(this.#platform, () => this.delays.wake()));
  }

  /** Begins no more tries. */
  close(): void {
    for (const origin of this.#origins.values()) origin.close();
  }

  /** Sends at once what waits for its next try. */
  tryNow(): void {
    this.delays.wake();
    for (const origin of this.#origins.values()) origin.tryNow();
  }

  #noteFailure(entry: QueuedEntry, error: unknown, { wasOnline, wasSent }: TryState): void {
    entry.error = error;
    entry.state = 'waiting';
    const { status, code } = thrown(error);
    // After an answer that cannot be read, the server may have carried the edit out.
    const isAnswered = String(code).startsWith('response-');
    const isRefused = !isAnswered && typeof status === 'number' && status >= 400 && status < 500;
    const isUnsent = isUnanswered(error) && !wasOnline && !isOnline();
    if (isRefused || isUnsent || isStatus(error, ...REFUSED)) entry.isSent = wasSent;
    void this.#queue.changed(entry);
  }

  /** Waits for the next try. Throws if the reason of the failure is not temporary. */
  async #delay({ entry, signal }: Sending, error: unknown, failures: number): Promise<void> {
    if (!this.#isTemporary(error)) throw error;
    if (entry.isSent && !entry.isRepeatable) throw unsure(entry.name, error);
    const asked = failuresOf(this.#platform).delayAsked(error) ?? 0;
    const milliseconds = Math.max(asked, delayAfter(failures, this.#platform));
    await this.delays.wait(signal, { milliseconds, platform: this.#platform });
  }

  #isTemporary(error: unknown): boolean {
    return failuresOf(this.#platform).isTransient(error) || (!isOnline() && thrown(error).status === undefined);
  }
}

/** One request of an entry, as its endpoint sees it. */
function requestOf({ entry, self }: Sending): object {
  const { exchange } = self;
  if (exchange) {
    exchange.answered.version = undefined;
    exchange.basedOn = entry.basedOn;
  }
  return Object.create(self, entry.hasKey ? { idempotencyKey: { value: entry.key } } : {}) as object;
}

function isOnline(): boolean {
  return networkOf(globalThis).isPresent();
}
