import type { Invalid, Row, Stamp } from '../../define/schema/schema.ts';
import type { RowCell } from '../tables/row-cell.ts';

/** A confirmed row that readers do not see while an optimistic layer lies on it. */
export interface Covered {
  row: Row | Invalid | undefined;
  stamp: Stamp | undefined;
}

/** One step of a write: what was there before. */
export interface Change {
  readonly cell: RowCell;
  readonly before: Row | Invalid | undefined;
  readonly stamp: Stamp | undefined;
}

/**
 * What a write does, step by step, so that it can be undone whole. Rows are put into place at once; readers learn of
 * them when the write is done, and nobody reads in between.
 */
export class WriteLog {
  readonly cells: RowCell[] = [];
  readonly #rows: (Row | Invalid | undefined)[] = [];
  readonly #stamps: (Stamp | undefined)[] = [];
  readonly #undo: (() => void)[] = [];
  readonly #covered: ReadonlyMap<RowCell, Covered> | undefined;

  constructor(covered?: ReadonlyMap<RowCell, Covered>) {
    this.#covered = covered;
  }

  /** The confirmed row. */
  row(cell: RowCell): Row | Invalid | undefined {
    const covered = this.#covered?.get(cell);
    return covered === undefined ? cell.row : covered.row;
  }

  stamp(cell: RowCell): Stamp | undefined {
    const covered = this.#covered?.get(cell);
    return covered === undefined ? cell.stamp : covered.stamp;
  }

  isCovered(cell: RowCell): boolean {
    return this.#covered?.has(cell) === true;
  }

  put(cell: RowCell, row: Row | Invalid | undefined, stamp: Stamp | undefined): void {
    const covered = this.#covered?.get(cell);
    const place = covered ?? cell;
    this.cells.push(cell);
    this.#rows.push(place.row);
    this.#stamps.push(place.stamp);
    place.row = row;
    place.stamp = stamp;
  }

  /** Remembers how to take back something that is not a row. */
  onUndo(undo: () => void): void {
    this.#undo.push(undo);
  }

  /** Every row as it was before the log began, with what it is now being for the caller to look up. */
  *changes(): Generator<Change> {
    const seen = new Set<RowCell>();
    for (let at = 0; at < this.cells.length; at++) {
      const cell = this.cells[at] as RowCell;
      if (seen.has(cell)) continue;
      seen.add(cell);
      yield { cell, before: this.#rows[at], stamp: this.#stamps[at] };
    }
  }

  before(at: number): Row | Invalid | undefined {
    return this.#rows[at];
  }

  undo(from = 0): void {
    while (this.cells.length > from) {
      const cell = this.cells.pop() as RowCell;
      const place = this.#covered?.get(cell) ?? cell;
      place.row = this.#rows.pop();
      place.stamp = this.#stamps.pop();
      if (cell.row === undefined && cell.parents === undefined && cell.observers === undefined) cell.table.drop(cell);
    }
    if (from === 0) for (let undo = this.#undo.pop(); undo !== undefined; undo = this.#undo.pop()) undo();
  }
}
