import type { ArgsText } from './args-text.ts';
import type { OutboxPort } from './outbox-browser.ts';
import type { QueuedEntry } from './outbox-entry.ts';

/** What a tab asks the other tabs to do with their entries: with one, or with all that wait. */
export type EntryWish =
  | { readonly type: 'retry'; readonly id?: string }
  | { readonly type: 'edit'; readonly id: string; readonly args: ArgsText }
  | { readonly type: 'discard'; readonly id: string }
  | { readonly type: 'resume' };

export interface TabEntriesParts {
  readonly port: OutboxPort | undefined;
  /** Reads all entries of the storage, and leaves out those of this tab. */
  read(): Promise<readonly QueuedEntry[]>;
  onChange(): void;
  onWish(wish: EntryWish): void;
}

/** The entries that the other tabs send, as they are in the storage. */
export class TabEntries {
  readonly #parts: TabEntriesParts;
  #port: OutboxPort | undefined;
  all: readonly QueuedEntry[] = [];
  /** How often another tab has changed the storage. */
  changes = 0;
  /** Whether the storage has changed since it is being read. */
  #isOutdated = false;
  #reading: Promise<void> | undefined;

  constructor(parts: TabEntriesParts) {
    this.#parts = parts;
    this.#port = parts.port;
    parts.port?.addEventListener('message', ({ data }) => {
      const { type } = Object(data) as { readonly type?: unknown };
      if (type === 'changed') {
        this.changes++;
        void this.read();
      } else if (typeof type === 'string') parts.onWish(data as EntryWish);
    });
  }

  find(id: string): QueuedEntry | undefined {
    return this.all.find((entry) => entry.id === id);
  }

  set(entries: readonly QueuedEntry[]): void {
    const isChanged = entries.length + this.all.length > 0;
    this.all = entries;
    if (isChanged) this.#parts.onChange();
  }

  /** Tells the other tabs that the entries of this tab have changed in the storage, or what they are asked to do. */
  post(message: EntryWish | { readonly type: 'changed' }): void {
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
        if (this.#port !== undefined) this.set(entries);
      }
    } finally {
      this.#reading = undefined;
    }
  }

  close(): void {
    this.all = [];
    this.#port?.close();
    this.#port = undefined;
  }
}
