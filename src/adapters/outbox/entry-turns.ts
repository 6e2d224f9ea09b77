import { isTemporaryPk } from '../../control/controller/pks-in-text.ts';
import type { Platform } from '../../std/platform.ts';
import type { EntryList } from './entry-list.ts';
import type { QueuedEntry, Run } from './outbox-entry.ts';
import { blocked } from './outbox-errors.ts';
import { namesIn, textsIn } from './saved-pks.ts';
import type { TabEntries } from './tab-entries.ts';
import { Wakers } from './wakers.ts';

/** The time, in milliseconds, between two looks for an entry that another tab sends. */
const SEARCH_DELAY = 1000;

/** The time between two questions to a tab, in milliseconds: at first, and at most once it has answered. */
const FIRST_QUESTION = 1000;
const MAX_QUESTION = 15_000;
/** How many questions in a row a tab may leave unanswered. Browsers can stop a tab for hours. */
const MAX_UNANSWERED = 15;

/** The outbox, as it decides whose turn it is. */
export interface TurnsQueue {
  readonly list: EntryList;
  readonly isPaused: boolean;
  readonly isEnded: boolean;
  /** Whether the storage has failed. */
  readonly isUnsaved: boolean;
  /** Takes over the entries of tabs that have ended. Returns those of the other tabs. */
  takeOver(): Promise<readonly QueuedEntry[]>;
}

/** When entries may be sent: after those that come before them, in this tab and in others. */
export class EntryTurns {
  readonly #queue: TurnsQueue;
  readonly #elsewhere: TabEntries;
  readonly #platform: Platform;
  readonly #wakers = new Wakers();
  /** Entries that look for the create of a record. */
  readonly #searches: Wakers;

  constructor(queue: TurnsQueue, elsewhere: TabEntries, platform: Platform, searches: Wakers) {
    this.#queue = queue;
    this.#elsewhere = elsewhere;
    this.#platform = platform;
    this.#searches = searches;
  }

  /** Call it when an entry is over, or can be sent now. */
  wake(): void {
    this.#wakers.wake();
  }

  /** Resolves when it is the turn of an entry. Rejects if an entry before it has stopped. */
  async turn(entry: QueuedEntry, signal: AbortSignal): Promise<void> {
    const queue = this.#queue;
    if (!queue.isUnsaved) await entry.saved;
    /* oxlint-disable no-await-in-loop -- until it is its turn */
    let answered = 0;
    let unanswered = 0;
    for (let isRead = false; ;) {
      signal.throwIfAborted();
      const stopped = entry.stoppedBefore;
      if (stopped !== undefined) throw blocked(entry, stopped);
      const others = queue.list.othersBefore(entry);
      if (queue.isPaused || entry.after.size > 0) await this.#wakers.wait(signal);
      else if (others.length === 0 || unanswered === MAX_UNANSWERED) return;
      else if (isRead) {
        isRead = false;
        this.#elsewhere.ask(others);
        const delay = Math.min(FIRST_QUESTION * 2 ** answered, MAX_QUESTION);
        const isLate = await this.#wakers.wait(signal, delay, this.#platform);
        const isConfirmed = this.#elsewhere.areConfirmed(others);
        if (isConfirmed) answered++;
        unanswered = isConfirmed ? 0 : unanswered + Number(isLate);
      } else {
        isRead = true;
        await queue.takeOver();
      }
    }
    /* oxlint-enable no-await-in-loop */
  }

  /**
   * Waits for the create of a record that this tab does not know: it was saved by a tab that has ended, or is sent by another tab. Resolves to
   * whether the entry can be sent: there is one, or the record is named only inside of longer texts.
   */
  async isCreated(entry: QueuedEntry, run: Run): Promise<boolean> {
    const queue = this.#queue;
    if (entry.isSearched) return false;
    entry.isSearched = true;
    const { args } = entry;
    const named = namesIn(args);
    // It was renamed since it was tried.
    if (![...named].some(isTemporaryPk)) return true;
    /* oxlint-disable no-await-in-loop -- until it is known */
    while (entry.stoppedBefore === undefined) {
      const others = await queue.takeOver();
      if (entry.run !== run || queue.isEnded) return false;
      queue.list.relate(entry);
      if (entry.args !== args || [...entry.after].some((one) => one.isCreatorOf(named))) return true;
      if (!others.some((other) => other.isCreatorOf(named))) return ![...textsIn(args)].some(isTemporaryPk);
      await this.#searches.wait(run.abort.signal, SEARCH_DELAY, this.#platform).catch(ignore);
    }
    /* oxlint-enable no-await-in-loop */
    return false;
  }
}

function ignore(): void {}
