import { memo } from '../../std/memo.ts';
import type { Cell } from './cell.ts';

/** Cells by owner and name. A cell is made when it is first requested. */
export class CellMap<C extends Cell> {
  readonly #cells = new Map<unknown, Map<unknown, C>>();

  get(owner: unknown, name: unknown, make: () => C): C {
    return memo(
      memo(this.#cells, owner, () => new Map<unknown, C>()),
      name,
      make,
    );
  }

  /** Removes a cell from which nothing is built any more. */
  delete(owner: unknown, name: unknown): void {
    const cells = this.#cells.get(owner);
    cells?.delete(name);
    if (cells?.size === 0) this.#cells.delete(owner);
  }

  /** Returns the cells of one owner. */
  of(owner: unknown): Iterable<C> {
    return this.#cells.get(owner)?.values() ?? [];
  }

  *[Symbol.iterator](): Generator<C> {
    for (const cells of this.#cells.values()) yield* cells.values();
  }

  /** Releases and removes the cells for which `isUsed` returns false. */
  forget(isUsed: (cell: C) => boolean): void {
    for (const [owner, cells] of this.#cells) {
      for (const [name, cell] of cells) {
        if (isUsed(cell)) continue;
        cell.release();
        cells.delete(name);
      }
      if (cells.size === 0) this.#cells.delete(owner);
    }
  }
}
