import type { Cell } from '../graph/cell.ts';
import { resolve } from '../graph/resolve.ts';
import { RowCell } from '../tables/table.ts';
import type { Stamp } from '../../define/schema/schema.ts';
import type { Ground } from './ground.ts';
import type { Queries } from './queries.ts';

/** How many cells are looked at between two chances to yield. */
const SLICE = 500;
/** What is fresh for a second is not thrown away after two. */
const SHORTEST_STAY = 120_000;
const STAY_FACTOR = 2;

export interface CollectorOptions {
  readonly now: () => number;
  readonly maxRows: number;
}

/**
 * Removes rows that no observed value, no kept result and no layer leads to and that are past their own time. A row
 * that anything kept refers to is kept with it, whatever its age.
 */
export class Collector {
  readonly #ground: Ground;
  readonly #queries: Queries;
  readonly #options: CollectorOptions;

  constructor(ground: Ground, queries: Queries, options: CollectorOptions) {
    this.#ground = ground;
    this.#queries = queries;
    this.#options = options;
  }

  /** Gives how many rows were removed. With `keepsRows` none is: only the values go that nobody observes. */
  *run(keepsRows = false): Generator<undefined, number> {
    const sweep = new Sweep(this.#ground);
    // What is read or changes meanwhile is looked at (again): what it refers to now is kept too.
    this.#ground.onUse = (cell) => sweep.keep(cell);
    try {
      yield* this.#markRoots(sweep, keepsRows);
      this.#queries.forget((cell) => cell.observers !== undefined);
      for (const [key, cell] of this.#ground.results.cells())
        if (cell.observers === undefined) this.#ground.results.forget(key);
      return yield* sweep.remove();
    } finally {
      this.#ground.onUse = undefined;
    }
  }

  /** After a reset: makes what is observed again, of nothing, so that nothing keeps a former value. */
  empty(): void {
    for (const table of this.#ground.reading.space.tables.values())
      for (const cell of table.cells.values()) {
        // What is clean was made since, and so was what is made of it.
        if (cell.clean || cell.row !== undefined) continue;
        cell.release();
        cell.value = undefined;
      }
    const cells: Cell[] = [...this.#queries.all(), ...Array.from(this.#ground.results.cells(), ([, cell]) => cell)];
    for (const cell of cells) {
      if (cell.observers === undefined) continue;
      try {
        resolve(cell);
      } catch {
        // Whoever reads it is told why.
      }
    }
    Array.from(this.run(true));
  }

  *#markRoots(sweep: Sweep, keepsRows: boolean): Generator<undefined> {
    const { layers, requests, results } = this.#ground;
    for (const cell of this.#queries.all()) if (cell.observers !== undefined) sweep.keep(cell);
    for (const [, cell] of results.cells()) if (cell.observers !== undefined) sweep.keep(cell);
    for (const cell of layers.readCells()) sweep.keep(cell);
    yield* sweep.follow();
    const { maxRows } = this.#options;
    for (const [key, result] of [...results.entries()].reverse()) {
      if (keepsRows || (sweep.size < maxRows && this.#isInTime(result.stamp))) sweep.keep(results.cell(key));
      else if (results.cell(key).observers === undefined) this.#ground.putResult(key, undefined);
      yield* sweep.follow();
    }
    for (const { cell, stamp } of this.#rows()) {
      const isWanted = keepsRows || (sweep.size < maxRows && this.#isInTime(stamp));
      // An answer could still arrive that must not win over what is known here, a deletion above all.
      if (!isWanted && !requests.isAnyOlder(stamp.issue)) continue;
      sweep.keep(cell);
      yield* sweep.follow();
    }
  }

  /** Every row with its stamp; with a limit, the latest first. */
  #rows(): { readonly cell: RowCell; readonly stamp: Stamp }[] {
    const rows: { cell: RowCell; stamp: Stamp }[] = [];
    for (const table of this.#ground.reading.space.tables.values())
      for (const cell of table.cells.values()) if (cell.stamp !== undefined) rows.push({ cell, stamp: cell.stamp });
    return Number.isFinite(this.#options.maxRows)
      ? rows.sort((one, other) => other.stamp.issue - one.stamp.issue)
      : rows;
  }

  #isInTime({ fetchedAt, expiresAt }: Stamp): boolean {
    return fetchedAt + Math.max((expiresAt - fetchedAt) * STAY_FACTOR, SHORTEST_STAY) >= this.#options.now();
  }
}

/** One pass: what is reached stays, and the rest goes. */
class Sweep {
  readonly #ground: Ground;
  readonly #kept = new Set<Cell>();
  readonly #ahead: Cell[] = [];
  #rows = 0;
  #work = 0;

  constructor(ground: Ground) {
    this.#ground = ground;
  }

  /** How many rows stay. */
  get size(): number {
    return this.#rows;
  }

  keep(cell: Cell): void {
    if (cell instanceof RowCell && !this.#kept.has(cell)) this.#rows++;
    this.#kept.add(cell);
    this.#ahead.push(cell);
  }

  /** Keeps everything that what is kept is made of. */
  *follow(): Generator<undefined> {
    for (let cell = this.#ahead.pop(); cell !== undefined; cell = this.#ahead.pop()) {
      if (++this.#work % SLICE === 0) yield;
      if (cell instanceof RowCell && !cell.table.isClaimed) continue;
      cell.prepare();
      for (const part of cell.allParts) if (part !== undefined && !this.#kept.has(part)) this.keep(part);
    }
  }

  *remove(): Generator<undefined, number> {
    let removed = 0;
    let doomed: RowCell[] = [];
    for (const table of this.#ground.reading.space.tables.values()) {
      for (const cell of table.cells.values()) {
        if (++this.#work % SLICE === 0) {
          removed += this.#ground.discard(doomed);
          doomed = [];
          yield;
          yield* this.follow();
        }
        if (!this.#kept.has(cell)) doomed.push(cell);
      }
    }
    this.#ground.reading.forgetVariants((variant) => this.#kept.has(variant));
    return removed + this.#ground.discard(doomed);
  }
}
