import type { RowState } from '../../define/schema/row.ts';
import { equalPlain } from '../../std/plain.ts';
import type { RowCell } from '../tables/table.ts';
import type { LayerEdits } from './layer-edits.ts';
import type { LayerIndex } from './layer-index.ts';
import type { LayeredStore } from './layered-store.ts';
import { type RowsBelow, TOP } from './rows-below.ts';

/** Sets the rows that readers see: those on top of all layers. The store keeps the confirmed row of each row that a layer has written. */
export class ShownRows {
  readonly #writers: LayerIndex<RowCell>;
  readonly #edits: LayerEdits;
  readonly #below: RowsBelow;
  readonly #store: LayeredStore;

  /** `writers`: the layers that have written a row. */
  constructor(writers: LayerIndex<RowCell>, edits: LayerEdits, below: RowsBelow, store: LayeredStore) {
    this.#writers = writers;
    this.#edits = edits;
    this.#below = below;
    this.#store = store;
  }

  /** Updates the rows of these cells: first of records, because they decide the order of lists. */
  show(cells: Iterable<RowCell>): void {
    for (const isList of [false, true])
      for (const cell of cells) {
        if ((cell.table.collection !== undefined) !== isList) continue;
        const patched = this.#edits.patch(cell);
        this.showRow(cell, patched ?? this.#below.row(cell, TOP), patched !== undefined);
      }
  }

  /** Sets one row. `isPatched`: the row is the shown one, or it differs. */
  showRow(cell: RowCell, row: RowState, isPatched = false): void {
    const before = cell.row;
    const { covered } = this.#store;
    const top = this.#writers.get(cell)?.below(TOP);
    const base = covered.get(cell);
    // An equal row keeps its object, so that values built from it are kept.
    const shown = before !== undefined && !isPatched && equalPlain(before, row) ? before : row;
    if (top !== undefined) {
      if (base === undefined) covered.set(cell, { row: before, stamp: cell.stamp });
      if (top.made.patch === undefined && !top.made.edits.has(cell)) top.made.rows.set(cell, shown);
    } else if (base !== undefined) {
      cell.stamp = base.stamp;
      covered.delete(cell);
    }
    cell.row = shown;
    if (shown !== before) this.#store.show(cell, before);
  }
}
