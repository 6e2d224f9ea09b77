import type { Stamp } from '../../define/schema/schema.ts';
import { equalPlain } from '../../std/plain.ts';
import { QueryCell, type Stored } from '../denormalize/query-cell.ts';
import type { Reading } from '../denormalize/reading.ts';
import type { Cell } from '../graph/cell.ts';
import { CellMap } from '../graph/cell-map.ts';
import { mark } from '../graph/mark.ts';
import type { Batch } from './batch.ts';

/** What a request answered, in refs. */
export interface Result extends Stored {
  readonly stamp: Stamp;
}

/** What each request answered, by request key; and the cells of those that were read. */
export class Results {
  /** In order of use. */
  readonly #results = new Map<string, Result>();
  readonly cells: CellMap<QueryCell> = new CellMap();
  readonly #reading: Reading;

  constructor(reading: Reading) {
    this.#reading = reading;
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
    if (this.#read(key) !== undefined) return false;
    this.#results.set(key, result);
    return true;
  }

  /** The answer to an earlier request than the stored one is not taken. */
  put(key: string, result: Result | undefined, batch: Batch): void {
    const before = this.#results.get(key);
    if (before !== undefined && result !== undefined && before.stamp.issue > result.stamp.issue) return;
    const isSame = before !== undefined && equalPlain(before.stored, result?.stored);
    this.#set(key, isSame && result !== undefined ? { ...result, stored: before.stored } : result, batch.told);
    batch.onUndo(() => this.#set(key, before, batch.told));
  }

  #set(key: string, result: Result | undefined, told: Cell[]): void {
    const before = this.#results.get(key);
    // What was answered last stands last.
    this.#results.delete(key);
    if (result !== undefined) this.#results.set(key, result);
    const cell = this.#read(key);
    if (cell === undefined || (before !== undefined && result !== undefined && this.#isSame(before, result))) return;
    mark(cell, told);
    cell.replaced();
  }

  #isSame(one: Result, other: Result): boolean {
    const { planOf } = this.#reading.space;
    return one.stored === other.stored && planOf(one.schema) === planOf(other.schema);
  }

  /** Counts as used now: of results that are not observed, the one used longest ago goes first. */
  use(key: string): void {
    const result = this.#results.get(key);
    if (result === undefined) return;
    this.#results.delete(key);
    this.#results.set(key, result);
  }

  #read(key: string): QueryCell | undefined {
    return this.cells.find(this, key);
  }

  /** The cell that shows what a request answers, now and later. */
  cell(key: string): QueryCell {
    return this.cells.get(this, key, () => new QueryCell(this.#reading, () => this.#results.get(key)));
  }
}
