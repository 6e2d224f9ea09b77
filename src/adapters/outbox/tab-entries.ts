import type { ArgsText } from './args-text.ts';
import { EntryIndex } from './entry-index.ts';
import type { OutboxPort } from './outbox-browser.ts';
import type { QueuedEntry } from './outbox-entry.ts';

/** What a tab asks the other tabs to do with their entries: with one, or with all that wait. */
export type EntryDecision =
  | { readonly type: 'retry'; readonly id?: string }
  | { readonly type: 'edit'; readonly id: string; readonly args: ArgsText }
  | { readonly type: 'discard'; readonly id: string }
  | { readonly type: 'resume' };

/** A message between tabs. Fixed format: tabs with other versions of the library send and receive it. */
export type EntryMessage =
  | EntryDecision
  | OverMessage
  /** A tab has started, or its entries have changed in the storage. */
  | { readonly type: 'changed'; readonly tab?: string }
  /** A tab asks which of these entries are still to be sent. */
  | { readonly type: 'ask'; readonly ids: readonly string[] }
  /** The sender still has these entries to send. `isPaused`: after a login. */
  | { readonly type: 'waiting'; readonly ids: readonly string[]; readonly isPaused?: boolean };

/** An entry of the sender was answered or given up. The storage may still have it, because a delete takes its time. */
interface OverMessage {
  readonly type: 'over';
  readonly id: string;
  /** The pks of the records that it has created, by their temporary pks. */
  readonly renamed: readonly (readonly [pk: string, now: unknown])[];
}

export interface TabEntriesParts {
  readonly port: OutboxPort | undefined;
  /** Reads all entries of the storage, and leaves out those of this tab. */
  read(): Promise<readonly QueuedEntry[]>;
  onChange(): void;
  readonly queue: AskedQueue;
}

/** The entries of this tab, as other tabs ask for them. */
export interface AskedQueue {
  readonly list: { has(id: string): boolean };
  /** Returns arguments with the pks of the server where they are known. */
  known(args: readonly unknown[]): readonly unknown[];
  readonly decisions: { apply(decision: EntryDecision): void };
  readonly isPaused: boolean;
  /** Writes the present pks of records into the arguments of all entries. */
  rename(renamed: ReadonlyMap<string, unknown>): void;
  pause(error: unknown): void;
  readonly endedTabs: {
    /** Takes over the entries of another tab as soon as it has ended. */
    watch(tab: string): void;
  };
}

/** The entries that the other tabs send, as they are in the storage. */
export class TabEntries {
  readonly #parts: TabEntriesParts;
  #port: OutboxPort | undefined;
  #index = new EntryIndex();
  /** Whether the entries have changed since `onChange` was called. */
  #isChanged = false;
  /** Whether the browser has stopped this tab, so that it sends nothing. Messages may still arrive then. */
  isStopped = false;
  /** How often another tab has changed the storage. */
  changes = 0;
  /** Whether the storage has changed since the present reading of it began. */
  #isOutdated = false;
  #reading: Promise<void> | undefined;
  /** The entries that are over in their tabs, as long as the storage has them. */
  readonly #over = new Set<string>();
  /** The entries that this tab has asked about, and whether another tab has confirmed them since. */
  readonly #asked = new Map<string, boolean>();

  constructor(parts: TabEntriesParts) {
    this.#parts = parts;
    this.#port = parts.port;
    parts.port?.addEventListener('message', ({ data }) => this.#receive(Object(data) as EntryMessage));
  }

  #receive(message: EntryMessage): void {
    const { decisions, isPaused, list } = this.#parts.queue;
    switch (message.type) {
      case 'changed':
        this.changes++;
        if (typeof message.tab === 'string') this.#parts.queue.endedTabs.watch(message.tab);
        return void this.read();
      case 'ask': {
        const ids = idsIn(message).filter((id) => list.has(id));
        return ids.length > 0 && !this.isStopped ? this.post({ type: 'waiting', ids, isPaused }) : undefined;
      }
      case 'waiting':
        return this.#confirm(idsIn(message), message.isPaused === true);
      case 'over':
        return this.#end(message);
      default:
        if (typeof message.type === 'string') decisions.apply(message);
    }
  }

  #end({ id, renamed }: OverMessage): void {
    this.#over.add(id);
    this.#asked.delete(id);
    this.#parts.queue.rename(new Map(Array.isArray(renamed) ? renamed : []));
    this.set(this.all);
  }

  /** Returns whether an entry of the storage is over. */
  isOver(id: string): boolean {
    return this.#over.has(id);
  }

  #confirm(ids: readonly string[], isPaused: boolean): void {
    const asked = ids.filter((id) => this.#asked.get(id) === false);
    for (const id of asked) this.#asked.set(id, true);
    if (isPaused && asked[0] !== undefined) this.#parts.queue.pause(this.find(asked[0])?.error);
  }

  /** Asks the other tabs whether they still have entries to send. A tab that the browser has stopped does not answer. */
  ask(ids: readonly string[]): void {
    // Other entries of this tab may wait for an answer too.
    for (const id of ids) this.#asked.set(id, false);
    this.post({ type: 'ask', ids });
  }

  /** Returns whether other tabs have confirmed all these entries since the last question. */
  areConfirmed(ids: readonly string[]): boolean {
    return ids.every((id) => this.#asked.get(id));
  }

  /** Finds the entries by their ids, queues and pks. */
  get index(): EntryIndex {
    return this.#index;
  }

  get all(): readonly QueuedEntry[] {
    return this.#index.get('all');
  }

  find(id: string): QueuedEntry | undefined {
    return this.#index.get('id', id)[0];
  }

  set(entries: readonly QueuedEntry[]): void {
    const { known, list } = this.#parts.queue;
    const next = new Set(entries.filter(({ id }) => !this.#over.has(id) && !list.has(id)));
    for (const entry of [...this.all]) if (!next.has(entry)) this.#delete(entry);
    for (const entry of next) {
      if (this.#index.has(entry)) continue;
      if (entry.temporaryPk !== undefined) entry.args = known(entry.args);
      this.#index.put(entry);
      this.#isChanged = true;
    }
    if (!this.#isChanged) return;
    this.#isChanged = false;
    this.#parts.onChange();
  }

  /** Takes out an entry that this tab has taken over. */
  drop(id: string): void {
    const entry = this.find(id);
    if (entry !== undefined) this.#delete(entry);
  }

  #delete(entry: QueuedEntry): void {
    this.#index.delete(entry);
    this.#isChanged = true;
  }

  post(message: EntryMessage): void {
    this.#port?.postMessage(message);
  }

  /** Reads the entries, again after each change meanwhile. */
  read(): Promise<void> {
    this.#isOutdated = true;
    this.#reading ??= this.#readAll();
    return this.#reading;
  }

  async #readAll(): Promise<void> {
    try {
      while (this.#isOutdated) {
        this.#isOutdated = false;
        const entries = await this.#parts.read().catch(() => this.all); // oxlint-disable-line no-await-in-loop -- until nothing has changed meanwhile
        if (this.#port === undefined) continue;
        this.set(entries);
        for (const id of this.#over) if (!entries.some((entry) => entry.id === id)) this.#over.delete(id);
      }
    } finally {
      this.#reading = undefined;
    }
  }

  close(): void {
    this.#index = new EntryIndex();
    this.#port?.close();
    this.#port = undefined;
  }
}

/** Returns the ids in a message. A tab with another version may send anything. */
function idsIn({ ids }: { readonly ids?: unknown }): readonly string[] {
  return Array.isArray(ids) ? ids.map(String) : [];
}
