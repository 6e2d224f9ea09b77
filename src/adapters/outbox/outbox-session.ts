import { actionTypes, type FetchAction, type FetchCaller } from '../../control/controller/action.ts';
import type { Dispatch, MiddlewareAPI } from '../../control/controller/manager.ts';
import { mutatedRecordOf } from '../../control/controller/mutated-record.ts';
import { deferred } from '../../std/deferred.ts';
import type { Platform } from '../../std/platform.ts';
import { isPlain } from '../../std/plain.ts';
import { randomText } from '../../std/random-text.ts';
import { thrown } from '../../std/thrown.ts';
import { withTimeout } from '../../std/timeout.ts';
import { type EndedTabsQueue, takeOverEntries, type TakeOverParts } from './ended-tabs.ts';
import { EntryDecisions, type DecidedQueue } from './entry-decisions.ts';
import { EntryList } from './entry-list.ts';
import { EntryTurns, type TurnsQueue } from './entry-turns.ts';
import { blocked, endpointUnknown, givenUp, isKnownHere, unsure } from './outbox-errors.ts';
import { optionsOf, QueuedEntry, type Run } from './outbox-entry.ts';
import { OutboxSender, type SenderQueue } from './outbox-sender.ts';
import type { OutboxPort } from './outbox-browser.ts';
import { type AskedQueue, TabEntries } from './tab-entries.ts';
import { versionsMade } from './entry-versions.ts';
import { changedBy, RenamedRecords } from './renamed-records.ts';

export interface OutboxParts extends TakeOverParts {
  readonly controller: MiddlewareAPI;
  /** The managers behind this one. */
  readonly next: Dispatch;
  readonly platform: Platform;
  /** The connection to the other tabs. */
  readonly port: OutboxPort | undefined;
}

const NONE_RENAMED: ReadonlyMap<string, unknown> = new Map();
/** The longest time before edits are sent although another tab holds up the start, in milliseconds. */
const MAX_START_MS = 30_000;
/** How often, and after which time in milliseconds, entries that could not be read are read again. The time doubles. */
const MAX_READS = 6;
const FIRST_READ = 1000;

/** The entries between the start of an application and its end, or the logout of its user. */
export class OutboxSession implements SenderQueue, EndedTabsQueue, DecidedQueue, AskedQueue, TurnsQueue {
  readonly #parts: OutboxParts;
  readonly controller: MiddlewareAPI;
  readonly #records: RenamedRecords;
  readonly sender: OutboxSender;
  readonly turns: EntryTurns;
  readonly #restored = deferred();
  readonly list: EntryList;
  readonly elsewhere: TabEntries;
  readonly decisions: EntryDecisions;
  /** How often in a row the entries could not be read. */
  failedReads = 0;
  /** Resolves when the entries of earlier starts have been taken over, or that has taken too long. */
  begun: Promise<unknown> = Promise.resolve();
  isRestored = false;
  isPaused = false;
  isEnded = false;

