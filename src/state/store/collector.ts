import type { Stamp } from '../../define/schema/schema.ts';
import { QueryCell } from '../denormalize/query-cell.ts';
import type { Cell } from '../graph/cell.ts';
import { resolve } from '../graph/resolve.ts';
import { isRow, RowCell } from '../tables/table.ts';
import type { GarbageCollection, StoreCore } from './store-core.ts';
import type { StoreWriter } from './store-writer.ts';

/** How many cells are looked at between two chances to yield. */
const SLICE = 500;
/** What is fresh for a second is not thrown away after two. */
const SHORTEST_STAY = 120_000;
const STAY_FACTOR = 2;

/**
 * Removes rows that no observed value, no kept result and no layer leads to and that are past their own time. A row
 * that anything kept refers to is kept with it, whatever its age. Returns how many rows were removed.
 */
export function* collect(writer: StoreWriter, maxRows: number): Generator<undefined, number> {
  const now = writer.core.now();
  const isInTime = ({ fetchedAt, expiresAt }: Stamp): boolean =>
    fetchedAt + Math.max((expiresAt - fetchedAt) * STAY_FACTOR, SHORTEST_STAY) >= now;
  return yield* new Sweep(writer).run((stamp, size) => size < maxRows && isInTime(stamp), Number.isFinite(maxRows));
}

/** After a reset: makes what is observed again, of nothing, so that nothing keeps a former value. */
export function empty(writer: StoreWriter): void {
  const { core } = writer;
  for (const cell of rowCells(core)) {
    // What is clean was made since, and so was what is made of it.
    if (cell.clean || cell.row !== undefined) continue;
    cell.release();
    cell.value = undefined;
  }
  for (const cell of shown(core)) {
    try {
      resolve(cell);
    } catch {
      // A read of it throws, and says why.
    }
  }
  Array.from(new Sweep(writer).run(() => true, false));
}

function* rowCells({ reading }: StoreCore): Generator<RowCell> {
  for (const table of reading.space.tables.values()) yield* table.cells.values();
}

/** What is observed. */
function shown({ queries, requestCells }: StoreCore): Cell[] {
  return [...queries, ...requestCells].filter(isObserved);
}

function isObserved(cell: Cell): boolean {
  return cell.observers !== undefined;
}

function isUsed(cell: Cell): boolean {
  return isObserved(cell) || cell.parents !== undefined;
}

/** Whether something is kept that nothing shows, where so many rows are kept already. */
type IsWanted = (stamp: Stamp, size: number) => boolean;

/** One pass: what is reached stays, and the rest goes. A later pass, as that of a reset, ends it. */
class Sweep implements GarbageCollection {
  readonly #core: StoreCore;
  readonly #writer: StoreWriter;
  readonly #kept = new Set<Cell>();
  readonly #ahead: Cell[] = [];
  /** Cells that read the results which stay, for as long as the pass takes. */
  readonly #results: QueryCell[] = [];
  /** How many rows stay. */
  #rows = 0;
  #work = 0;

  constructor(writer: StoreWriter) {
    this.#core = writer.core;
    this.#writer = writer;
  }

  /** What is read or changes meanwhile is looked at (again): what it refers to now is kept too. */
  use(cell: Cell): void {
    this.#keep(cell);
  }

  *run(isWanted: IsWanted, isLatestFirst: boolean): Generator<undefined, number> {
    const core = this.#core;
    // A pass that is given up in the middle is not held.
    const own = new WeakRef(this);
    core.collection = own;
    let removed = 0;
    try {
      for (const rows of this.#steps(isWanted, isLatestFirst)) {
        this.#writer.assertWritable();
        removed += rows;
        if (rows === 0) yield;
        if (core.collection !== own) break;
      }
      return removed;
    } finally {
      for (const cell of this.#results) cell.release();
      if (core.collection === own) core.collection = undefined;
    }
  }

  /** Yields 0 where others can have their turn, and otherwise how many rows have been removed. */
  *#steps(isWanted: IsWanted, isLatestFirst: boolean): Generator<number> {
    yield* this.#mark(isWanted, isLatestFirst);
    const { queries, requestCells } = this.#core;
    requestCells.forget(isUsed);
    queries.forget(isUsed);
    yield* this.#remove();
  }

