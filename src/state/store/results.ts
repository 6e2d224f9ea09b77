import type { Stamp } from '../../define/schema/schema.ts';
import type { Parts } from '../denormalize/parts.ts';
import { type Stored, StoredCell } from '../denormalize/stored-cell.ts';
import type { Cell } from '../graph/cell.ts';
import { mark } from '../graph/mark.ts';

/** What a request answered, in refs. */
export interface Result extends Stored {
  readonly stamp: Stamp;
}

/** What each request answered, by request key; and the cells of those that were read. */
export class Results {
  /** In order of use. */
  readonly #results = new Map<string, Result>();
  readonly #cells = new Map<string, StoredCell>();
  readonly #parts: Parts;

  constructor(parts: Parts) {
    this.#parts = parts;
  }

  get size(): number {
    return this.#results.size;
  }

  get(key: string): Result | undefined {
    return this.#results.get(key);
  }

  entries(): IterableIterator<[string, Result]> {
    return this.#results.entries();
  }

  /** Says by what a result is read that came without a schema. Where it has been read already, that is a change. */
  know(key: string, result: Result): boolean {
    if (this.#cells.has(key)) return false;
    this.#results.set(key, result);
    return true;
  }

  /** Gives what undoes it. The answer to an earlier request than the stored one is not taken. */
  put(key: string, result: Result | undefined, told: Cell[]): () => void {
    const before = this.#results.get(key);
    if (before !== undefined && result !== undefined && before.stamp.issue > result.stamp.issue) return () => {};
    this.#set(key, result, told);
    return () => this.#set(key, before, told);
  }

  #set(key: string, result: Result | undefined, told: Cell[]): void {
    const before = this.#results.get(key);
    // What was answered last stands last.
    this.#results.delete(key);
    if (result !== undefined) this.#results.set(key, result);
    const cell = this.#cells.get(key);
    if (cell === undefined) return;
    if (before !== undefined && result !== undefined && this.#isSame(before, result)) return;
    mark(cell, told);
    cell.show(result);
  }

  #isSame(one: Result, other: Result): boolean {
    const { space } = this.#parts;
    return one.stored === other.stored && space.planOf(one.schema) === space.planOf(other.schema);
  }

  /** Counts as used now: of results that are not observed, the one used longest ago goes first. */
  use(key: string): void {
    const result = this.#results.get(key);
    if (result === undefined) return;
    this.#results.delete(key);
    this.#results.set(key, result);
  }

  /** The cell that shows what a request answers, now and later. */
  cell(key: string): StoredCell {
    const found = this.#cells.get(key);
    if (found !== undefined) return found;
    const made = new StoredCell(this.#parts, this.#results.get(key));
    this.#cells.set(key, made);
    return made;
  }

  cells(): IterableIterator<[string, StoredCell]> {
    return this.#cells.entries();
  }

  /** Lets a cell go that nobody observes. */
  forget(key: string): void {
    this.#cells.get(key)?.release();
    this.#cells.delete(key);
  }
}
