import { firstIndex } from '../../std/first-index.ts';
import { versionNamesOf } from './entry-versions.ts';
import type { QueuedEntry } from './outbox-entry.ts';
import { pkNoteOf } from './renamed-records.ts';

/**
 * The kinds of names by which entries are found. `create`: the pk of a record that the entry creates. `creators`: all entries that create a record.
 * `temporary`: all that edit a record by its temporary pk. `text`: a text in the arguments, or a name under which something is
 * noted about the version that the entry is based on, or the pk of its record.
 */
type IndexKind = 'all' | 'create' | 'creators' | 'id' | 'queue' | 'temporary' | 'text';

/** Finds entries without a walk through all of them. */
export class EntryIndex {
  readonly #entries = new Map<string, QueuedEntry[]>();
  readonly #names = new Map<QueuedEntry, ReadonlySet<string>>();

  get size(): number {
    return this.#names.size;
  }

  /** Returns the entries with a name, in the order in which they were made. */
  get(kind: IndexKind, name = ''): readonly QueuedEntry[] {
    return this.#entries.get(kind + name) ?? [];
  }

  /** Returns the entries before this one in its queues, and those that create a record that it names. */
  before(entry: QueuedEntry): readonly QueuedEntry[] {
    const inQueues = entry.queues.flatMap((queue) => {
      const entries = this.get('queue', queue);
      return entries.slice(0, indexIn(entries, entry));
    });
    return [...inQueues, ...this.creatorsOf(entry)];
  }

  /** Returns the entries that create a record that this one names. */
  creatorsOf(entry: QueuedEntry): readonly QueuedEntry[] {
    const { texts } = entry;
    return this.creating(texts).filter((other) => other !== entry && other.isCreatorOf(texts, other.isBefore(entry)));
  }

  /** Returns the entries that name a record that this one creates. */
  naming({ creates }: QueuedEntry): readonly QueuedEntry[] {
    return creates.flatMap(({ pk }) => this.get('text', pk));
  }

  /** Returns the entries that create records with these pks. */
  creating(pks: Iterable<string>): readonly QueuedEntry[] {
    return Array.from(pks, (pk) => this.get('create', pk)).flat();
  }

  /** Returns the entry just before this one in a queue (-1), or just after it (1), as a list; an empty list if there is none. */
  neighbor(entry: QueuedEntry, queue: string, places: -1 | 1): readonly QueuedEntry[] {
    const entries = this.get('queue', queue);
    return [entries[indexIn(entries, entry) + places] ?? []].flat();
  }

  has(entry: QueuedEntry): boolean {
    return this.#names.has(entry);
  }

  /** Adds an entry, and notes its changes until it is deleted. */
  put(entry: QueuedEntry): void {
    entry.onChanged = () => {
      if (this.has(entry)) this.#rename(entry, new Set(namesOf(entry)));
    };
    this.#rename(entry, new Set(namesOf(entry)));
  }

  delete(entry: QueuedEntry): void {
    this.#rename(entry, new Set());
    this.#names.delete(entry);
  }

  #rename(entry: QueuedEntry, names: ReadonlySet<string>): void {
    const former = this.#names.get(entry);
    this.#names.set(entry, names);
    for (const name of former ?? []) if (!names.has(name)) this.#splice(name, entry, 1);
    for (const name of names) if (former?.has(name) !== true) this.#splice(name, entry, 0, entry);
  }

  #splice(name: string, entry: QueuedEntry, deleted: 0 | 1, ...added: readonly QueuedEntry[]): void {
    const entries = this.#entries.get(name) ?? [];
    entries.splice(indexIn(entries, entry), deleted, ...added);
    if (entries.length === 0) this.#entries.delete(name);
    else this.#entries.set(name, entries);
  }
}

function namesOf(entry: QueuedEntry): readonly string[] {
  const { creates, id, queues, temporaryPk, texts } = entry;
  return [
    ...named('all', ['']),
    ...named('id', [id]),
    ...named('queue', queues),
    ...named('text', texts),
    ...named('text', versionNamesOf(entry)),
    ...named('text', entry.records.map(pkNoteOf)),
    ...named('temporary', temporaryPk === undefined ? [] : ['']),
    ...creates.flatMap(({ pk }) => [...named('creators', ['']), ...named('create', [pk])]),
  ];
}

function named(kind: IndexKind, names: Iterable<string>): readonly string[] {
  return Array.from(names, (name) => kind + name);
}

/** Where an entry is among others, or would be. */
function indexIn(entries: readonly QueuedEntry[], entry: QueuedEntry): number {
  return firstIndex(entries, (other) => !other.isBefore(entry));
}
