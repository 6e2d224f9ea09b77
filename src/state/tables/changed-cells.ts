import type { Row } from '../../define/schema/row.ts';
import type { RowIndex } from './lookup.ts';
import type { RowCell } from './table.ts';

/** The cells of a table whose rows were added or changed since a reader has looked at them. The reader removes those. */
export class ChangedCells implements RowIndex<RowCell> {
  readonly all: Set<RowCell> = new Set();

  add(cell: RowCell): void {
    this.all.add(cell);
  }

  move(cell: RowCell, _before: Row | undefined, after: Row | undefined): void {
    if (after === undefined) this.all.delete(cell);
    else this.all.add(cell);
  }
}
