import { EntryIndex } from './entry-index.ts';
import { byPlace, optionsOf, type OutboxEntry, type QueuedEntry } from './outbox-entry.ts';
import { type Fields, isPlain } from '../../std/plain.ts';
import { entryMissing, isKnownHere } from './outbox-errors.ts';
import { notifyEach } from '../../std/listeners.ts';

/** The edits that the server has not answered, in the order in which they were made. */
export class EntryList {
  /** The entries that other tabs send. */
  readonly #elsewhere: { readonly index: EntryIndex };
  readonly #listeners: ReadonlySet<() => void>;
  #index = new EntryIndex();
  #shown: readonly OutboxEntry[] | undefined;
  readonly #views = new WeakMap<QueuedEntry, OutboxEntry>();
  #lastPlace = 0;

  constructor(elsewhere: { readonly index: EntryIndex }, listeners: ReadonlySet<() => void>) {
    this.#elsewhere = elsewhere;
    this.#listeners = listeners;
  }

  /** The entries of this tab. A new list each time. */
  get all(): readonly QueuedEntry[] {
    return [...this.#index.get('all')];
  }

  get size(): number {
    return this.#index.size;
  }

  get ofAllTabs(): readonly QueuedEntry[] {
    return [...this.#index.get('all'), ...this.#elsewhere.index.get('all')];
  }

  /** The entries of all tabs that create a record. */
  get creators(): readonly QueuedEntry[] {
    return [...this.#index.get('creators'), ...this.#elsewhere.index.get('creators')];
  }

  /** The place of the next entry. */
  get nextPlace(): number {
    return Math.max(this.#lastPlace, this.#elsewhere.index.get('all').at(-1)?.place ?? 0) + 1;
  }

  add(entry: QueuedEntry): void {
    this.#lastPlace = Math.max(this.#lastPlace, entry.place);
    this.#index.put(entry);
    this.#views.delete(entry);
    this.relateAll([entry, ...this.#index.naming(entry)]);
  }

  remove(entry: QueuedEntry): void {
    this.#index.delete(entry);
    release(entry);
    for (const later of entry.later) this.relate(later);
  }

  /** Removes those of some entries that this tab cannot send, because it does not know their endpoints. Returns the entries that have stopped because of them. */
  leave(entries: readonly QueuedEntry[]): readonly QueuedEntry[] {
    const left = entries.filter((entry) => entry.endpoint === undefined && this.includes(entry));
    const later = new Set(left.flatMap((entry) => [...entry.later]));
    for (const entry of left) this.remove(entry);
    return [...later].filter((entry) => entry.isBlocked && this.includes(entry)).sort(byPlace);
  }

  clear(): void {
    this.#index = new EntryIndex();
    this.notify();
  }

  has(id: string): boolean {
    return this.#index.get('id', id).length > 0;
  }

  includes(entry: QueuedEntry): boolean {
    return this.#index.has(entry);
  }

  find(id: string): QueuedEntry {
    const [entry] = this.#index.get('id', id);
    if (entry === undefined) throw entryMissing(id);
    return entry;
  }

  /** Finds the entries that have to be answered before this one. */
  relate(entry: QueuedEntry): void {
    release(entry);
    const inQueues = entry.queues.flatMap((queue) => this.#index.neighbor(entry, queue, -1));
    for (const other of [...inQueues, ...this.#index.creatorsOf(entry)].sort(byPlace)) {
      entry.after.add(other);
      other.later.add(entry);
    }
    if (entry.isBlocked) entry.blocker = this.stoppedBefore(entry);
    entry.wakers.wake();
  }

  /** Returns the first entry before this one that has stopped, in any tab. */
  stoppedBefore(entry: QueuedEntry): QueuedEntry | undefined {
    for (const one of [...entry.after, ...this.#elsewhere.index.before(entry)])
      // This tab takes over what it alone can send.
      if (one.state === 'stopped' && !isKnownHere(one)) return (one.isBlocked ? one.blocker : undefined) ?? one;
    return undefined;
  }

  /** The entries that have stopped because an entry before them had stopped, although none before them is stopped now. */
  get unblocked(): readonly QueuedEntry[] {
    return this.all.filter((entry) => entry.isBlocked && this.stoppedBefore(entry) === undefined);
  }

  /** Calls `relate` for entries whose arguments have changed, and for the entry that is now behind each of them in each of its queues. */
  relateAll(changed: readonly QueuedEntry[]): void {
    for (const entry of changed) {
      this.relate(entry);
      for (const queue of entry.queues) for (const next of this.#index.neighbor(entry, queue, 1)) this.relate(next);
    }
  }

  /** Returns the entries of all tabs that have one of these texts in their arguments, or that are based on a version with one of these names. */
  naming(names: Iterable<string>): readonly QueuedEntry[] {
    const indexes = [this.#index, this.#elsewhere.index];
    return [...new Set([...names].flatMap((name) => indexes.flatMap((index) => index.get('text', name))))].sort(
      byPlace,
    );
  }

  /** Returns the temporary pks by which entries of all tabs before this one edit their records. */
  temporaryPksBefore(entry: QueuedEntry): ReadonlySet<string> {
    const all = [...this.#index.get('temporary'), ...this.#elsewhere.index.get('temporary')];
    return new Set(all.flatMap((one) => (one.isBefore(entry) ? (one.temporaryPk ?? []) : [])));
  }

  /** Returns the ids of the entries that other tabs send before this one. */
  othersBefore(entry: QueuedEntry): readonly string[] {
    return this.#elsewhere.index.before(entry).map(({ id }) => id);
  }

  /** Returns the entry that takes in the arguments of a later one: the last of its queue, if it edits the same record, was not sent, and its endpoint has `coalesce`. */
  coalesce(made: QueuedEntry): QueuedEntry | undefined {
    const { name, records } = made;
    if (optionsOf(made.endpoint).coalesce !== true || records.length === 0) return undefined;
    const indexes = [this.#index, this.#elsewhere.index];
    const inQueues = indexes.flatMap((index) => made.queues.flatMap((queue) => index.get('queue', queue).at(-1) ?? []));
    const last = inQueues.sort(byPlace).at(-1);
    if (last === undefined || last.name !== name || last.isSent || last.state === 'stopped') return undefined;
    if (!this.has(last.id) || last.records[0] !== records[0]) return undefined;
    const args = made.method === 'PUT' ? made.args : mergedArgs(last.args, made.args);
    // An entry cannot wait for a record that a later entry creates.
    const isLater = this.#index.creating(made.texts).some((entry) => last.isBefore(entry));
    if (args === undefined || isLater) return undefined;
    last.change(args);
    this.relate(last);
    return last;
  }

  /** Returns the entries as applications see them. */
  shown(): readonly OutboxEntry[] {
    return (this.#shown ??= [...this.ofAllTabs]
      .sort((one, other) => one.createdAt - other.createdAt)
      .map((entry) => this.viewOf(entry)));
  }

  viewOf(entry: QueuedEntry): OutboxEntry {
    const known = this.#views.get(entry);
    if (known !== undefined) return known;
    const { args, createdAt, error, id, isKept, name, state, tries } = entry;
    const isElsewhere = !this.has(id);
    const view = Object.freeze({ id, endpoint: name, args, createdAt, state, tries, error, isKept, isElsewhere });
    this.#views.set(entry, view);
    return view;
  }

  /** Calls the listeners. `changed`: entries whose state has changed. None if entries were only added or removed. */
  notify(...changed: readonly QueuedEntry[]): void {
    for (const entry of changed) this.#views.delete(entry);
    this.#shown = undefined;
    notifyEach(this.#listeners, undefined);
  }
}

/** Ends the waiting of an entry for earlier ones. */
function release(entry: QueuedEntry): void {
  for (const other of entry.after) other.later.delete(entry);
  entry.after.clear();
}

/**
 * Returns the arguments of two edits of a record in one; `undefined` if they differ in more than their bodies, or if both have an object in the
 * same field: some servers merge such objects, and others replace them.
 */
function mergedArgs(former: readonly unknown[], later: readonly unknown[]): readonly unknown[] | undefined {
  const [mine, theirs] = [former.at(-1), later.at(-1)];
  if (!isPlainObject(mine) || !isPlainObject(theirs) || former.length !== later.length) return undefined;
  const isNested = Object.entries(theirs).some(([field, value]) => isPlainObject(value) && isPlainObject(mine[field]));
  return isNested ? undefined : [...later.slice(0, -1), { ...mine, ...theirs }];
}

function isPlainObject(value: unknown): value is Fields {
  return isPlain(value) && !Array.isArray(value);
}
