import type { RowState } from '../../define/schema/row.ts';
import type { Cell } from '../graph/cell.ts';
import { PerhapsSame, type ToNotify } from '../graph/mark.ts';
import type { WriteLog } from '../normalize/write-log.ts';
import { closeList, openCopy } from '../../std/splice.ts';
import { showAgain } from '../tables/row-variants.ts';
import type { RowCell } from '../tables/table.ts';

/** Undoes a part of a batch. `log`: the log of the write that it undoes. */
interface UndoStep {
  (): void;
  readonly log?: WriteLog;
}

/** Writes that take effect together, with their undo steps and the observed cells to notify at the end. */
export class Batch {
  readonly toNotify: ToNotify = new Map();
  /** How many times rows were written or undone. */
  writes = 0;
  /** Whether observers are notified only after the running read. */
  isLater = false;
  /** Called after all observers have been notified. */
  afterwards: (() => void) | undefined = undefined;
  /** The lists whose rows from before the running part of the batch are in the log of one of its writes. */
  lists: Set<RowCell> | undefined = undefined;
  #undo: UndoStep[] = NONE;
  /** The lists that are open: see `open`. */
  #open: RowState[] = [];
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

  /**
   * Opens a row that a write has copied from the row before it, if it is a list: until the next read, further members are added to the copy itself.
   * Otherwise each of many changes of a long list would make a copy of it. Readers know already that the row has changed.
   */
  open(row: RowState, before: RowState): void {
    openCopy(row, before);
    this.#open.push(row);
  }

  /** Closes the open lists. Called before a read, and at the end of the batch. */
  close(): void {
    for (const list of this.#open) closeList(list);
    this.#open = [];
  }

  onUndo(undo: UndoStep): void {
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

  /** Ends a part of the batch that began with an undo step. It can only be undone together with the part around it, which has these `lists`. */
  endPart(from: number, lists: Set<RowCell>): void {
    for (let step = from; step < this.#undo.length; step++) this.#undo[step]?.log?.keepFirst(lists);
  }

  undo(steps: number): void {
    while (this.#undo.length > steps) this.#undo.pop()?.();
  }
}

const NONE: UndoStep[] = [];

function isAnother(cell: Cell, known: unknown, read: (cell: Cell) => unknown): boolean {
  try {
    return read(cell) !== (known instanceof PerhapsSame ? known.value : known);
  } catch {
    // The reader gets the error. A commit does not fail because a value cannot be built.
    return true;
  }
}
