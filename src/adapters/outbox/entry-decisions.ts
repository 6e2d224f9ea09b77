import { argsFromText, argsToText } from './args-text.ts';
import type { EntryList } from './entry-list.ts';
import type { EntryRuns } from './entry-runs.ts';
import { entrySent } from './outbox-errors.ts';
import type { QueuedEntry } from './outbox-entry.ts';
import type { EntryDecision, TabEntries } from './tab-entries.ts';

/** The parts of an outbox that `EntryDecisions` uses. */
export interface DecidedQueue {
  readonly list: EntryList;
  /** Returns arguments with the pks of the server where they are known. */
  known(args: readonly unknown[]): readonly unknown[];
  readonly isPaused: boolean;
  readonly endedTabs: {
    /** Takes over the entries of tabs that have ended. Never rejects. */
    takeOver(): Promise<unknown>;
  };
  readonly runs: Pick<EntryRuns, 'restart'>;
  giveUp(entry: QueuedEntry): void;
  /** Sends at once what waits for its next try. */
  retryNow(): void;
  resume(): void;
}

/** What people decide about entries. An entry of another tab is decided in that tab, unless it has ended. */
export class EntryDecisions {
  readonly #queue: DecidedQueue;
  readonly #elsewhere: TabEntries;

  constructor(queue: DecidedQueue, elsewhere: TabEntries) {
    this.#queue = queue;
    this.#elsewhere = elsewhere;
  }

  /** Goes on after a login. */
  resume(): void {
    this.#queue.resume();
    this.#elsewhere.post({ type: 'resume' });
  }

  /** Sends at once what waits for its next try. */
  retryNow(): void {
    this.#queue.retryNow();
    this.#elsewhere.post({ type: 'retry' });
  }

  /** Sends a stopped entry again. Sends at once what waits for its next try. */
  retry(id: string): void {
    if (this.#passToOtherTab(id, { type: 'retry', id })) return;
    const entry = this.#queue.list.find(id);
    entry.isSearched = false;
    if (entry.state !== 'stopped') return this.#queue.retryNow();
    entry.renew();
    this.#queue.runs.restart(entry);
  }

  edit(id: string, given: readonly unknown[]): void {
    const { list } = this.#queue;
    const other = this.#elsewhere.find(id);
    const entry = other ?? list.find(id);
    // A former request in flight could be carried out after the one with the new arguments.
    if (entry.isSent && (!entry.isIdempotent || entry.state === 'sending')) throw entrySent(entry.name);
    const args = this.#queue.known(given);
    if (other !== undefined) {
      const decision = argsToText(args, entry.name).then((text): EntryDecision => ({ type: 'edit', id, args: text }));
      void this.#pass(id, decision);
      return;
    }
    entry.change(args);
    list.relate(entry);
    this.#queue.runs.restart(entry);
  }

  discard(id: string): void {
    if (!this.#passToOtherTab(id, { type: 'discard', id })) this.#queue.giveUp(this.#queue.list.find(id));
  }

  /** Passes a decision to the tab that sends the entry. Returns false if this tab sends it. */
  #passToOtherTab(id: string, decision: EntryDecision): boolean {
    const isElsewhere = this.#elsewhere.find(id) !== undefined;
    if (isElsewhere) void this.#pass(id, Promise.resolve(decision));
    return isElsewhere;
  }

  async #pass(id: string, decided: Promise<EntryDecision>): Promise<void> {
    const [decision] = await Promise.all([decided, this.#queue.endedTabs.takeOver()]);
    if (this.#queue.list.has(id)) this.apply(decision);
    else this.#elsewhere.post(decision);
  }

  /** Carries out a decision that another tab has passed to this one. */
  apply(decision: EntryDecision): void {
    const { list } = this.#queue;
    try {
      if (decision.type === 'resume') this.#queue.resume();
      else if (decision.id === undefined) this.#queue.retryNow();
      else if (!list.has(decision.id)) return;
      else if (decision.type === 'edit') this.edit(decision.id, argsFromText(decision.args));
      else if (decision.type === 'retry' || decision.type === 'discard') this[decision.type](decision.id);
    } catch {
      // The entry was sent meanwhile, so that it cannot be changed, or the message is from another version of the library.
    }
  }
}
