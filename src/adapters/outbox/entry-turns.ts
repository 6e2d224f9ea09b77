import { throwIfAborted } from '../../std/cancelling.ts';
import { isTemporaryPk } from '../../define/schema/own-pk.ts';
import type { Platform } from '../../std/platform.ts';
import { withTimeout } from '../../std/timeout.ts';
import type { EntryList } from './entry-list.ts';
import type { QueuedEntry, Run } from './outbox-entry.ts';
import { blocked } from './outbox-errors.ts';
import { namesInArgs, textsIn } from './saved-pks.ts';
import type { TabEntries } from './tab-entries.ts';
import { Wakers } from './wakers.ts';

/** The time, in milliseconds, between two looks for an entry that another tab sends. */
const SEARCH_DELAY = 1000;

/** How often in a row a search goes on although the entries of other tabs could not be read. */
const MAX_UNREAD = 5;

/** The time between two questions to a tab, in milliseconds: at first, and at most once it has answered. */
const FIRST_QUESTION = 1000;
const MAX_QUESTION = 15_000;
/** How many questions in a row a tab may leave unanswered. Browsers can stop a tab for hours. */
const MAX_UNANSWERED = 15;

/** The parts of an outbox that `EntryTurns` uses. */
export interface TurnsQueue {
  readonly list: EntryList;
  readonly appeared: {
    /** The creates that may have created the record of an entry, if earlier edits of the created record wait. */
    creatorsOf(entry: QueuedEntry): readonly QueuedEntry[];
  };
  readonly isPaused: boolean;
  readonly isEnded: boolean;
  /** Whether the storage has failed. */
  readonly isUnsaved: boolean;
  readonly endedTabs: {
    /** Resolves when the entries of earlier starts have been taken over, or that has taken too long. */
    readonly begun: Promise<unknown>;
    /** Takes over the entries of tabs that have ended. Returns those of the other tabs; `undefined` if they could not be read. */
    takeOver(): Promise<readonly QueuedEntry[] | undefined>;
  };
  /** Replaces the temporary pks of records that an edit names by those of the server, in all waiting edits, where they are known. */
  renameCreated(entry: QueuedEntry): void;
  /** Whether the store shows a pending create of the record that has this temporary pk. Requests that name the record wait for it. */
  isCreating(pk: string): boolean;
}

/** When entries may be sent: after those that come before them, in this tab and in others. */
export class EntryTurns {
  readonly #queue: TurnsQueue;
  readonly #elsewhere: TabEntries;
  readonly #platform: Platform;
  readonly #wakers = new Wakers();
  /** Entries that look for the create of a record. */
  readonly #searches: Wakers;
  /** The arguments for which a create was found. */
  readonly #found = new WeakSet<readonly unknown[]>();

  constructor(queue: TurnsQueue, elsewhere: TabEntries, platform: Platform, searches: Wakers) {
    this.#queue = queue;
    this.#elsewhere = elsewhere;
    this.#platform = platform;
    this.#searches = searches;
  }

  /** Call it when an entry is over or has stopped, or the entries of other tabs have changed. */
  wake(): void {
    this.#wakers.wake();
  }

  /** Resolves when it is the turn of an entry. Rejects if an entry before it has stopped. */
  async turn(entry: QueuedEntry, signal: AbortSignal): Promise<void> {
    const queue = this.#queue;
    await queue.endedTabs.begun;
    // Rejects for a file that cannot be read. What is in the storage was read.
    if (entry.stored?.args !== entry.args) await entry.argsText;
    if (!queue.isUnsaved) await entry.saved;
    /* oxlint-disable no-await-in-loop -- until it is its turn */
    let answered = 0;
    let unanswered = 0;
    for (let isRead = false; ;) {
      throwIfAborted(signal);
      queue.renameCreated(entry);
      const stopped = queue.list.stoppedBefore(entry);
      if (stopped !== undefined) throw blocked(entry, stopped);
      if (queue.isPaused || entry.after.size > 0) {
        await entry.wakers.wait(signal);
        continue;
      }
      const creators = queue.appeared.creatorsOf(entry).map(({ id }) => id);
      const others = [...queue.list.othersBefore(entry), ...creators];
      if (creators.some((id) => queue.list.has(id))) await this.#wakers.wait(signal);
      else if (others.length === 0 || unanswered === MAX_UNANSWERED) return;
      else if (isRead) {
        isRead = false;
        this.#elsewhere.ask(others);
        const delay = Math.min(FIRST_QUESTION * 2 ** answered, MAX_QUESTION);
        const isLate = await this.#wakers.wait(signal, { milliseconds: delay, platform: this.#platform });
        const isConfirmed = this.#elsewhere.areConfirmed(others);
        if (isConfirmed) answered++;
        unanswered = isConfirmed ? 0 : unanswered + Number(isLate);
      } else {
        isRead = true;
        // A tab that the browser has stopped can hold the lock that this needs.
        await withTimeout(queue.endedTabs.takeOver(), MAX_QUESTION, () => undefined, this.#platform);
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
    const { args } = entry;
    const named = namesInArgs(args);
    // Without temporary pks, there is nothing to look for: the entry got the pk of the server after it was last tried.
    if (![...named].some(isTemporaryPk)) return true;
    /* oxlint-disable no-await-in-loop -- until it is known */
    for (let unread = 0; unread < MAX_UNREAD;) {
      const others = await queue.endedTabs.takeOver();
      if (entry.run !== run || queue.isEnded) return false;
      queue.list.relate(entry);
      if (entry.args !== args) return true;
      if (queue.list.stoppedBefore(entry) !== undefined) return false;
      const isOurs = [...entry.after].some((one) => one.isCreatorOf(named));
      if (isOurs && !this.#found.has(args)) {
        this.#found.add(args);
        return true;
      }
      if ([...named].some((pk) => queue.isCreating(pk))) return true;
      const isSent = isOurs || others?.some((other) => other.isCreatorOf(named));
      if (isSent === false) {
        entry.isSearched = true;
        return ![...textsIn(args)].some(isTemporaryPk);
      }
      unread = others === undefined ? unread + 1 : 0;
      const wait = { milliseconds: SEARCH_DELAY, platform: this.#platform };
      await this.#searches.wait(run.abort.signal, wait).catch(ignore);
    }
    /* oxlint-enable no-await-in-loop */
    return false;
  }
}

function ignore(): void {}
