import type { RowState } from '../../define/schema/schema.ts';
import type { Cell } from '../graph/cell.ts';
import { PerhapsSame, type ToNotify } from '../graph/mark.ts';
import { showAgain } from '../tables/row-variants.ts';
import type { RowCell } from '../tables/table.ts';

/** Writes that take effect together, with their undo steps and the observed cells to notify at the end. */
export class Batch {
  readonly toNotify: ToNotify = new Map();
  /** How many times rows were written or undone. */
  writes = 0;
  /** Whether observers are notified only after the running read. */
  isLater = false;
  /** Called after all observers have been notified. */
  afterwards: (() => void) | undefined = undefined;
  #undo: (() => void)[] = NONE;
  /** Cells that got another place in their tables, with the `arrival` that each had before, in order. */
  #moved: (readonly [cell: RowCell, arrival: number])[] | undefined = undefined;

  /** The number of undo steps. */
  get steps(): number {
    return this.#undo.length;
  }

  /** How many cells were moved. */
  get moves(): number {
    return this.#moved?.length ?? 0;
  }

  /** Notes that a cell got another place in its table. */
  move(cell: RowCell, arrival: number): void {
    (this.#moved ??= []).push([cell, arrival]);
  }

  /** Puts all cells back that were moved after the first `moves` ones. Called when their rows are restored. For `show`, see `showAgain`. */
  putBack(moves: number, show: (cell: RowCell, before: RowState) => void): void {
    const moved = this.#moved?.splice(moves) ?? [];
    for (const [cell, arrival] of moved.reverse()) {
      cell.table.order.place(cell, arrival);
      showAgain(cell, show);
    }
  }

  onUndo(undo: () => void): void {
    // Most batches have one step. An array literal has no unused capacity.
    if (this.#undo === NONE) this.#undo = [undo];
    else this.#undo.push(undo);
  }

  /**
   * Removes cells from `toNotify` whose value is the one that observers know. Several writes, or a write and its undo, can restore a value,
   * and many changes do not affect a query. Reading also makes these cells clean again, so that their observers are notified of the next change.
   */
  verify(read: (cell: Cell) => unknown): void {
    const { toNotify } = this;
    // No loop over entries, because each would be a new array.
    toNotify.forEach((known, cell) => {
      if ((this.writes > 1 || known instanceof PerhapsSame) && !isAnother(cell, known, read)) toNotify.delete(cell);
    });
  }

  undo(steps: number): void {
    while (this.#undo.length > steps) this.#undo.pop()?.();
  }
}

const NONE: (() => void)[] = [];

function isAnother(cell: Cell, known: unknown, read: (cell: Cell) => unknown): boolean {
  try {
    return read(cell) !== (known instanceof PerhapsSame ? known.value : known);
  } catch {
    // The reader gets the error. A commit does not fail because a value cannot be built.
    return true;
  }
}
