import type { Cell } from '../graph/cell.ts';
import { resolve } from '../graph/resolve.ts';

/** Writes that land together: what undoes them, and who is told when the last of them has landed. */
export class Batch {
  readonly told: Cell[] = [];
  /** Observed cells that were marked by writes that have been undone since. */
  readonly doubtful: Cell[] = [];
  /** How many times rows were put or taken back. */
  writes = 0;
  /** What is to be done when everybody has been told. */
  afterwards: () => void = () => {};
  readonly #undo: (() => void)[] = [];

  /** How many steps there are to undo. */
  get steps(): number {
    return this.#undo.length;
  }

  onUndo(undo: () => void): void {
    this.#undo.push(undo);
  }

  /**
   * Finds out whether cells that were marked hold another value after all: several writes together, or one that was
   * undone, can come back to where they began. The others are clean again, so that who observes them hears of the next
   * change, and are not told of this one.
   */
  verify(): void {
    if (this.writes <= 1 && this.doubtful.length === 0) return;
    const marked = this.writes > 1 ? [...this.told.splice(0), ...this.doubtful] : this.doubtful;
    this.told.push(...marked.filter(isAnother));
  }

  undo(steps: number): void {
    while (this.#undo.length > steps) this.#undo.pop()?.();
  }
}

function isAnother(cell: Cell): boolean {
  const before = cell.value;
  try {
    return resolve(cell) !== before;
  } catch {
    // Who reads it is to get the error; a commit does not fail because a value cannot be made.
    return true;
  }
}
