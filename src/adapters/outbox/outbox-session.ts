import { abortWith } from '../../std/cancelling.ts';
import type { FetchAction } from '../../control/controller/action.ts';
import type { MiddlewareAPI } from '../../control/controller/manager.ts';
import { mutatedRecordOf, recordName } from '../../control/controller/mutated-record.ts';
import type { PkChange } from '../../state/store/change-pk.ts';
import { isPlain } from '../../std/plain.ts';
import { randomText } from '../../std/random-text.ts';
import { AppearedRecords } from './appeared-records.ts';
import { EndedTabs, type EndedTabsQueue, type TakeOverParts } from './ended-tabs.ts';
import { EntryDecisions, type DecidedQueue } from './entry-decisions.ts';
import { EntryList } from './entry-list.ts';
import { EntryRuns, type RunsParts, type RunsQueue } from './entry-runs.ts';
import { EntryTurns, type TurnsQueue } from './entry-turns.ts';
import { givenUp, isKnownHere } from './outbox-errors.ts';
import { byPlace, optionsOf, QueuedEntry } from './outbox-entry.ts';
import { OvertakenEdits } from './overtaken-edits.ts';
import { OutboxSender, type SenderQueue } from './outbox-sender.ts';
import type { OutboxPort } from './outbox-browser.ts';
import { type AskedQueue, TabEntries } from './tab-entries.ts';
import { type NextNote, versionsMade } from './entry-versions.ts';
import { changedBy, pkNoteOf, RenamedRecords } from './renamed-records.ts';

export interface OutboxParts extends TakeOverParts, RunsParts {
  readonly controller: MiddlewareAPI;
  /** The connection to the other tabs. */
  readonly port: OutboxPort | undefined;
}

const NONE_RENAMED: ReadonlyMap<string, unknown> = new Map();

/** The entries between the start of an application and its end, or the logout of its user. */
export class OutboxSession implements SenderQueue, RunsQueue, EndedTabsQueue, DecidedQueue, AskedQueue, TurnsQueue {
  readonly #parts: OutboxParts;
  readonly controller: MiddlewareAPI;
  readonly #records: RenamedRecords;
  readonly sender: OutboxSender;
  readonly turns: EntryTurns;
  readonly runs: EntryRuns;
  readonly list: EntryList;
  readonly elsewhere: TabEntries;
  readonly endedTabs: EndedTabs;
  readonly appeared: AppearedRecords;
  readonly decisions: EntryDecisions;
  readonly overtaken: OvertakenEdits = new OvertakenEdits();
  isPaused = false;
  resumes = 0;
  isEnded = false;
  /** The fields of the present pks of records, for the other tabs, by the names under which they are noted. */
  readonly #changedPks = new Map<string, NextNote>();
  /** The entries that this tab had when the session ended. */
  #own: readonly QueuedEntry[] = [];

