import type { Action, Commit, FetchAction, Manager } from '../../../src/index.ts';
import { actionTypes } from '../../../src/index.ts';
import { ALL, type Arrived, Expected, type Pending } from './expected.ts';
import type { Exchange } from './network.ts';
import { type Kind, KINDS } from './server.ts';

/** How long an answer is fresh and an error is kept in these tests. */
export const FRESH = 20_000;
export const FAILED = 1000;

/** The allowed delay of a poll, because polls that are due at the same time are spread. */
const LATEST = 1100;

/** A fetch, from its call to its answer. */
interface Flight {
  /** Its place in the order in which requests are sent. A fetch that shares a request may send one of its own later. */
  nth: number;
  readonly signal: AbortSignal | undefined;
  isOver: boolean;
}

/** The state of a request key. */
interface KeyNote {
  /** The request in flight whose answer other callers may share. */
  shared: Flight | undefined;
  /** The number of requests that have a cause and were not sent yet. */
  due: number;
  /**
   * In true time: until when its answer is certainly fresh, from when it is certainly stale, and until when its error is kept if no later fetch was
   * answered.
   */
  freshUntil: number;
  staleAfter: number;
  failedUntil: number;
  /** The order of its stored answer, and the time when that arrived. */
  order: number;
  answeredAt: number | undefined;
  /** The last fetch that was answered, and the last that failed, in the order in which they were issued. */
  answeredBy: number;
  failedBy: number;
  /** The last request that was issued. */
  lastCall: number;
  /** Whether a request was in flight when a mutation settled, or when the key was expired, and no other was issued since. */
  isPassed: boolean;
  /** Whether its answer comes from such a request, and the key is observed. */
  isOutdated: boolean;
  /** Whether it becomes stale when no mutation is pending. */
  isDoubtful: boolean;
}

/** A subscription, and when its next request is due. */
export interface PollNote {
  readonly frequency: number;
  count: number;
  isAsking: boolean;
  /** The number of its fetches in flight that may be the refresh of an outdated answer instead. */
  mayAsk: number;
  /** The time when it began, or when its last request ended. */
  since: number;
  /** The time from which its interval counts: since then, nothing prevents polls, and no answer of its key has arrived. */
  runsFrom: number;
}

interface Call {
  readonly session: number;
  /** Known once it is sent. */
  key: string;
  readonly pending: Pending | undefined;
  attempts: number;
  /** Whether a mutation settled while it was in flight. */
  isFenced: boolean;
  /** Whether its key was expired after its last attempt was sent. */
  isExpired: boolean;
}

/** An event of a client. */
export interface Witness {
  readonly now: () => number;
  readonly wrong: (message: string) => void;
  readonly effectsOf: (tag: string) => number;
}

/** Records the events of one client. They determine the data that it must show, and the requests that it may send. */
export class Notes {
  readonly #witness: Witness;
  #numbers = 0;
  #fetches = 0;
  session = 0;
  expected: Expected;
  /** By request key. */
  readonly keys: Map<string, KeyNote> = new Map();
  readonly polls: Map<string, PollNote> = new Map();
  readonly calls: Map<number, Call> = new Map();
  readonly #bodies = new WeakMap<object, number>();
  /** Todos that this session deleted. */
  readonly deleted: Set<string> = new Set();
  /** Values from the answers of mutations. */
  readonly byMutation: Set<string> = new Set();
  /** Values that were taken over from another client. */
  readonly takenOver: Set<string> = new Set();
  /** Every id that has arrived. */
  readonly ids: Readonly<Record<Kind, Set<string>>> = { users: new Set(), posts: new Set(), todos: new Set() };
  /** Until when a record is fresh, for any answer that contained it. */
  readonly freshRecords: Map<string, number> = new Map();
  /** The events since the last reset, for error messages. */
  commits: Commit[] | undefined;
  /** Requests that failed after a later one of the same key was answered, and were not checked yet. */
  readonly late: Pick<FetchAction, 'endpoint' | 'args' | 'key'>[] = [];
  /** The fetches of the client itself, not of its subscriptions. */
  asking: string | undefined;
  sending: Pending | undefined;
  /** The records of which a read was answered with 404, each with the number of the read. The client deletes them unless it may have newer data. */
  readonly missing: Map<string, number> = new Map();
  /** The number of pending mutations. */
  writing = 0;
  /** Whether a mutation has put a record in doubt since the first pending one began. */
  #hasDoubt = false;
  /** The observed request keys. */
  readonly watched: Map<string, number> = new Map();
  /** The reason of the next reset, if there is one. */
  resetCause: string | undefined;

