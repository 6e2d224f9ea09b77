import type { Cell } from '../graph/cell.ts';

/** Writes that land together: what undoes them, and who is told when the last of them has landed. */
export class Batch {
  readonly told: Cell[] = [];
  readonly #undo: (() => void)[] = [];

  /** Where the batch stands, to come back to by `undo`. */
  get mark(): number {
    return this.#undo.length;
  }

  onUndo(undo: () => void): void {
    this.#undo.push(undo);
  }

  undo(mark: number): void {
    while (this.#undo.length > mark) this.#undo.pop()?.();
  }
}
