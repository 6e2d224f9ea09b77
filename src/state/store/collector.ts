import type { Stamp } from '../../define/schema/schema.ts';
import type { QueryCell } from '../denormalize/query-cell.ts';
import type { Cell } from '../graph/cell.ts';
import { resolve } from '../graph/resolve.ts';
import { RowCell } from '../tables/table.ts';
import type { Ground } from './ground.ts';

/** How many cells are looked at between two chances to yield. */
const SLICE = 500;
/** What is fresh for a second is not thrown away after two. */
const SHORTEST_STAY = 120_000;
const STAY_FACTOR = 2;

/**
 * Removes rows that no observed value, no kept result and no layer leads to and that are past their own time. A row
 * that anything kept refers to is kept with it, whatever its age. Gives how many rows were removed.
 */
export function* collect(ground: Ground, maxRows: number): Generator<undefined, number> {
  const now = ground.now();
  const isInTime = ({ fetchedAt, expiresAt }: Stamp): boolean =>
    fetchedAt + Math.max((expiresAt - fetchedAt) * STAY_FACTOR, SHORTEST_STAY) >= now;
  return yield* new Sweep(ground).run((stamp, size) => size < maxRows && isInTime(stamp), Number.isFinite(maxRows));
}

/** After a reset: makes what is observed again, of nothing, so that nothing keeps a former value. */
export function empty(ground: Ground): void {
  for (const cell of rowCells(ground)) {
    // What is clean was made since, and so was what is made of it.
    if (cell.clean || cell.row !== undefined) continue;
    cell.release();
    cell.value = undefined;
  }
  for (const cell of shown(ground)) {
    try {
      resolve(cell);
    } catch {
      // Whoever reads it is told why.
    }
  }
  Array.from(new Sweep(ground).run(() => true, false));
}

function* rowCells({ reading }: Ground): Generator<RowCell> {
  for (const table of reading.space.tables.values()) yield* table.cells.values();
}

/** What somebody observes. */
function shown({ queries, results }: Ground): QueryCell[] {
  return [...queries, ...results.cells].filter(isObserved);
}

function isObserved(cell: Cell): boolean {
  return cell.observers !== undefined;
}

/** Whether something is kept that nobody shows, where so many rows are kept already. */
type IsWanted = (stamp: Stamp, size: number) => boolean;

/** One pass: what is reached stays, and the rest goes. */
class Sweep {
  readonly #ground: Ground;
  readonly #kept = new Set<Cell>();
  readonly #ahead: Cell[] = [];
  /** How many rows stay. */
  #rows = 0;
  #work = 0;

  constructor(ground: Ground) {
    this.#ground = ground;
  }

  *run(isWanted: IsWanted, isLatestFirst: boolean): Generator<undefined, number> {
    const { queries, results } = this.#ground;
    // What is read or changes meanwhile is looked at (again): what it refers to now is kept too.
    this.#ground.onUse = (cell) => this.#keep(cell);
    try {
      yield* this.#mark(isWanted, isLatestFirst);
      queries.forget(isObserved);
      results.cells.forget(isObserved);
      return yield* this.#remove();
    } finally {
      this.#ground.onUse = undefined;
    }
  }

  *#mark(isWanted: IsWanted, isLatestFirst: boolean): Generator<undefined> {
    const { layers, requests, results } = this.#ground;
    for (const cell of [...shown(this.#ground), ...layers.readCells()]) this.#keep(cell);
    yield* this.#follow();
    for (const [key, { stamp }] of [...results.entries()].reverse()) {
      if (isWanted(stamp, this.#rows)) this.#keep(results.cell(key));
      else if (!isObserved(results.cell(key))) this.#ground.putResult(key, undefined);
      yield* this.#follow();
    }
    const rows = Array.from(rowCells(this.#ground));
    if (isLatestFirst) rows.sort((one, other) => issueOf(other) - issueOf(one));
    for (const cell of rows) {
      const { stamp } = cell;
      // An answer could still arrive that must not win over what is known here, a deletion above all.
      if (stamp === undefined || !(isWanted(stamp, this.#rows) || requests.isAnyOlder(stamp.issue))) continue;
      this.#keep(cell);
      yield* this.#follow();
    }
  }

  #keep(cell: Cell): void {
    if (cell instanceof RowCell && cell.home === cell && !this.#kept.has(cell)) this.#rows++;
    this.#kept.add(cell);
    this.#ahead.push(cell);
  }

  /** Keeps everything that what is kept is made of. */
  *#follow(): Generator<undefined> {
    for (let cell = this.#ahead.pop(); cell !== undefined; cell = this.#ahead.pop()) {
      if (++this.#work % SLICE === 0) yield;
      if (cell instanceof RowCell) {
        if (!cell.table.isClaimed) continue;
        if (!this.#kept.has(cell.home)) this.#keep(cell.home);
      }
      cell.prepare();
      for (const part of cell.parts) if (part !== undefined && !this.#kept.has(part)) this.#keep(part);
    }
  }

  *#remove(): Generator<undefined, number> {
    // Before the rows that they show.
    this.#ground.reading.variants.forget((variant) => this.#kept.has(variant));
    let removed = 0;
    let doomed: RowCell[] = [];
    for (const cell of rowCells(this.#ground)) {
      if (++this.#work % SLICE === 0) {
        removed += this.#ground.discard(doomed);
        doomed = [];
        yield;
        yield* this.#follow();
      }
      if (!this.#kept.has(cell)) doomed.push(cell);
    }
    return removed + this.#ground.discard(doomed);
  }
}

function issueOf({ stamp }: RowCell): number {
  return stamp?.issue ?? 0;
}
