import type { Cell } from '../graph/cell.ts';

/** Writes that land together: what undoes them, and who is told when the last of them has landed. */
export class Batch {
  readonly told: Cell[] = [];
  readonly #undo: (() => void)[] = [];

  /** Where the batch stands, to come back to. */
  get size(): { readonly undone: number; readonly told: number } {
    return { undone: this.#undo.length, told: this.told.length };
  }

  onUndo(undo: () => void): void {
    this.#undo.push(undo);
  }

  undo(size: number): void {
    while (this.#undo.length > size) this.#undo.pop()?.();
  }
}
