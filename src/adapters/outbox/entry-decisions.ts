import { argsFromText, argsToText } from './args-text.ts';
import type { EntryList } from './entry-list.ts';
import { entrySent } from './outbox-errors.ts';
import type { QueuedEntry } from './outbox-entry.ts';
import type { EntryWish, TabEntries } from './tab-entries.ts';
import type { TemporaryNames } from './temporary-names.ts';

/** The entries of this tab, as decisions change them. */
export interface DecidedQueue {
  readonly list: EntryList;
  readonly names: TemporaryNames;
  readonly isPaused: boolean;
  /** Takes over the entries of tabs that have ended. Never rejects. */
  takeOver(): Promise<unknown>;
  /** Sends a stopped entry again, and those that have stopped because of it. */
  again(entry: QueuedEntry): void;
  giveUp(entry: QueuedEntry): void;
  /** Tries at once what waits for its next try. */
  hurry(): void;
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

  /** Tries at once what waits for its next try. */
  hurry(): void {
    this.#queue.hurry();
    this.#elsewhere.post({ type: 'retry' });
  }

  /** Sends a stopped entry again. Tries at once what waits for its next try. */
  retry(id: string): void {
    if (this.#isElsewhere(id, { type: 'retry', id })) return;
    const entry = this.#queue.list.find(id);
    entry.isSearched = false;
    if (entry.state !== 'stopped') return this.#queue.hurry();
    entry.renew();
    this.#queue.again(entry);
  }

  edit(id: string, given: readonly unknown[]): void {
    const { list, names } = this.#queue;
    const entry = this.#elsewhere.find(id) ?? list.find(id);
    // A former request in flight could be carried out after the one with the new arguments.
    if (entry.isSent && (!entry.isIdempotent || entry.state === 'sending')) throw entrySent(entry.name);
    const args = names.kept(given);
    const text = argsToText(args, entry.name);
    if (
      this.#isElsewhere(
        id,
        text.then((json) => ({ type: 'edit', id, args: json })),
      )
    )
      return;
    entry.change(args);
    list.relate(entry);
    this.#queue.again(entry);
  }

  discard(id: string): void {
    if (!this.#isElsewhere(id, { type: 'discard', id })) this.#queue.giveUp(this.#queue.list.find(id));
  }

  /** Whether another tab sends an entry. Then that tab is asked. */
  #isElsewhere(id: string, wish: EntryWish | Promise<EntryWish>): boolean {
    if (this.#elsewhere.find(id) === undefined) return false;
    void Promise.all([wish, this.#queue.takeOver()]).then(([known]) =>
      this.#queue.list.has(id) ? this.grant(known) : this.#elsewhere.post(known),
    );
    return true;
  }

  /** Does what a tab was asked to do. */
  grant(wish: EntryWish): void {
    const { list } = this.#queue;
    try {
      if (wish.type === 'resume') this.#queue.resume();
      else if (wish.id === undefined) this.#queue.hurry();
      else if (!list.has(wish.id)) return;
      else if (wish.type === 'edit') this.edit(wish.id, argsFromText(wish.args));
      else if (wish.type === 'retry') this.retry(wish.id);
      else if (wish.type === 'discard') this.discard(wish.id);
    } catch {
      // It was sent meanwhile, so it cannot be changed. Or the message is of another version.
    }
  }
}
