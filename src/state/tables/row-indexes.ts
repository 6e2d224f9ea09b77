import { INVALID, type Row, type RowState } from '../../define/schema/row.ts';
import type { Cell } from '../graph/cell.ts';
import type { ToNotify } from '../graph/mark.ts';
import type { RowIndex } from './lookup.ts';

/** The indexes of a table, by name. */
export class RowIndexes<Member extends Cell & { readonly row: RowState }> {
  readonly #byName = new Map<string, RowIndex<Member>>();

  /** Returns the index of this name. The first call makes it and adds the rows of these cells. */
  keep<Kept extends RowIndex<Member>>(name: string, make: () => Kept, cells: Iterable<Member>): Kept {
    const found = this.#byName.get(name);
    if (found !== undefined) return found as Kept;
    const made = make();
    for (const cell of cells) {
      const row = present(cell.row);
      if (row !== undefined) made.add(cell, row);
    }
    this.#byName.set(name, made);
    return made;
  }

  /** Updates the indexes after the row of a cell has changed. */
  move(cell: Member, before: RowState, toNotify: ToNotify): void {
    for (const index of this.#byName.values()) index.move(cell, present(before), present(cell.row), toNotify);
  }

  /** Moves rows with a temporary pk to the pk of the server, and back if that is undone. Returns whether there are such rows. */
  rename(toNotify: ToNotify): boolean {
    return [...this.#byName.values()].filter((index) => index.rename?.(toNotify)).length > 0;
  }

  forget(): void {
    for (const index of this.#byName.values()) index.forget?.();
  }
}

function present(row: RowState): Row | undefined {
  return row === INVALID ? undefined : row;
}
