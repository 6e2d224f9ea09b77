import type { Commit } from '../../state/store/commit.ts';
import type { Store } from '../../state/store/store.ts';
import { equalPlain } from '../../std/plain.ts';
import {
  ABOUT,
  aboutOf,
  entryKind,
  PARTIAL,
  type Include,
  keyPrefix,
  resultEntry,
  resultKey,
  ROW,
  rowEntry,
  rowKey,
  type Writer,
} from './saved-entries.ts';

/** How many entries are serialized between two checks of the time. */
const SLICE = 100;

/** The changes of a store that are not on the disk yet. */
export class UnsavedChanges {
  readonly #store: Store;
  readonly #include: Include;
  /** Whether rows, or parts of them, were left out. */
  #isPartial = false;
  /** Called for each entry that cannot be serialized. */
  readonly #onSkipped: (error: unknown) => void;
  readonly #rows = new Map<string, Set<string>>();
  readonly #requests = new Set<string>();
  /** Entries to write or to delete besides those of rows and requests. */
  readonly #others = new Map<string, string | undefined>();

  constructor(store: Store, include: Include, onSkipped: (error: unknown) => void) {
    this.#store = store;
    this.#include = (row, table) => {
      const given = include(row, table);
      // A list has no fields that could be left out.
      const isList = given !== undefined && Array.isArray(row) && !Array.isArray(given);
      const included = isList ? row : given;
      this.#isPartial ||= !equalPlain(included, row);
      return included;
    };
    this.#onSkipped = onSkipped;
  }

  get isAny(): boolean {
    return this.#rows.size + this.#requests.size + this.#others.size > 0;
  }

  add({ rows, requests }: Pick<Commit, 'rows' | 'requests'>): void {
    for (const { table, pk } of rows) this.#addRow(table, pk);
    for (const { key } of requests) this.#requests.add(key);
  }

  /** Marks the whole content of the store as changed. */
  addAll(): void {
    for (const { table, pk } of this.#store.rows()) this.#addRow(table, pk);
    for (const [key] of this.#store.requests()) this.#requests.add(key);
  }

  #addRow(table: string, pk: string): void {
    const pks = this.#rows.get(table);
    if (pks === undefined) this.#rows.set(table, new Set([pk]));
    else pks.add(pk);
  }

  /** Writes or deletes an entry of its own. */
  set(key: string, text: string | undefined): void {
    this.#others.set(key, text);
  }

  forget(): void {
    this.#rows.clear();
    this.#requests.clear();
    this.#others.clear();
  }

  /**
   * Takes the changes and serializes them, in slices: one for each step of the iterator. Data that changes in between is serialized again, so
   * that all entries are from one state of the store: the state at the last step.
   */
  *take(now: number, writer: Writer): Generator<undefined, ReadonlyMap<string, string | undefined>> {
    const entries = new Map<string, string | undefined>();
    let count = 0;
    while (this.isAny)
      for (const [key, entry] of this.#takeEach(writer)) {
        if (entry !== undefined) entries.set(key, this.#textOf(key, entry));
        if (++count % SLICE === 0) yield;
      }
    if (this.#isPartial) entries.set(PARTIAL, '1');
    return entries.set(keyPrefix(ABOUT, writer.model), aboutOf(this.#store, writer, now));
  }

  /** Returns the text of an entry. One that cannot be serialized is deleted, because it may be older than the row. */
  #textOf(key: string, entry: () => string | undefined): string | undefined {
    try {
      return entry();
    } catch (error) {
      // Lists refer to rows. Nothing refers to an answer.
      this.#isPartial ||= entryKind(key) === ROW;
      this.#onSkipped(error);
      return undefined;
    }
  }

  /** Takes the changes, also those that are added meanwhile to rows or requests that are not taken yet. */
  *#takeEach({ model, session }: Writer): Generator<readonly [key: string, entry: ReturnType<typeof rowEntry>]> {
    for (const [table, pks] of this.#rows) {
      for (const pk of pks) {
        pks.delete(pk);
        yield [rowKey(model, table, pk), rowEntry(this.#store, table, pk, this.#include, session)];
      }
      this.#rows.delete(table);
    }
    for (const key of this.#requests) {
      this.#requests.delete(key);
      yield [resultKey(model, key), resultEntry(this.#store, key, session)];
    }
    for (const [key, text] of this.#others) {
      this.#others.delete(key);
      yield [key, () => text];
    }
  }
}
