import type { Cell } from '../graph/cell.ts';
import { resolve } from '../graph/resolve.ts';

/** Writes that land together: what undoes them, and who is told when the last of them has landed. */
export class Batch {
  readonly told: Cell[] = [];
  /** Observed cells that were marked by writes that have been undone since. */
  readonly doubtful: Cell[] = [];
  readonly #undo: (() => void)[] = [];

  /** Where the batch stands, to come back to. */
  get size(): { readonly undone: number; readonly told: number } {
    return { undone: this.#undo.length, told: this.told.length };
  }

  onUndo(undo: () => void): void {
    this.#undo.push(undo);
  }

  /**
   * Makes the doubtful cells clean, so that who observes them hears of the next change. Gives those whose value is
   * another all the same.
   */
  withoutEffect(): Cell[] {
    return this.doubtful.filter((cell) => {
      const before = cell.value;
      return resolve(cell) !== before;
    });
  }

  undo(size: number): void {
    while (this.#undo.length > size) this.#undo.pop()?.();
  }
}