  *#mark(isWanted: IsWanted, isLatestFirst: boolean): Generator<number> {
    const { layers, tickets } = this.#core;
    for (const cell of [...shown(this.#core), ...(layers?.readCells() ?? [])]) this.#keep(cell);
    yield* this.#follow();
    yield* this.#markResults(isWanted);
    const rows = Array.from(rowCells(this.#core));
    if (isLatestFirst) rows.sort((one, other) => issueOf(other) - issueOf(one));
    for (const cell of rows) {
      const { stamp } = cell;
      // An answer could still arrive that must not win over what is known here, a deletion above all.
      if (stamp === undefined || !(isWanted(stamp, this.#rows) || tickets.isAnyOlder(stamp.issue))) continue;
      this.#keep(cell);
      yield* this.#follow();
    }
  }

  *#markResults(isWanted: IsWanted): Generator<number> {
    const { reading, requestCells, states } = this.#core;
    for (const [key, { results }] of [...states.entries()].reverse()) {
      const [latest] = results;
      if (latest === undefined) continue;
      if (isWanted(latest.stamp, this.#rows))
        for (const result of results) this.#keepResult(new QueryCell(reading, () => result)); // prettier-ignore
      else if (!requestCells.isObserved(key)) this.#writer.setRequest(key, states.without(key));
      yield* this.#follow();
    }
  }

  #keepResult(cell: QueryCell): void {
    this.#results.push(cell);
    this.#keep(cell);
  }

  #keep(cell: Cell): void {
    if (cell instanceof RowCell && cell.home === cell && !this.#kept.has(cell)) this.#rows++;
    this.#kept.add(cell);
    this.#ahead.push(cell);
  }

  /** Keeps everything that what is kept is made of. */
  *#follow(): Generator<number> {
    for (let cell = this.#ahead.pop(); cell !== undefined; cell = this.#ahead.pop()) {
      if (++this.#work % SLICE === 0) yield 0;
      if (cell instanceof RowCell) {
        if (!cell.table.isClaimed) continue;
        if (!this.#kept.has(cell.home)) this.#keep(cell.home);
      }
      prepare(cell);
      for (const part of cell.parts) if (part !== undefined && !this.#kept.has(part)) this.#keep(part);
    }
  }

  *#remove(): Generator<number> {
    // Before the rows that they show.
    this.#core.reading.variants.forget((variant) => this.#kept.has(variant));
    let unneeded: RowCell[] = [];
    for (const cell of rowCells(this.#core)) {
      if (++this.#work % SLICE === 0) {
        yield discard(this.#writer, unneeded);
        unneeded = [];
        yield 0;
        yield* this.#follow();
      }
      if (!this.#kept.has(cell)) unneeded.push(cell);
    }
    yield discard(this.#writer, unneeded);
    this.#forgetAliases();
  }

  /** What is kept keeps the records that it refers to; what is pending can still mention any. */
  #forgetAliases(): void {
    const { layers, reading, tickets } = this.#core;
    if ((layers?.size ?? 0) > 0 || tickets.isAny) return;
    for (const table of reading.space.tables.values()) table.forgetAliases();
  }
}

/** Removes rows that are not needed, and their cells. Returns how many records that were. */
function discard(writer: StoreWriter, cells: readonly RowCell[]): number {
  if (cells.length === 0) return 0;
  const { core } = writer;
  writer.takeOut();
  writer.touched(cells);
  return core.runBatch(() => cells.filter((cell) => discardOne(core, cell)).length);
}

function discardOne(core: StoreCore, cell: RowCell): boolean {
  const before = cell.row;
  cell.release();
  if (before !== undefined) {
    cell.row = undefined;
    cell.stamp = undefined;
    cell.table.remember();
    core.show(cell, before);
    core.commits?.row(cell, before);
  }
  cell.table.drop(cell);
  return isRow(before);
}

/** A hook that throws keeps nothing from being collected: its reader gets the error. */
function prepare(cell: Cell): void {
  try {
    cell.prepare();
  } catch {
    // What it had found until then is linked.
  }
}

function issueOf({ stamp }: RowCell): number {
  return stamp?.issue ?? 0;
}