  constructor(parts: OutboxParts, listeners: Set<() => void>) {
    this.#parts = parts;
    this.controller = parts.controller;
    this.#records = new RenamedRecords(parts.controller);
    this.sender = new OutboxSender(this, parts.platform);
    const { claims, endpoints, journal, port, timeout } = parts;
    const read = async (): Promise<readonly QueuedEntry[]> => {
      const before = this.list.all.filter(({ tab }) => tab === claims.id);
      const isWritten = await journal.flush();
      const { entries, renamed } = await journal.parse(await journal.read(timeout), endpoints);
      // The storage can be faster than the message about an answer.
      this.rename(renamed);
      const own = new Set(entries.flatMap(({ id, tab }) => (tab === claims.id ? id : [])));
      const left = before.filter(({ id }) => !own.has(id));
      if (isWritten) for (const entry of this.list.leave(left)) this.runs.restart(entry);
      return entries.filter(({ tab }) => tab !== claims.id);
    };
    const onChange = (): void => {
      this.list.notify();
      this.appeared.watch();
      this.turns.wake();
      this.endedTabs.restartUnblocked();
      if (this.elsewhere.all.some(isKnownHere)) void this.endedTabs.takeOver();
    };
    this.elsewhere = new TabEntries({ port, read, queue: this, onChange });
    this.turns = new EntryTurns(this, this.elsewhere, parts.platform, this.sender.delays);
    this.runs = new EntryRuns(this, parts);
    this.decisions = new EntryDecisions(this, this.elsewhere);
    this.endedTabs = new EndedTabs(parts, this);
    journal.onWritten = () => this.#noteChanged();
    journal.ownEntries = () => this.list.all;
    this.list = new EntryList(this.elsewhere, listeners);
    this.appeared = new AppearedRecords(parts.controller.store, this.list);
    parts.controller.mutations.pkListeners.add(this.#changePk);
  }

  /** Writes the present pk of a record, which an edit has changed, into the other edits of the record. */
  readonly #changePk = ({ table, from, fields }: PkChange): void => {
    this.#changedPks.set(pkNoteOf(recordName(table, from)), [fields, this.#nextPlace]);
    this.rename(this.#changedPks);
  };

  get isUnsaved(): boolean {
    return this.#parts.journal.isFailing;
  }

  #noteChanged(): void {
    this.elsewhere.post({ type: 'changed', tab: this.#parts.claims.id });
  }

  /** Sends nothing while the browser has stopped the page, and until it is known which entries other tabs have taken over meanwhile. */
  setStopped(isStopped: boolean): void {
    if (isStopped === this.elsewhere.isStopped) return;
    this.elsewhere.isStopped = isStopped;
    if (isStopped) this.endedTabs.stop();
    else this.endedTabs.resume();
  }

  /** Reads the entries of earlier starts, and begins to send them. */
  async start(): Promise<void> {
    await this.endedTabs.start();
    this.list.notify();
    this.#noteChanged();
  }

  /** Notes that an entry is about to be sent. */
  noteSent(entry: QueuedEntry): void {
    this.appeared.watch();
    if (this.endedTabs.isUnread) this.overtaken.note(entry);
  }

  /** Keeps a call, and sends it when it can be sent. Returns the answer for its caller. */
  add({ args: given, endpoint }: FetchAction, name: string): Promise<unknown> {
    const args = this.known(given);
    const createdAt = this.controller.now();
    const made = new QueuedEntry({ id: randomText(), place: this.#nextPlace, name, createdAt, endpoint, args });
    made.keep(args);
    made.tab = this.#parts.claims.id;
    this.renameCreated(made);
    const entry = this.list.coalesce(made) ?? made;
    const answer = new Promise<unknown>((resolve, reject) => entry.callers.push({ resolve, reject }));
    if (entry === made) {
      void this.#parts.marker.set(true);
      this.#noteBase(entry);
      this.list.add(entry);
    }
    this.runs.begin(entry);
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

  readonly known = (args: readonly unknown[]): readonly unknown[] => this.#records.known(args);

  isCreating(pk: string): boolean {
    return this.controller.mutations.temporaryPks.isPending(pk);
  }

  /**
   * Replaces the temporary pks of records that an edit names in the waiting edits, where another tab has created the record and the server has given
   * it a pk. All edits of a record then name it by the same pk, and wait in one queue.
   */
  renameCreated(entry: QueuedEntry): void {
    const renamed = this.#records.of(entry);
    if (renamed.size > 0) this.rename(renamed);
  }

  /** Writes the present pks of records into the arguments of all entries. */
  rename(renamed: ReadonlyMap<string, unknown>): void {
    const changed = changedBy(this.list.naming(renamed.keys()), renamed);
    if (changed.length === 0) return;
    const own = changed.filter((entry) => this.list.includes(entry));
    for (const entry of own) void this.#parts.journal.put(entry);
    this.list.relateAll(own);
    this.list.notify(...changed);
  }

  /** Takes out an entry that the server has answered. */
  answered(entry: QueuedEntry): void {
    this.#take(entry, this.#records.note(entry));
  }

  /** Takes out an entry without an answer. */
  remove(entry: QueuedEntry): void {
    this.#take(entry, NONE_RENAMED);
  }

  /** Takes an entry out, and writes the pks of the records that it has created, and the version that it has made, into the others, all in one write. */
  #take(entry: QueuedEntry, pks: ReadonlyMap<string, unknown>): void {
    const { claims, journal, marker } = this.#parts;
    this.list.remove(entry);
    const notes = (...until: readonly [number?]): ReadonlyMap<string, unknown> =>
      new Map<string, unknown>([...pks, ...this.#changedPks, ...versionsMade(entry, ...until)]);
    // All edits that a tab has when it learns of the answer were made before it.
    const renamed = notes();
    this.rename(renamed);
    this.elsewhere.post({ type: 'over', id: entry.id, renamed: [...renamed] });
    const isEditedElsewhere = entry.queues.some((queue) => this.elsewhere.index.get('queue', queue).length > 0);
    const noted = isEditedElsewhere ? notes(this.#nextPlace) : pks;
    this.#changedPks.clear();
    const removed = journal.remove(entry, claims.isShared ? noted : NONE_RENAMED);
    const isEmpty = (): boolean => this.list.size === 0;
    if (isEmpty()) void removed.then((isGone) => (isGone && isEmpty() ? marker.set(false) : undefined));
    this.list.notify();
    this.turns.wake();
  }

  async changed(entry: QueuedEntry): Promise<unknown> {
    this.list.notify(entry);
    // It was answered or discarded meanwhile.
    if (!this.list.includes(entry)) return false;
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
    this.resumes++;
    this.isPaused = false;
    this.list.notify();
    for (const { wakers } of this.list.all) wakers.wake();
    this.turns.wake();
    this.sender.tryNow();
  }

  /** Sends at once what waits for its next try. */
  retryNow(): void {
    this.sender.tryNow();
  }

  merge(entry: QueuedEntry, args: readonly unknown[]): void {
    entry.change(args);
    void this.changed(entry);
  }

  /** Removes an entry without an answer of the server. */
  giveUp(entry: QueuedEntry): void {
    this.#end(entry, entry.isSent, () => this.remove(entry));
  }

  leave(entry: QueuedEntry): void {
    this.#end(entry, true, () => {
      this.#parts.journal.leave(entry.id);
      this.list.remove(entry);
      this.list.notify();
    });
  }

  #end(entry: QueuedEntry, isSent: boolean, remove: () => void): void {
    const { callers, run } = entry;
    const later = [...entry.later].sort(byPlace);
    entry.run = undefined;
    const error = givenUp(undefined, isSent);
    abortWith(run?.abort, error);
    remove();
    for (const { reject } of callers.splice(0)) reject(error);
    for (const one of later) if (one.isBlocked) this.runs.restart(one);
  }

  /** Deletes all entries from the storage, or only those of this tab. Rejects if that fails. */
  async clear(isOwn: boolean): Promise<void> {
    const { journal, marker, timeout } = this.#parts;
    await journal.clear(timeout, isOwn ? this.#own : undefined);
    if (!isOwn) await marker.set(false);
  }

  /** Ends without touching what is kept. */
  end(): void {
    this.isEnded = true;
    this.controller.mutations.pkListeners.delete(this.#changePk);
    this.#own = this.list.all;
    this.elsewhere.close();
    this.sender.close();
    this.#records.clear();
    this.list.clear();
    this.appeared.clear();
  }
}
