import { hydrate } from '../../state/hydrate/hydrate.ts';
import type { Store } from '../../state/store/store.ts';
import type { Row } from '../../define/schema/row.ts';
import type { StorageContent } from '../../std/text-storage.ts';
import { isPlain } from '../../std/plain.ts';
import { isLaterVersion } from './later-version.ts';
import type { DropReason } from './persist-event.ts';
import {
  ABOUT,
  keyPrefix,
  entryKind,
  parsedEntry,
  PARTIAL,
  PENDING,
  type SavedAbout,
  RESULT,
  ROW,
  SESSION,
  sessionIn,
  sessionOf,
  STALE,
  versionsIn,
} from './saved-entries.ts';

export interface RestoreLimits {
  readonly model: string;
  readonly migrate: ((row: Row, table: string, from: string) => Row | undefined) | undefined;
  readonly now: number;
  readonly maxAge: number;
  readonly maxRows: number;
  /** The keys of entries about pending mutations whose tabs are alive. */
  readonly alive: ReadonlySet<string>;
}

type SavedEntry = readonly [key: string, record: readonly unknown[]];

/** The place of a member in the text of an entry. */
const EXPIRES_AT = 5;

/** How many rows are restored between two checks of the time. */
const SLICE = 200;

/** Restores the entries of a storage into a store, in slices: one for each step of the iterator. */
export class RestoredEntries {
  readonly #store: Store;
  readonly #limits: RestoreLimits;
  rows = 0;
  results = 0;
  /** How many entries were not restored, by reason. */
  readonly dropped: Map<DropReason, number> = new Map();
  /** The keys of entries that were not restored and have to be deleted. */
  readonly unwanted: string[] = [];
  /** Whether the storage has no entries. */
  isEmpty = false;
  /** Whether none of the entries can be used. */
  isUnusable = false;
  /** Whether a later version of the application or of this library has written the entries. Then none is restored, and none may be deleted. */
  isLater = false;
  /** Whether rows were migrated, so that they differ from the storage. */
  isMigrated = false;
  /** Whether an earlier start ended while a mutation was pending or before its answer was saved, or rows of list members are missing. */
  isDoubted = false;
  /** The session of the storage. `undefined` if it was not read. */
  session: number | undefined = undefined;
  /** Data that was fetched up to this time is stale. */
  #staleUntil = 0;

  constructor(store: Store, limits: RestoreLimits) {
    this.#store = store;
    this.#limits = limits;
  }

  *run({ entries, damaged = 0 }: StorageContent): Generator<undefined> {
    const rows: SavedEntry[] = [];
    const results: SavedEntry[] = [];
    const abouts = new Map<string, unknown>();
    const { now } = this.#limits;
    let count = 0;
    const texts = new Map(entries);
    const session = sessionIn(texts);
    texts.delete(SESSION);
    // Without it, entries from before a logout look the same as later ones.
    if (session === undefined) return this.#refuse('damage', texts.size);
    this.session = session;
    for (const [key, value] of texts) {
      if (++count % SLICE === 0) yield;
      const record = parsedEntry(value);
      const kind = entryKind(key);
      if (kind === ABOUT) abouts.set(key, record);
      else if (key === STALE) this.#staleUntil = Math.max(this.#staleUntil, Math.min(Number(record) || now, now));
      else if (key === PARTIAL || key.startsWith(PENDING)) {
        this.#doubt();
        // The tab deletes it when the mutation is answered. If the tab is killed before, the next start finds it again.
        if (!this.#limits.alive.has(key)) this.unwanted.push(key);
      } else if (!Array.isArray(record)) this.#drop('damage', key);
      else if (sessionOf(record) !== this.session) this.unwanted.push(key);
      else if (kind === ROW) rows.push([key, record]);
      else if (kind === RESULT) results.push([key, record]);
      else this.#drop('damage', key);
    }
    if (damaged > 0) {
      this.#count('damage', damaged);
      this.#doubt();
    }
    this.isEmpty = count + damaged === 0;
    // Entries without data can be from a start that could save nothing.
    if (abouts.size + rows.length + results.length === 0) return;
    const { model } = this.#limits;
    this.isLater = [...abouts.values()].some((about) => isLaterThan(model, about));
    if (this.isLater) return;
    const ownKey = keyPrefix(ABOUT, model);
    const about = abouts.has(ownKey) ? abouts.get(ownKey) : [...abouts.values()].reduce(latestOf, undefined);
    if (!this.#isUsable(about, rows.length + results.length)) return;
    for (const key of abouts.keys()) if (key !== ownKey) this.unwanted.push(key);
    yield* this.#restore(about, this.#entriesOf(ROW, about.model, rows), this.#entriesOf(RESULT, about.model, results));
  }

  /** Returns the entries of one version. Tabs of other versions may have written the others since. */
  #entriesOf(kind: string, model: string, entries: readonly SavedEntry[]): readonly SavedEntry[] {
    const prefix = `${keyPrefix(kind, model)} `;
    for (const [key] of entries) if (!key.startsWith(prefix)) this.#drop('version', key);
    return entries.filter(([key]) => key.startsWith(prefix));
  }

  #isUsable(about: unknown, count: number): about is SavedAbout {
    const { maxAge, migrate, model, now } = this.#limits;
    const { format, version, savedAt, model: from } = Object(about) as Partial<Record<keyof SavedAbout, unknown>>;
    const isKnown = isPlain(about) && format === 'rejoin' && typeof savedAt === 'number' && typeof from === 'string';
    let reason: DropReason | undefined;
    if (!isKnown) reason = 'damage';
    else if (version !== 1 || (from !== model && migrate === undefined)) reason = 'version';
    else if (savedAt + maxAge < now) reason = 'age';
    if (reason === undefined) return true;
    this.#refuse(reason, count);
    return false;
  }

