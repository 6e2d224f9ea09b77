import type { Stamp } from '../../define/schema/stamp.ts';
import { QueryCell } from '../denormalize/query-cell.ts';
import type { Cell } from '../graph/cell.ts';
import { resolve } from '../graph/resolve.ts';
import { isRow, RowCell } from '../tables/table.ts';
import type { GarbageCollection, StoreCore } from './store-core.ts';
import type { StoreWriter } from './store-writer.ts';

/** The number of cells that are processed before each yield. */
const SLICE = 500;
/** Data stays at least this long, in milliseconds, even if it was fresh for a shorter time. */
const MIN_TIME = 120_000;
/** Data stays this many times as long as it is fresh. */
const TIME_FACTOR = 2;

/**
 * Removes rows that have expired and that no observed value, kept result or layer uses. A row that a kept value refers to is kept at any
 * age. Returns the number of removed rows.
 */
export function* removeUnused(writer: StoreWriter, maxRows: number): Generator<undefined, number> {
  const now = writer.core.now();
  const isInTime = ({ fetchedAt, expiresAt }: Stamp): boolean =>
    fetchedAt + Math.max((expiresAt - fetchedAt) * TIME_FACTOR, MIN_TIME) >= now;
  return yield* new Sweep(writer).run((stamp, size) => size < maxRows && isInTime(stamp), Number.isFinite(maxRows));
}

/** After a reset: rebuilds observed values without rows, so that no former value stays in memory. */
export function rebuildEmptied(writer: StoreWriter): void {
  const { core } = writer;
  for (const cell of rowCells(core)) {
    // A clean cell was built after the reset, and so was everything that is built from it.
    if (cell.clean || cell.row !== undefined) continue;
    cell.release();
    cell.value = undefined;
  }
  for (const cell of observedCells(core)) {
    try {
      resolve(cell);
    } catch {
      // A read of the cell throws this error to its caller.
    }
  }
  Array.from(new Sweep(writer).run(() => true, false));
}

function* rowCells({ reading }: StoreCore): Generator<RowCell> {
  for (const table of reading.space.tables.values()) yield* table.cells.values();
}

/** Returns the observed cells. */
function observedCells({ queries, requestCells }: StoreCore): Cell[] {
  return [...queries, ...requestCells].filter((cell) => cell.isObserved);
}

function isUsed(cell: Cell): boolean {
  return cell.isObserved || cell.parents !== undefined;
}

/** Decides whether to keep data that nothing shows, given how many rows are kept already. */
type IsWanted = (stamp: Stamp, size: number) => boolean;

/** One run of the collector: marks the used cells, and removes the rest. A reset or a later run ends it. */
class Sweep implements GarbageCollection {
  readonly #core: StoreCore;
  readonly #writer: StoreWriter;
  readonly #kept = new Set<Cell>();
  readonly #toVisit: Cell[] = [];
  /** Cells that read the kept results. They exist only during the run. */
  readonly #results: QueryCell[] = [];
  /** How many rows are kept. */
  #rows = 0;
  #work = 0;

  constructor(writer: StoreWriter) {
    this.#core = writer.core;
    this.#writer = writer;
  }

  /** Keeps a cell that is read or changed during the run, and the cells that it refers to. */
  use(cell: Cell): void {
    this.#keep(cell);
  }

  *run(isWanted: IsWanted, isLatestFirst: boolean): Generator<undefined, number> {
    const core = this.#core;
    // A weak reference, because an unfinished run may be dropped by its caller.
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

  /** Yields 0 where the application may run, and otherwise the number of removed rows. */
  *#steps(isWanted: IsWanted, isLatestFirst: boolean): Generator<number> {
    yield* this.#mark(isWanted, isLatestFirst);
    const { queries, requestCells } = this.#core;
    requestCells.forget(isUsed);
    queries.forget(isUsed);
    yield* this.#remove();
  }

  *#mark(isWanted: IsWanted, isLatestFirst: boolean): Generator<number> {
    const { layers, tickets } = this.#core;
    for (const cell of [...observedCells(this.#core), ...(layers?.readCells() ?? [])]) this.#keep(cell);
    yield* this.#follow();
    yield* this.#markResults(isWanted);
    const rows = Array.from(rowCells(this.#core));
    if (isLatestFirst) rows.sort((one, other) => issueOf(other) - issueOf(one));
    for (const cell of rows) {
      const { stamp } = cell;
      // An older answer may still arrive, and must not overwrite this row, in particular not a deletion.
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
      else if (!requestCells.isObserved(key)) this.#writer.setRequest(key, states.withoutResults(key));
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
    this.#toVisit.push(cell);
  }

  /** Keeps everything from which kept cells are built. */
  *#follow(): Generator<number> {
    for (let cell = this.#toVisit.pop(); cell !== undefined; cell = this.#toVisit.pop()) {
      if (++this.#work % SLICE === 0) yield 0;
      if (cell instanceof RowCell) {
        if (!cell.table.hasReader) continue;
        if (!this.#kept.has(cell.home)) this.#keep(cell.home);
      }
      prepare(cell);
      for (const part of cell.parts) if (part !== undefined && !this.#kept.has(part)) this.#keep(part);
      for (const other of cell.keeps()) if (!this.#kept.has(other)) this.#keep(other);
    }
  }

  *#remove(): Generator<number> {
    // Variants are removed before the rows that they show.
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
    this.#removeNotes();
  }

  /** Removes the notes about removed rows. Does nothing while requests are pending, because these may still mention the rows. */
  #removeNotes(): void {
    const { layers, reading, tickets } = this.#core;
    if ((layers?.size ?? 0) > 0 || tickets.isAny) return;
    for (const table of reading.space.tables.values()) table.removeNotes();
  }
}

/** Removes unused rows with their cells. Returns the number of records among them. */
function discard(writer: StoreWriter, cells: readonly RowCell[]): number {
  if (cells.length === 0) return 0;
  const { core } = writer;
  writer.removeDeletedFromCollections();
  writer.noteTouched(cells);
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
    core.commits?.noteRow(cell, before);
  }
  cell.table.drop(cell);
  // A list is noted there when it is shown without its row.
  core.reading.space.unlinked.delete(cell);
  return isRow(before);
}

/** Prepares a cell. An error of a hook does not stop the collector; the reader of the cell gets it. */
function prepare(cell: Cell): void {
  try {
    cell.prepare();
  } catch {
    // The parts that it found before the error are linked.
  }
}

function issueOf({ stamp }: RowCell): number {
  return stamp?.issue ?? 0;
}
