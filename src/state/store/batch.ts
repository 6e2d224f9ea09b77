import type { Cell } from '../graph/cell.ts';
import type { MarkedValue, ToNotify } from '../graph/mark.ts';

/** Writes that take effect together: what undoes them, and the observed cells to notify after the last of them. */
export class Batch {
  readonly toNotify: ToNotify = new Map();
  /** Observed cells that were marked by writes that have been undone since. */
  #doubtful: ToNotify | undefined = undefined;
  /** How many times rows were put or taken back. */
  writes = 0;
  /** Whether observers are notified only when whatever is under way is over. */
  isLater = false;
  /** What is to be done when all observers have been notified. */
  afterwards: (() => void) | undefined = undefined;
  readonly #undo: (() => void)[] = [];

  /** How many steps there are to undo. */
  get steps(): number {
    return this.#undo.length;
  }

  /** Whether there may be observers to notify. */
  get hasMarked(): boolean {
    return this.toNotify.size > 0 || this.#doubtful !== undefined;
  }

  onUndo(undo: () => void): void {
    this.#undo.push(undo);
  }

  /** The writes were undone that came after the first so many cells were noted. */
  doubt(noted: number): void {
    const undone = [...this.toNotify].slice(noted);
    for (const [cell] of undone) this.toNotify.delete(cell);
    // What observers knew first counts.
    this.#doubtful = new Map([...undone, ...(this.#doubtful ?? [])]);
  }

  /**
   * Finds out whether marked cells hold another value than their observers know: several writes together, or one that was
   * undone, can come back to where they began, and many changes make no difference to a query. The others are clean again, so that
   * their observers hear of the next change, and are not notified of this one.
   */
  verify(read: (cell: Cell) => unknown): void {
    const { toNotify } = this;
    for (const [cell, known] of toNotify)
      if ((this.writes > 1 || known.mayStay) && !isAnother(cell, known, read)) toNotify.delete(cell);
    for (const [cell, known] of this.#doubtful ?? [])
      if (isAnother(cell, known, read)) toNotify.set(cell, known);
      else toNotify.delete(cell);
  }

  undo(steps: number): void {
    while (this.#undo.length > steps) this.#undo.pop()?.();
  }
}

function isAnother(cell: Cell, { value }: MarkedValue, read: (cell: Cell) => unknown): boolean {
  try {
    return read(cell) !== value;
  } catch {
    // The reader gets the error; a commit does not fail because a value cannot be made.
    return true;
  }
}
