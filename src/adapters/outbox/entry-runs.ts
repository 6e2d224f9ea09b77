import { abortWith } from '../../std/cancelling.ts';
import { actionTypes, type FetchCaller } from '../../control/controller/action.ts';
import type { Dispatch } from '../../control/controller/manager.ts';
import type { Platform } from '../../std/platform.ts';
import { thrown } from '../../std/thrown.ts';
import type { EntryList } from './entry-list.ts';
import type { EntryTurns } from './entry-turns.ts';
import { byPlace, type QueuedEntry, type Run } from './outbox-entry.ts';
import { blocked, endpointUnknown, givenUp, isKnownHere, overtaken, unsure } from './outbox-errors.ts';
import type { OutboxEvent } from './outbox-event.ts';
import type { OutboxSender } from './outbox-sender.ts';
import type { OvertakenEdits } from './overtaken-edits.ts';

/** The parts of an outbox that `EntryRuns` uses. */
export interface RunsQueue {
  readonly list: EntryList;
  readonly sender: OutboxSender;
  readonly turns: EntryTurns;
  readonly overtaken: Pick<OvertakenEdits, 'has'>;
  readonly isEnded: boolean;
  /** Saves a changed entry, and notifies its readers. */
  changed(entry: QueuedEntry): Promise<unknown>;
  /** Takes out an entry that the server has answered. */
  answered(entry: QueuedEntry): void;
  /** Takes out an entry without an answer. */
  remove(entry: QueuedEntry): void;
}

export interface RunsParts {
  /** The managers behind the outbox. */
  readonly next: Dispatch;
  readonly platform: Platform;
  readonly onEvent: (event: OutboxEvent) => void;
}

/** Begins and ends the runs of entries. */
export class EntryRuns {
  readonly #queue: RunsQueue;
  readonly #parts: RunsParts;

  constructor(queue: RunsQueue, parts: RunsParts) {
    this.#queue = queue;
    this.#parts = parts;
  }

  /** Continues with entries that were taken over, one for each step. */
  beginRestored(entries: readonly QueuedEntry[]): Generator<QueuedEntry, void> {
    return this.#beginInOrder(entries, (entry) => this.#continue(entry));
  }

  #continue(entry: QueuedEntry): void {
    // It was changed or sent again since it was read.
    if (entry.run !== undefined) return;
    if (isKnownHere(entry)) entry.error = undefined;
    else if (entry.state === 'stopped') return;
    if (entry.endpoint === undefined) this.#stop(entry, endpointUnknown(entry.name));
    else if (entry.isSent && !entry.isRepeatable) this.#stop(entry, unsure(entry.name));
    else if (this.#queue.overtaken.has(entry)) this.#stop(entry, overtaken(entry.name));
    else this.begin(entry);
  }

  /** Begins a run, which takes the place of an earlier one. */
  begin(entry: QueuedEntry): void {
    const { next, platform } = this.#parts;
    const former = entry.run;
    const run: Run = { abort: new AbortController() };
    entry.run = run;
    entry.state = 'waiting';
    const caller: FetchCaller = {};
    const answer = (async () => {
      const endpoint = this.#queue.sender.endpointFor(entry, run);
      const { args } = entry;
      const key = endpoint.key(...args);
      await next({ type: actionTypes.FETCH, caller, endpoint, args, key, fetchedAt: platform.now() });
      return caller.answer;
    })();
    // After the new guess is shown.
    if (former !== undefined) abortWith(former.abort, givenUp(undefined, entry.isSent));
    answer.then(
      (value) => this.#done(entry, run, value),
      (error: unknown) => void this.#failed(entry, run, error),
    );
    this.#queue.list.notify(entry);
  }

  #done(entry: QueuedEntry, run: Run, value: unknown): void {
    if (entry.run !== run || this.#queue.isEnded) return;
    this.#queue.answered(entry);
    for (const { resolve } of entry.callers) resolve(value);
  }

  async #failed(entry: QueuedEntry, run: Run, given: unknown): Promise<void> {
    const isUnknown = thrown(given).code === 'record-never-created';
    if (isUnknown && (await this.#queue.turns.isCreated(entry, run))) return this.restart(entry);
    if (entry.run !== run) return;
    const stopped = isUnknown && this.#queue.list.stoppedBefore(entry);
    const error = stopped ? blocked(entry, stopped) : given;
    // The store was reset, or the controller has ended. The entry stays for the next start.
    if (!this.#queue.isEnded && thrown(error).code !== 'request-reset') {
      if (thrown(error).name === 'AbortError') this.#queue.remove(entry);
      else this.#stop(entry, error);
    }
    for (const { reject } of entry.callers.splice(0)) reject(error);
  }

  #stop(entry: QueuedEntry, error: unknown): void {
    entry.state = 'stopped';
    entry.error = error;
    entry.blocker = this.#queue.list.stoppedBefore(entry);
    void this.#queue.changed(entry);
    this.#parts.onEvent({ type: 'stopped', entry: this.#queue.list.viewOf(entry) });
    for (const { wakers } of entry.later) wakers.wake();
    this.#queue.turns.wake();
  }

  /** Begins another run of an entry, and of those that depend on it. */
  restart(entry: QueuedEntry): void {
    for (const _ of this.#beginInOrder([entry], (one) => this.#beginAgain(one)));
  }

  /**
   * Begins entries in their order, and other runs of those that wait for them or have stopped because of them: for the store, the answer of the run
   * that was begun last is the latest.
   */
  *#beginInOrder(entries: readonly QueuedEntry[], begin: (entry: QueuedEntry) => void): Generator<QueuedEntry, void> {
    const { list } = this.#queue;
    const given = new Set(entries);
    const reached = new Set(entries);
    for (const { later } of reached) for (const entry of later) reached.add(entry);
    const begun = new Set<QueuedEntry>();
    for (const entry of [...reached].sort(byPlace)) {
      // It was discarded meanwhile.
      if (!list.includes(entry)) continue;
      if (given.has(entry)) begin(entry);
      else if (isWaiting(entry) && [...entry.after].some((one) => begun.has(one))) this.#beginAgain(entry);
      else continue;
      begun.add(entry);
      yield entry;
    }
    // Edits that were made meanwhile.
    const since = [...begun].flatMap(({ later }) =>
      [...later].filter((entry) => !reached.has(entry) && isWaiting(entry)),
    );
    if (since.length > 0) yield* this.#beginInOrder(since, (entry) => this.#beginAgain(entry));
  }

  #beginAgain(entry: QueuedEntry): void {
    if (entry.endpoint === undefined) return this.#stop(entry, endpointUnknown(entry.name));
    entry.error = undefined;
    this.begin(entry);
    entry.saved = this.#queue.changed(entry);
  }
}

/** Returns whether an entry waits for others, or has stopped because of them. */
function isWaiting({ isBlocked, state }: QueuedEntry): boolean {
  return state === 'waiting' || isBlocked;
}
