import type { Commit } from '../../state/store/commit.ts';
import type { Store } from '../../state/store/store.ts';
import { ABOUT, aboutOf, type Include, resultEntry, RESULT, rowEntry, rowKey } from './saved-entries.ts';

/** How many entries are serialized between two checks of the time. */
const SLICE = 100;

/** The changes of a store that are not on the disk yet. */
export class UnsavedChanges {
  readonly #store: Store;
  readonly #include: Include;
  readonly #model: string;
  #rows = new Map<string, readonly [table: string, pk: string]>();
  #requests = new Set<string>();
  /** The keys of entries to delete. */
  #unwanted: readonly string[] = [];

  constructor(store: Store, include: Include, model: string) {
    this.#store = store;
    this.#include = include;
    this.#model = model;
  }

  get isAny(): boolean {
    return this.#rows.size + this.#requests.size + this.#unwanted.length > 0;
  }

  add({ rows, requests }: Pick<Commit, 'rows' | 'requests'>): void {
    for (const { table, pk } of rows) this.#rows.set(rowKey(table, pk), [table, pk]);
    for (const { key } of requests) this.#requests.add(key);
  }

  /** Marks the whole content of the store as changed. */
  addAll(): void {
    for (const { table, pk } of this.#store.rows()) this.#rows.set(rowKey(table, pk), [table, pk]);
    for (const [key] of this.#store.requests()) this.#requests.add(key);
  }

  takeAway(keys: readonly string[]): void {
    this.#unwanted = [...this.#unwanted, ...keys];
  }

  forget(): void {
    this.#rows = new Map();
    this.#requests = new Set();
    this.#unwanted = [];
  }

  /**
   * Takes the changes and serializes them, all from one state of the store. Works in slices, one for
   * each step of the iterator. Changes that happen meanwhile are left for the next call.
   */
  *take(now: number): Generator<undefined, ReadonlyMap<string, string | undefined>> {
    const made: (readonly [key: string, make: (() => string | undefined) | undefined])[] = [];
    for (const [key, [table, pk]] of this.#rows) made.push([key, rowEntry(this.#store, table, pk, this.#include)]);
    for (const key of this.#requests) made.push([RESULT + key, resultEntry(this.#store, key)]);
    const about = aboutOf(this.#store, this.#model, now);
    const entries = new Map<string, string | undefined>(this.#unwanted.map((key) => [key, undefined]));
    this.forget();
    let count = 0;
    for (const [key, make] of made) {
      if (make !== undefined) entries.set(key, make());
      if (++count % SLICE === 0) yield;
    }
    return entries.set(ABOUT, about);
  }
}
