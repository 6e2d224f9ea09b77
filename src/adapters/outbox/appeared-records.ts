import { nameOf, recordOf } from '../../control/controller/mutated-record.ts';
import type { Commit } from '../../state/store/commit.ts';
import { storedRow } from '../../state/store/restore.ts';
import type { Store } from '../../state/store/store.ts';
import type { QueuedEntry } from './outbox-entry.ts';

/**
 * The records that appeared while the answer to a create was missing. Each can be the record that the server has created, of which earlier
 * edits wait under its temporary pk. So an edit of it by the pk of the server waits for the answer too.
 */
export class AppearedRecords {
  readonly #store: Store;
  /** Returns the entries of all tabs. */
  readonly #entries: () => readonly QueuedEntry[];
  readonly #names = new Set<string>();
  #stop: (() => void) | undefined;

  constructor(store: Store, entries: () => readonly QueuedEntry[]) {
    this.#store = store;
    this.#entries = entries;
  }

  get #unanswered(): readonly QueuedEntry[] {
    return this.#entries().filter(({ creates, isSent, state }) => creates.length > 0 && isSent && state !== 'stopped');
  }

  /** Begins to note records if the answer to a create is missing. */
  watch(): void {
    if (this.#stop === undefined && this.#unanswered.length > 0)
      this.#stop = this.#store.onCommit((commit) => this.#note(commit));
  }

  #note({ rows }: Commit): void {
    if (this.#unanswered.length === 0) return this.clear();
    for (const { before, pk, table } of rows)
      // What was restored from a disk is older.
      if (before === undefined && storedRow(this.#store.writer, table, pk)?.stamp.issue !== 0)
        this.#names.add(nameOf(table, pk));
  }

  /** The creates that may have created the record of an entry, if earlier edits of the created record wait. */
  creatorsOf(entry: QueuedEntry): readonly QueuedEntry[] {
    const appeared = entry.records.filter((name) => this.#names.has(name));
    if (appeared.length === 0) return NONE;
    const tables = appeared.map((name) => recordOf(name)[0]);
    const earlier = new Set(this.#entries().flatMap((one) => (one.isBefore(entry) ? (one.temporaryPk ?? []) : [])));
    return this.#unanswered.filter(({ creates }) =>
      creates.some(({ pk, table }) => earlier.has(pk) && tables.includes(table)),
    );
  }

  clear(): void {
    this.#stop?.();
    this.#stop = undefined;
    this.#names.clear();
  }
}

const NONE: readonly QueuedEntry[] = [];
