import { byPlace, optionsOf, type OutboxEntry, type QueuedEntry } from './outbox-entry.ts';
import { type Fields, isPlain } from '../../std/plain.ts';
import { entryMissing } from './outbox-errors.ts';

/** The edits that the server has not answered, in the order in which they were made. */
export class EntryList {
  /** Returns arguments with the pks of the server where they are known. */
  readonly #known: (args: readonly unknown[]) => readonly unknown[];
  /** Those that the other tabs send. */
  readonly #elsewhere: { readonly all: readonly QueuedEntry[] };
  readonly #listeners: ReadonlySet<() => void>;
  #entries: readonly QueuedEntry[] = [];
  #shown: readonly OutboxEntry[] | undefined;
  readonly #views = new WeakMap<QueuedEntry, OutboxEntry>();
  #lastPlace = 0;

  constructor(
    known: (args: readonly unknown[]) => readonly unknown[],
    elsewhere: { readonly all: readonly QueuedEntry[] },
    listeners: ReadonlySet<() => void>,
  ) {
    this.#known = known;
    this.#elsewhere = elsewhere;
    this.#listeners = listeners;
  }

  get all(): readonly QueuedEntry[] {
    return this.#entries;
  }

  get ofAllTabs(): readonly QueuedEntry[] {
    return [...this.#entries, ...this.#elsewhere.all.filter(({ id }) => !this.has(id))];
  }

  /** The place of the next entry. */
  get nextPlace(): number {
    return Math.max(this.#lastPlace, ...this.#elsewhere.all.map(({ place }) => place)) + 1;
  }

  add(entry: QueuedEntry): void {
    this.#lastPlace = Math.max(this.#lastPlace, entry.place);
    this.#entries = [...this.#entries, entry].sort(byPlace);
    this.relate(entry);
  }

  remove(entry: QueuedEntry): void {
    this.#entries = this.#entries.filter((other) => other !== entry);
    for (const { after } of this.#entries) after.delete(entry);
  }

  /**
   * Removes entries that this tab could not send, because it does not know their endpoints, and that another tab sends now. `own`: the ids of those
   * in the storage that this tab sends. Returns the entries that have stopped because of them.
   */
  leave(own: ReadonlySet<string>): readonly QueuedEntry[] {
    const left = this.#entries.filter(({ endpoint, id }) => endpoint === undefined && !own.has(id));
    const later = this.#entries.filter(({ after }) => left.some((entry) => after.has(entry)));
    for (const entry of left) this.remove(entry);
    return later.filter((entry) => entry.isBlocked && !left.includes(entry));
  }

  clear(): void {
    this.#entries = [];
    this.notify();
  }

  has(id: string): boolean {
    return this.#entries.some((entry) => entry.id === id);
  }

  find(id: string): QueuedEntry {
    const entry = this.#entries.find((one) => one.id === id);
    if (entry === undefined) throw entryMissing(id);
    return entry;
  }

  /** Finds the entries that have to be answered before this one. */
  relate(entry: QueuedEntry): void {
    const { after, texts } = entry;
    after.clear();
    for (const other of this.#entries) {
      const isBefore = other.isBefore(entry);
      const isCreator = other !== entry && other.isCreatorOf(texts, isBefore);
      if (isCreator || (isBefore && other.sharesQueue(entry))) after.add(other);
    }
  }

  /** As `relate`, for entries whose arguments have changed, and for those that are in the same queues now. */
  relateAll(changed: readonly QueuedEntry[]): void {
    for (const entry of this.#entries)
      if (changed.some((one) => one === entry || one.sharesQueue(entry))) this.relate(entry);
  }

  /** Writes the pks of the server into the arguments of entries that name their record by a temporary pk, if they are known. */
  #renameElsewhere(): void {
    for (const other of this.#elsewhere.all) if (other.temporaryPk !== undefined) other.args = this.#known(other.args);
  }

  /** The ids of earlier entries of the same mutation queue that other tabs send. */
  othersBefore(entry: QueuedEntry): readonly string[] {
    this.#renameElsewhere();
    return this.#elsewhere.all
      .filter((other) => other.isBefore(entry) && other.sharesQueue(entry) && other.state !== 'stopped')
      .flatMap(({ id }) => (this.has(id) ? [] : id));
  }

  /** The entry that takes in the arguments of a later one: the last of its queue, if it edits the same record, was not sent, and its endpoint has `coalesce`. */
  coalesce(made: QueuedEntry): QueuedEntry | undefined {
    const { name, records } = made;
    if (optionsOf(made.endpoint).coalesce !== true || records.length === 0) return undefined;
    const last = [...this.ofAllTabs].sort(byPlace).findLast((entry) => entry.sharesQueue(made));
    if (last === undefined || last.name !== name || last.isSent || last.state === 'stopped') return undefined;
    if (!this.has(last.id) || last.records[0] !== records[0]) return undefined;
    const args = made.method === 'PUT' ? made.args : mergedArgs(last.args, made.args);
    // What a later entry creates cannot be waited for.
    const isLater = this.#entries.some((entry) => last.isBefore(entry) && entry.isCreatorOf(made.texts));
    if (args === undefined || isLater) return undefined;
    last.change(args);
    this.relate(last);
    return last;
  }

  /** The entries as applications see them. */
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

  /** Tells the listeners that these entries, or others than before, are there. */
  notify(...changed: readonly QueuedEntry[]): void {
    for (const entry of changed) this.#views.delete(entry);
    this.#shown = undefined;
    for (const listener of this.#listeners) listener();
  }
}

/**
 * The arguments of two edits of a record in one; `undefined` if they differ in more than their bodies, or if both have an object in the
 * same field: some servers merge such objects, and others replace them.
 */
function mergedArgs(former: readonly unknown[], later: readonly unknown[]): readonly unknown[] | undefined {
  const [mine, theirs] = [former.at(-1), later.at(-1)];
  if (!isObject(mine) || !isObject(theirs) || former.length !== later.length) return undefined;
  const isNested = Object.entries(theirs).some(([field, value]) => isObject(value) && isObject(mine[field]));
  return isNested ? undefined : [...later.slice(0, -1), { ...mine, ...theirs }];
}

function isObject(value: unknown): value is Fields {
  return isPlain(value) && !Array.isArray(value);
}