  constructor(witness: Witness) {
    this.#witness = witness;
    this.expected = this.#blank();
  }

  /** Requests that are issued while mutations are pending may be sent again when all have settled. */
  get #isDoubtKept(): boolean {
    return this.#hasDoubt && this.writing > 0;
  }

  #blank(): Expected {
    return new Expected(() => ++this.#numbers);
  }

  key(key: string): KeyNote {
    const blank = {
      shared: undefined,
      due: 0,
      freshUntil: -1,
      staleAfter: -1,
      failedUntil: -1,
      order: 0,
      answeredAt: undefined,
      answeredBy: 0,
      failedBy: 0,
      lastCall: 0,
      isPassed: this.#isDoubtKept,
      isOutdated: false,
      isDoubtful: false,
    };
    const known = this.keys.get(key) ?? blank;
    this.keys.set(key, known);
    return known;
  }

  /** A request is issued. Its number identifies its attempts and its answer. */
  call(): number {
    const pending = this.sending;
    this.sending = undefined;
    this.calls.set(++this.#numbers, {
      session: this.session,
      key: '',
      pending,
      attempts: 0,
      isFenced: false,
      isExpired: false,
    });
    return this.#numbers;
  }

  sent({ call, key }: Exchange, most: number): void {
    const known = this.calls.get(call);
    if (known === undefined) return this.#witness.wrong(`request ${call} was never asked for`);
    Object.assign(known, { key, isExpired: false });
    if (++known.attempts > most) this.#witness.wrong(`${known.key} was sent ${known.attempts} times`);
    if (known.attempts > 1 || known.session !== this.session) return;
    const note = this.key(known.key);
    if (note.due === 0) this.#witness.wrong(`${known.key} was sent without a cause`);
    note.due--;
    note.lastCall = call;
  }

  /** A mutation from before a reset has ended. Data that was read since the reset may be older than it. */
  ended({ call }: Exchange): void {
    const known = this.calls.get(call);
    if (known?.pending !== undefined && known.session !== this.session) this.#fence(true);
  }

  /** The body of an answer was read. */
  read({ call }: Exchange, body: unknown): void {
    if (typeof body === 'object' && body !== null) this.#bodies.set(body, call);
  }

  /** Called for every action. */
  readonly observer: Manager = {
    middleware: () => (next) => async (action) => {
      if (action.type === actionTypes.FETCH) return this.#asked(action, () => next(action));
      const { session } = this;
      await next(action);
      if (action.type === actionTypes.RESET) this.#reset();
      else if (action.type === actionTypes.SET_RESPONSE && session === this.session) this.#answered(action);
      else if (action.type === actionTypes.INVALIDATE) {
        this.#expire((key) => key === action.key);
        this.key(action.key).answeredAt = undefined;
      } else if (action.type === actionTypes.EXPIREALL || action.type === actionTypes.INVALIDATEALL)
        for (const note of this.#expire(action.testKey)) note.isDoubtful = false;
    },
    cleanup: () => {},
  };

  async #asked({ endpoint, args, key }: FetchAction, next: () => Promise<void>): Promise<void> {
    const note = this.key(key);
    const poll = this.asking === key ? undefined : this.#duePoll(key);
    const perhaps = poll !== undefined && this.#isRefresh(key) ? poll : undefined;
    const { signal } = endpoint as { readonly signal?: AbortSignal };
    const flight: Flight = { nth: 0, signal, isOver: false };
    let isOwn = false;
    const { isPassed } = note;
    if (endpoint.sideEffect && this.writing++ === 0) this.#hasDoubt = false;
    const begin = (): void => {
      isOwn = true;
      flight.nth = ++this.#fetches;
      note.due++;
      Object.assign(note, { shared: flight, isPassed: this.#isDoubtKept, isOutdated: false });
    };
    if (endpoint.sideEffect) note.due++;
    else if (note.shared === undefined) begin();
    else this.#share(note, note.shared, flight, begin);
    if (perhaps !== undefined) perhaps.mayAsk++;
    else if (poll !== undefined) poll.isAsking = true;
    try {
      await next();
      if (isOwn) note.answeredBy = Math.max(note.answeredBy, flight.nth);
    } catch (error) {
      if (isOwn && flight.nth < note.answeredBy) this.late.push({ endpoint, args, key });
      if (isOwn) note.failedBy = Math.max(note.failedBy, flight.nth);
      // It has made up for nothing.
      if (isOwn) note.isPassed ||= isPassed;
      throw error;
    } finally {
      flight.isOver = true;
      if (note.shared === flight) note.shared = undefined;
      const now = this.#witness.now();
      if (perhaps !== undefined) {
        perhaps.mayAsk--;
        perhaps.runsFrom = Math.max(perhaps.runsFrom, now);
      } else if (poll !== undefined)
        Object.assign(poll, { isAsking: false, since: now, runsFrom: Math.max(poll.runsFrom, now) });
    }
  }

  /** A fetch that shares a request sends one of its own when the caller of that request aborts it. */
  #share(note: KeyNote, shared: Flight, flight: Flight, begin: () => void): void {
    const { session } = this;
    shared.signal?.addEventListener('abort', () => {
      if (flight.isOver || flight.signal?.aborted === true || session !== this.session) return;
      if (note.shared === undefined || note.shared === shared) begin();
      else this.#share(note, note.shared, flight, begin);
    });
  }

  /** Returns whether a fetch without a caller replaces an answer that may be older than a mutation. */
  #isRefresh(key: string): boolean {
    return this.key(key).isPassed && this.watched.has(key) && this.writing === 0;
  }

  /** Returns the subscription that caused a fetch without a caller, unless the fetch replaces an outdated answer. */
  #duePoll(key: string): PollNote | undefined {
    const poll = this.polls.get(key);
    const { answeredAt } = this.key(key);
    const waited = poll && this.#witness.now() - Math.max(poll.since, answeredAt ?? poll.since);
    if (poll !== undefined && !poll.isAsking && waited !== undefined && waited > poll.frequency - 1) return poll;
    if (!this.#isRefresh(key))
      this.#witness.wrong(
        poll === undefined
          ? `${key} was fetched without a caller`
          : `${key} was polled after ${waited} of ${poll.frequency} ms`,
      );
    return undefined;
  }

  /** Returns what is wrong if the request of a subscription is overdue. */
  overdue(): string | undefined {
    const now = this.#witness.now();
    for (const [key, { frequency, isAsking, mayAsk, runsFrom }] of this.polls) {
      if (!isAsking && mayAsk === 0 && now - runsFrom > frequency + LATEST) return `${key} is not polled any more`;
    }
    return undefined;
  }

  /** The clock was set. Fresh data may be stale now, and polls may be due. No data may be fresh for longer. */
  losesTime(): void {
    for (const note of this.keys.values())
      Object.assign(note, { freshUntil: -1, answeredAt: Number.NEGATIVE_INFINITY });
    for (const poll of this.polls.values()) {
      poll.since = Number.NEGATIVE_INFINITY;
      // The change of the clock may be noticed only when the timer fires.
      poll.runsFrom = Math.max(poll.runsFrom, this.#witness.now() + poll.frequency);
    }
  }

  /** Updates whether polls can be sent: not in a sleeping tab, and not offline. */
  isFree(isFree: boolean): void {
    const now = this.#witness.now();
    for (const poll of this.polls.values()) {
      // If nothing prevented the polls, their time stays the same. It may be in the future since the clock was set.
      const runsFrom = Number.isFinite(poll.runsFrom) ? Math.max(poll.runsFrom, now) : now;
      poll.runsFrom = isFree ? runsFrom : Number.POSITIVE_INFINITY;
    }
  }

  /** The data of another client of the same user was taken over. */
  fill({ expected, keys, ids }: Notes): void {
    for (const value of this.expected.fill(expected)) this.takenOver.add(value);
    for (const kind of KINDS) for (const id of ids[kind]) this.ids[kind].add(id);
    for (const kind of KINDS)
      for (const id of ids[kind]) this.freshRecords.set(`${kind}/${id}`, this.#witness.now() + FRESH);
    // Its clock may be different.
    for (const key of keys.keys()) this.key(key).isDoubtful = true;
    this.losesTime();
  }

  /** Reads in flight may return data from before a mutation. */
  #fence(isFailed: boolean): void {
    this.#hasDoubt ||= isFailed;
    for (const note of this.keys.values()) {
      // No answer says what a failed mutation has changed, so data that overlapped it may be fetched again.
      note.isPassed ||= note.shared !== undefined || isFailed;
      note.shared = undefined;
    }
    for (const call of this.calls.values()) call.isFenced = true;
  }

  /** Request keys were expired or invalidated. Their reads in flight may return data from before that. */
  #expire(testKey: (key: string) => boolean): readonly KeyNote[] {
    for (const call of this.calls.values()) call.isExpired ||= call.attempts > 0 && testKey(call.key);
    const notes = [...this.keys].filter(([key]) => testKey(key)).map(([, note]) => note);
    for (const note of notes) {
      note.isPassed ||= note.shared !== undefined;
      Object.assign(note, { freshUntil: -1, staleAfter: -1, shared: undefined });
    }
    return notes;
  }

  acknowledge(pending: Pending): void {
    const { tag, kind, id } = pending;
    if (kind === 'delete') this.deleted.add(id);
    if (kind === 'create' && this.#witness.effectsOf(tag) !== 1)
      this.#witness.wrong(`${tag} was answered and made ${this.#witness.effectsOf(tag)} records`);
    if (this.expected.pending.includes(pending)) this.#witness.wrong(`${tag} was answered and did not land`);
  }

  failed(pending: Pending): void {
    this.expected.failed(pending);
  }

  /** Observers must not keep data that may be older than a mutation. */
  outdated(): string | undefined {
    if (this.writing > 0) return undefined;
    for (const key of this.watched.keys())
      if (this.keys.get(key)?.isOutdated === true)
        return `${key} shows what may be from before a mutation or an expiry, and is not fetched again`;
    return undefined;
  }

  #reset(): void {
    if (this.resetCause === undefined) this.#witness.wrong('everything was forgotten without a cause');
    this.resetCause = undefined;
    this.session++;
    for (const poll of this.polls.values()) poll.runsFrom = Math.max(poll.runsFrom, this.#witness.now());
    this.writing = 0;
    this.expected = this.#blank();
    this.keys.clear();
    this.deleted.clear();
    this.freshRecords.clear();
    this.missing.clear();
    if (this.commits !== undefined) this.commits = [];
    this.byMutation.clear();
    this.takenOver.clear();
  }

  #answered(action: Action & { readonly type: typeof actionTypes.SET_RESPONSE }): void {
    const { key, endpoint, response, error } = action;
    const now = this.#witness.now();
    const note = this.key(key);
    if (endpoint.sideEffect) {
      this.writing--;
      this.#fence(error === true);
    }
    if (error === true) {
      note.freshUntil = -1;
      note.failedUntil = now + (endpoint.errorExpiryLength ?? FAILED);
      if ((response as { readonly status?: unknown }).status === 404 && !endpoint.sideEffect)
        this.missing.set(targetOf(key).ref, note.lastCall);
      return;
    }
    const order = this.#bodies.get(response as object);
    const call = order === undefined ? undefined : this.calls.get(order);
    if (order === undefined || call === undefined) return this.#witness.wrong(`nothing was read for ${key}`);
    if (call.pending !== undefined) {
      if (this.expected.pending.includes(call.pending)) this.#land(call.pending, response as Arrived);
      return;
    }
    this.#file(key, response, order);
    if (order < note.order) return;
    note.order = order;
    note.answeredAt = now;
    const poll = this.polls.get(key);
    if (poll !== undefined) poll.runsFrom = Math.max(poll.runsFrom, now);
    const isFenced = call.isFenced || call.isExpired;
    note.isOutdated = isFenced && note.isPassed && order === note.lastCall && this.watched.has(key);
    note.isDoubtful = isFenced && this.writing > 0;
    note.freshUntil = isFenced && this.writing === 0 ? -1 : now + (endpoint.dataExpiryLength ?? FRESH);
    note.staleAfter = note.freshUntil;
  }

  #land(pending: Pending, record: Arrived): void {
    this.#see('todos', record, true);
    // Requests that show a record with overlapping mutations are sent again.
    if (!this.expected.landed(pending, record)) return;
    this.#hasDoubt = true;
    for (const note of this.keys.values()) note.isPassed = true;
  }

  #file(key: string, response: unknown, order: number): void {
    const { kind, searchParams } = targetOf(key);
    const records = [response].flat() as Arrived[];
    for (const record of records) this.#see(kind, record, false);
    if (Array.isArray(response)) this.expected.list(kind, searchParams.get('userId') ?? ALL, records, order);
    else this.expected.record(kind, response as Arrived, order);
  }

  #see(kind: Kind, record: Arrived, isByMutation: boolean): void {
    this.ids[kind].add(record.id);
    this.freshRecords.set(`${kind}/${record.id}`, this.#witness.now() + FRESH);
    for (const value of Object.values(record)) {
      if (typeof value === 'object' && value !== null) this.#see('users', value as Arrived, isByMutation);
      else if (isByMutation) this.byMutation.add(String(value));
      else {
        this.byMutation.delete(String(value));
        this.takenOver.delete(String(value));
      }
    }
  }
}

/** The record or list that a request key reads. */
function targetOf(key: string): { readonly kind: Kind; readonly ref: string; readonly searchParams: URLSearchParams } {
  const { pathname, searchParams } = new URL(key.slice(key.indexOf(' ') + 1));
  return { kind: pathname.split('/')[1] as Kind, ref: pathname.slice(1), searchParams };
}
