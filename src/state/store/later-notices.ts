import type { Cell } from '../graph/cell.ts';
import { notify } from '../graph/mark.ts';

/** Notifies observers of changes made during a read after the read is over, because code that renders must not notify. */
export class LaterNotices {
  readonly #afterwards: () => void;
  #waiting: Set<Cell> | undefined;

  constructor(afterwards: () => void) {
    this.#afterwards = afterwards;
  }

  add(cells: Iterable<Cell>): void {
    const waiting = this.#waiting ?? this.#begin();
    for (const cell of cells) waiting.add(cell);
  }

  #begin(): Set<Cell> {
    void this.#end();
    return (this.#waiting = new Set());
  }

  async #end(): Promise<void> {
    await Promise.resolve();
    const waiting = this.#waiting as Set<Cell>;
    this.#waiting = undefined;
    notify(waiting);
    this.#afterwards();
  }
}