  /** None of the entries can be used. */
  #refuse(reason: DropReason, count: number): void {
    this.isUnusable = true;
    this.#count(reason, count);
  }

  *#restore(about: SavedAbout, found: readonly SavedEntry[], results: readonly SavedEntry[]): Generator<undefined> {
    const { maxAge, maxRows, model, now } = this.#limits;
    const rows = found.length <= maxRows ? found : [...found].sort((one, other) => priorityOf(other) - priorityOf(one));
    for (const [key] of rows.slice(maxRows)) this.#drop('size', key);
    const { relations = [], model: from } = about;
    // A tab that did not know of a logout has written it.
    const isLate = (about.session ?? 0) !== this.session;
    if (isLate) this.#doubt();
    const { aliases = [], invalidated = [] } = isLate ? {} : about;
    this.isMigrated = from !== model;
    // They are written again, under the keys of this version.
    if (this.isMigrated) for (const [key] of [...rows, ...results]) this.unwanted.push(key);
    // Restored before the rows, because reading the rows depends on it.
    if (!this.#hydrate({ relations, aliases })) this.#count('damage', 1);
    for (let at = 0; at < Math.min(rows.length, maxRows); at += SLICE) {
      this.#restoreEntries('rows', this.#migrated(rows.slice(at, Math.min(at + SLICE, maxRows)), from));
      yield;
    }
    const young: SavedEntry[] = [];
    for (const entry of results)
      if (Number(entry[1][3]) + maxAge < now) this.#drop('age', entry[0]);
      else young.push(entry);
    this.#restoreEntries('results', young);
    // Afterwards, because another tab may have saved an answer since.
    if (!this.#hydrate({ invalidated })) this.#count('damage', 1);
  }

  /** Returns the rows as this version has them. */
  #migrated(rows: readonly SavedEntry[], from: string): readonly SavedEntry[] {
    if (!this.isMigrated) return rows;
    return rows.flatMap(([key, [table, pk, row, ...times]]): readonly SavedEntry[] => {
      const next = this.#migratedRow(row, String(table), from);
      if (next !== undefined) return [[key, [table, pk, next, ...times]]];
      this.#drop('version', key);
      return [];
    });
  }

  #migratedRow(row: unknown, table: string, from: string): unknown {
    const { migrate } = this.#limits;
    if (migrate === undefined) return undefined;
    if (!isPlain(row) || Array.isArray(row)) return row;
    try {
      return migrate(row, table, from);
    } catch {
      return undefined;
    }
  }

  /** Restores entries together, or one by one if one of them is damaged. */
  #restoreEntries(kind: 'rows' | 'results', entries: readonly SavedEntry[]): void {
    const results = entries.map(([, record]) => this.#dated(record));
    const versions = entries.flatMap(([, record]) => versionsIn(record));
    const state =
      kind === 'results' ? { results, versions } : { tables: results.map(([table, ...row]) => [table, [row]]) };
    if (this.#hydrate(state)) this[kind] += entries.length;
    else if (entries.length > 1) for (const entry of entries) this.#restoreEntries(kind, [entry]);
    else for (const [key] of entries) this.#drop('damage', key);
  }

  /** Returns an entry with its times. It is stale if a mutation may have changed it since, or if its time is in the future because the clock was set back. */
  #dated(record: readonly unknown[]): readonly unknown[] {
    const fetchedAt = Number(record[3]);
    const isStale = fetchedAt <= this.#staleUntil || fetchedAt > this.#limits.now;
    return [...record.slice(0, EXPIRES_AT), isStale ? 0 : record[EXPIRES_AT]];
  }

  #hydrate(state: object): boolean {
    try {
      hydrate(this.#store, { format: 'rejoin', version: 1, tables: [], results: [], ...state });
      return true;
    } catch {
      return false;
    }
  }

  #drop(reason: DropReason, key: string): void {
    this.unwanted.push(key);
    if (reason !== 'age') this.#doubt();
    this.#count(reason, 1);
  }

  #doubt(): void {
    this.isDoubted = true;
    this.#staleUntil = this.#limits.now;
  }

  #count(reason: DropReason, count: number): void {
    this.dropped.set(reason, (this.dropped.get(reason) ?? 0) + count);
  }
}

/** Returns whether an entry about all entries is of a later version than this one. */
function isLaterThan(model: string, about: unknown): boolean {
  const { format, version, model: from } = Object(about) as Partial<Record<keyof SavedAbout, unknown>>;
  if (format !== 'rejoin') return false;
  return Number(version) > 1 || (typeof from === 'string' && isLaterVersion(from, model));
}

/** Of two entries about all entries, the one of the later version. If that is not known, the one that was written last. */
function latestOf(one: unknown, other: unknown): unknown {
  const { model, savedAt } = Object(one) as Partial<SavedAbout>;
  if (isLaterThan(String(model), other)) return other;
  const former = Object(other) as Partial<SavedAbout>;
  return isLaterThan(String(former.model), one) || Number(savedAt) > Number(former.savedAt) ? one : other;
}

/** If there are too many rows, the latest are restored. Lists are always restored, because they name the pks of the other rows. */
function priorityOf([, [, , row, fetchedAt]]: SavedEntry): number {
  return Array.isArray(row) ? Number.POSITIVE_INFINITY : Number(fetchedAt);
}
