import { recordName, tableAndPkOf } from '../../control/controller/mutated-record.ts';
import type { Commit } from '../../state/store/commit.ts';
import { storedRow } from '../../state/store/restore.ts';
import type { Store } from '../../state/store/store.ts';
import type { EntryList } from './entry-list.ts';
import type { QueuedEntry } from './outbox-entry.ts';

/**
 * The records that appeared while the answer to a create was missing. Each can be the record that the server has created, of which earlier
 * edits wait under its temporary pk. So an edit of it by the pk of the server waits for the answer too.
 */
export class AppearedRecords {
  readonly #store: Store;
  readonly #list: Pick<EntryList, 'creators' | 'temporaryPksBefore'>;
  readonly #names = new Set<string>();
  #stop: (() => void) | undefined;

  constructor(store: Store, list: Pick<EntryList, 'creators' | 'temporaryPksBefore'>) {
    this.#store = store;
    this.#list = list;
  }

  get #isUnanswered(): boolean {
    return this.#list.creators.some(isUnanswered);
  }

  /** Begins to note records if the answer to a create is missing. */
  watch(): void {
    if (this.#stop === undefined && this.#isUnanswered)
      this.#stop = this.#store.onCommit((commit) => this.#note(commit));
  }

  #note({ rows }: Commit): void {
    if (!this.#isUnanswered) return this.clear();
    for (const { before, pk, table } of rows)
      // What was restored from a disk is older.
      if (before === undefined && storedRow(this.#store.writer, table, pk)?.stamp.issue !== 0)
        this.#names.add(recordName(table, pk));
  }

  /** Returns the creates that may have created the record of an entry, if earlier edits of the created record wait. */
  creatorsOf(entry: QueuedEntry): readonly QueuedEntry[] {
    const appeared = entry.records.filter((name) => this.#names.has(name));
    if (appeared.length === 0) return NONE;
    const tables = appeared.map((name) => tableAndPkOf(name)[0]);
    const earlier = this.#list.temporaryPksBefore(entry);
    if (earlier.size === 0) return NONE;
    const isCreator = ({ creates }: QueuedEntry): boolean =>
      creates.some(({ pk, table }) => earlier.has(pk) && tables.includes(table));
    return this.#list.creators.filter((one) => isUnanswered(one) && isCreator(one));
  }

  clear(): void {
    this.#stop?.();
    this.#stop = undefined;
    this.#names.clear();
  }
}

function isUnanswered({ isSent, state }: QueuedEntry): boolean {
  return isSent && state !== 'stopped';
}

const NONE: readonly QueuedEntry[] = [];