  constructor(parts: OutboxParts, listeners: Set<() => void>) {
    this.#parts = parts;
    this.controller = parts.controller;
    this.#records = new RenamedRecords(parts.controller.mutations);
    this.sender = new OutboxSender(this, parts.platform);
    const { claims, endpoints, journal, port, timeout } = parts;
    const read = async (): Promise<readonly QueuedEntry[]> => {
      const isWritten = await journal.flush();
      const { entries, renamed } = await journal.read(timeout, endpoints);
      // The storage can be faster than the message about an answer.
      this.rename(renamed);
      const own = new Set(entries.flatMap(({ id, tab }) => (tab === claims.id ? id : [])));
      if (isWritten) for (const entry of this.list.leave(own)) this.restart(entry);
      return entries.filter(({ tab }) => tab !== claims.id);
    };
    const onChange = (): void => {
      this.list.notify();
      this.turns.wake();
      if (this.elsewhere.all.some(isKnownHere)) void this.takeOver();
    };
    this.elsewhere = new TabEntries({ port, read, queue: this, onChange });
    this.turns = new EntryTurns(this, this.elsewhere, parts.platform, this.sender.delays);
    this.decisions = new EntryDecisions(this, this.elsewhere);
    journal.onWritten = () => this.#noteChanged();
    journal.ownEntries = () => this.list.all;
    this.list = new EntryList(this.#records.known, this.elsewhere, listeners);
  }

  get isUnsaved(): boolean {
    return this.#parts.journal.isFailing;
  }

  get restored(): Promise<void> {
    return this.#restored.promise;
  }

  #noteChanged(): void {
    this.elsewhere.post({ type: 'changed', tab: this.#parts.claims.id });
  }

  /** Reads the entries of earlier starts, and begins to send them. */
  async start(): Promise<void> {
    const { platform, timeout } = this.#parts;
    const first = this.takeOver();
    // Another tab may be frozen in the middle of its own start.
    this.begun = withTimeout(first, MAX_START_MS, () => undefined, platform);
    try {
      await withTimeout(first, 2 * timeout, () => undefined, platform);
    } finally {
      this.isRestored = true;
      this.#restored.resolve();
      this.list.notify();
      this.#noteChanged();
    }
  }

  /** Takes over the entries of tabs that have ended. Returns those of the other tabs; `undefined` if they could not be read. */
  async takeOver(): Promise<readonly QueuedEntry[] | undefined> {
    const { changes } = this.elsewhere;
    const others = await takeOverEntries(this.#parts, this);
    if (others === undefined) this.#readLater();
    else this.failedReads = 0;
    if (changes !== this.elsewhere.changes) await this.elsewhere.read();
    else if (!this.isEnded && others !== undefined) this.elsewhere.set(others);
    return others;
  }

  /** The storage of a busy device may answer too late. */
  #readLater(): void {
    const { platform } = this.#parts;
    if (this.isEnded || this.failedReads === MAX_READS) return;
    const delay = FIRST_READ * 2 ** this.failedReads++;
    platform.setTimeout(() => void (this.isEnded || this.takeOver()), delay);
  }

  /** Takes over the entries of another tab as soon as it has ended. */
  watch(tab: string): void {
    if (!this.isEnded) this.#parts.claims.watch(tab, () => void (this.isEnded || this.takeOver()));
  }

  /** Continues with entries that were taken over. */
  beginRestored(entries: readonly QueuedEntry[]): void {
    this.#beginInOrder(entries, (entry) => this.#continue(entry));
  }

  #continue(entry: QueuedEntry): void {
    if (isKnownHere(entry)) entry.error = undefined;
    else if (entry.state === 'stopped') return;
    if (entry.endpoint === undefined) this.#stop(entry, endpointUnknown(entry.name));
    else if (entry.isSent && !entry.isRepeatable) this.#stop(entry, unsure(entry.name));
    else this.#begin(entry);
  }

  /** Keeps a call, and sends it when it can be sent. Returns the answer for its caller. */
  add({ args: given, endpoint }: FetchAction, name: string): Promise<unknown> {
    this.renameCreated();
    const args = this.known(given);
    const createdAt = this.controller.now();
    const made = new QueuedEntry({ id: randomText(), place: this.#nextPlace, name, createdAt, endpoint, args });
    made.keep(args);
    made.tab = this.#parts.claims.id;
    const entry = this.list.coalesce(made) ?? made;
    const answer = new Promise<unknown>((resolve, reject) => entry.callers.push({ resolve, reject }));
    if (entry === made) {
      void this.#parts.marker.set(true);
      this.#noteBase(entry);
      this.list.add(entry);
    }
    this.#begin(entry);
    entry.saved = this.changed(entry);
    return answer;
  }

  /** The tabs of a device have one clock. This tab may not have read the latest entries of the others yet. */
  get #nextPlace(): number {
    return Math.max(this.list.nextPlace, this.controller.now());
  }

  #noteBase(entry: QueuedEntry): void {
    const { args, endpoint } = entry;
    if (optionsOf(endpoint).onConflict === undefined) return;
    const record = endpoint && mutatedRecordOf(endpoint, args, this.controller.store);
    const row: unknown = record && this.controller.store.row(record.entity.key, record.pk);
    if (isPlain(row)) entry.base = row;
  }

  /** Begins a run, which takes the place of an earlier one. */
  #begin(entry: QueuedEntry): void {
    const { next, platform } = this.#parts;
    const former = entry.run;
    const run: Run = { abort: new AbortController() };
    entry.run = run;
    entry.state = 'waiting';
    const caller: FetchCaller = {};
    const answer = (async () => {
      const endpoint = this.sender.endpointFor(entry, run);
      const { args } = entry;
      const key = endpoint.key(...args);
      await next({ type: actionTypes.FETCH, caller, endpoint, args, key, fetchedAt: platform.now() });
      return caller.answer;
    })();
    // After the new guess is shown.
    former?.abort.abort(givenUp(undefined, entry.isSent));
    answer.then(
      (value) => this.#done(entry, run, value),
      (error: unknown) => void this.#failed(entry, run, error),
    );
    this.list.notify(entry);
  }

