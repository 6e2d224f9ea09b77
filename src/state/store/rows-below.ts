import type { Row, RowEdit, RowState } from '../../define/schema/row.ts';
import type { EditedRow } from '../../define/schema/tracked-edits.ts';
import { overlay } from '../normalize/combine.ts';
import { editedRow, withEdits } from '../normalize/row-edits.ts';
import { combined } from '../normalize/row-fields.ts';
import { isRow, type RowCell } from '../tables/table.ts';
import type { Space } from '../tables/space.ts';
import type { LayerIndex } from './layer-index.ts';
import type { LayerReaders } from './layer-readers.ts';
import type { LayeredStore } from './layered-store.ts';
import type { ReadBelow } from './layer-space.ts';

/** The position of the confirmed rows, below all layers. */
export const BOTTOM = 0;

/** The position above all layers, where readers are. */
export const TOP: number = Number.POSITIVE_INFINITY;

/** Reads rows as they are below a position in the stack of layers: the confirmed row, with what the layers below the position have written. */
export class RowsBelow {
  readonly #writers: LayerIndex<RowCell>;
  readonly #readers: LayerReaders;
  readonly #space: Space;
  readonly #store: LayeredStore;

  /** `writers`: the layers that have written a row. */
  constructor(writers: LayerIndex<RowCell>, readers: LayerReaders, space: Space, store: LayeredStore) {
    this.#writers = writers;
    this.#readers = readers;
    this.#space = space;
    this.#store = store;
  }

  /** Returns a function that reads cells as they are below a position. */
  reader(position: number): ReadBelow {
    return (cell) => {
      const top = this.#writers.get(cell)?.below(TOP);
      // A layer above all writers of a row sees the row that readers see.
      const isSeen = top !== undefined && top.position < position && !this.#readers.isChanged(cell);
      return { row: isSeen ? cell.row : this.row(cell, position), stamp: this.#store.confirmed(cell).stamp };
    };
  }

  /** Returns what edits of a row read below a position: the row, and the other rows. */
  editedRow(cell: RowCell, position: number): EditedRow {
    const below = this.reader(position);
    return editedRow(cell, this.#space, (table, pk) => below(this.#space.table(table).cellOf(pk)).row);
  }

  /** Returns the row of a cell below a position. */
  row(cell: RowCell, position: number): RowState {
    let { row }: { row: RowState } = this.#store.confirmed(cell);
    const patches: Row[] = [];
    const edited: (readonly RowEdit[])[] = [];
    this.#writers.get(cell)?.visitBelow(position, ({ made: { edits, patch, rows } }) => {
      const own = edits.get(cell);
      if (own !== undefined) edited.push(own);
      else if (patch === undefined) row = rows.get(cell);
      else patches.push(rows.get(cell) as Row);
      return own === undefined && patch === undefined;
    });
    if (edited.length > 0) return withEdits(row, edited.reverse().flat(), this.editedRow(cell, position));
    if (patches.length === 0) return row;
    const fields = patches.length === 1 ? (patches[0] as Row) : combined(patches);
    return isRow(row) ? overlay(row, fields) : fields;
  }
}