  #done(entry: QueuedEntry, run: Run, value: unknown): void {
    if (entry.run !== run || this.isEnded) return;
    this.#take(entry, this.#records.note(entry));
    for (const { resolve } of entry.callers) resolve(value);
  }

  known(args: readonly unknown[]): readonly unknown[] {
    return this.#records.known(args);
  }

  isCreating(pk: string): boolean {
    return this.controller.mutations.temporaryPks.isPending(pk);
  }

  /**
   * Replaces temporary pks in the waiting edits, where another tab has created the record and the server has given it a pk. All edits of a record
   * then name it by the same pk, and wait in one queue.
   */
  renameCreated(): void {
    const renamed = this.#records.of(this.list.all);
    if (renamed.size > 0) this.rename(renamed);
  }

  /** Writes the present pks of records into the arguments of all entries. */
  rename(renamed: ReadonlyMap<string, unknown>): void {
    const changed = changedBy(this.list.all, renamed);
    if (changed.length === 0) return;
    for (const entry of changed) void this.#parts.journal.put(entry);
    this.list.relateAll(changed);
    this.list.notify(...changed);
  }

  /** Takes an entry out, and writes the pks of the records that it has created, and the version that it has made, into the others, all in one write. */
  #take(entry: QueuedEntry, pks: ReadonlyMap<string, unknown>): void {
    const { claims, journal, marker } = this.#parts;
    this.list.remove(entry);
    // All edits that a tab has when it learns of the answer were made before it.
    const renamed = new Map([...pks, ...versionsMade(entry)]);
    this.rename(renamed);
    this.elsewhere.post({ type: 'over', id: entry.id, renamed: [...renamed] });
    const isEditedElsewhere = this.elsewhere.all.some((other) => other.sharesQueue(entry));
    const noted = isEditedElsewhere ? new Map([...pks, ...versionsMade(entry, this.#nextPlace)]) : pks;
    const removed = journal.remove(entry.id, claims.isShared ? noted : NONE_RENAMED);
    const isEmpty = (): boolean => this.list.all.length === 0;
    if (isEmpty()) void removed.then((isGone) => (isGone && isEmpty() ? marker.set(false) : undefined));
    this.list.notify();
    this.turns.wake();
  }

  async #failed(entry: QueuedEntry, run: Run, given: unknown): Promise<void> {
    const isUnknown = thrown(given).code === 'record-never-created';
    if (isUnknown && (await this.turns.isCreated(entry, run))) return this.restart(entry);
    if (entry.run !== run) return;
    const error = isUnknown && entry.stoppedBefore ? blocked(entry, entry.stoppedBefore) : given;
    // The store was reset, or the controller has ended. The entry stays for the next start.
    if (!this.isEnded && thrown(error).code !== 'request-reset') {
      if (thrown(error).name === 'AbortError') this.#take(entry, NONE_RENAMED);
      else this.#stop(entry, error);
    }
    for (const { reject } of entry.callers.splice(0)) reject(error);
  }

  #stop(entry: QueuedEntry, error: unknown): void {
    entry.state = 'stopped';
    entry.error = error;
    void this.changed(entry);
    this.#parts.onEvent({ type: 'stopped', entry: this.list.viewOf(entry) });
    this.turns.wake();
  }

  async changed(entry: QueuedEntry): Promise<unknown> {
    this.list.notify(entry);
    // It was answered or discarded meanwhile.
    if (!this.list.all.includes(entry)) return false;
    const isKept = await this.#parts.journal.put(entry);
    this.list.notify(entry);
    return isKept;
  }

  pause(error: unknown): void {
    if (this.isPaused) return;
    this.isPaused = true;
    this.list.notify();
    this.#parts.onEvent({ type: 'paused', error });
  }

  resume(): void {
    this.isPaused = false;
    this.list.notify();
    this.turns.wake();
    this.sender.delays.wake();
  }

  /** Sends at once what waits for its next try. */
  retryNow(): void {
    this.sender.delays.wake();
  }

  merge(entry: QueuedEntry, args: readonly unknown[]): void {
    entry.change(args);
    void this.changed(entry);
  }

  /** Removes an entry without an answer of the server. */
  giveUp(entry: QueuedEntry): void {
    const { callers, isSent, run } = entry;
    const later = this.list.all.filter(({ after }) => after.has(entry));
    entry.run = undefined;
    const error = givenUp(undefined, isSent);
    run?.abort.abort(error);
    this.#take(entry, NONE_RENAMED);
    for (const { reject } of callers.splice(0)) reject(error);
    for (const one of later) if (one.isBlocked) this.restart(one);
  }

  /** Begins another run of an entry, and of those that depend on it. */
  restart(entry: QueuedEntry): void {
    this.#beginInOrder([entry], (one) => this.#beginAgain(one));
  }

  /**
   * Begins entries in their order, and other runs of those that wait for them or have stopped because of them: for the store, the answer of the run
   * that was begun last is the latest.
   */
  #beginInOrder(entries: readonly QueuedEntry[], begin: (entry: QueuedEntry) => void): void {
    const begun = new Set<QueuedEntry>();
    for (const entry of this.list.all) {
      const isLater = entry.state === 'waiting' || entry.isBlocked;
      if (entries.includes(entry)) begin(entry);
      else if (isLater && [...entry.after].some((one) => begun.has(one))) this.#beginAgain(entry);
      else continue;
      begun.add(entry);
    }
  }

  #beginAgain(entry: QueuedEntry): void {
    if (entry.endpoint === undefined) return this.#stop(entry, endpointUnknown(entry.name));
    entry.error = undefined;
    this.#begin(entry);
    entry.saved = this.changed(entry);
  }

  /** Deletes all entries from the storage. Rejects if that fails. */
  async clear(): Promise<void> {
    const { journal, marker, timeout } = this.#parts;
    await journal.clear(timeout);
    await marker.set(false);
  }

  /** Ends without touching what is kept. */
  end(): void {
    this.isEnded = true;
    this.elsewhere.close();
    this.#records.clear();
    this.list.clear();
  }
}
