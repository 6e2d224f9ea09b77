import { Failed, type Parts } from '../graph/cell.ts';
import { isRow, type RowCell, type RowReader } from '../tables/table.ts';
import { ListCell } from './list-cell.ts';

/** Returns the cell of the same row in the store. */
type PresentCell = (cell: RowCell) => RowCell | undefined;

/**
 * For a space that has some rows in an earlier state. Before it builds a value, it tries the present value of the same row, and keeps that if
 * all parts have the same values here. So what does not differ is the same object in both.
 */
export class PresentReader implements RowReader {
  readonly #reader: RowReader;
  readonly #present: PresentCell;
  readonly usual: RowReader['usual'];
  readonly seal: RowReader['seal'];

  constructor(reader: RowReader, present: PresentCell) {
    this.#reader = reader;
    this.#present = present;
    this.usual = reader.usual;
    this.seal = reader.seal;
  }

  prepare(cell: RowCell): Parts {
    const parts = this.#reader.prepare(cell);
    if (cell.row !== cell.built) this.#take(cell);
    return parts;
  }

  isChanged(cell: RowCell): boolean {
    return this.#reader.isChanged(cell) && (!this.#take(cell) || this.#reader.isChanged(cell));
  }

  /** Sets the value of a cell to the value that the store shows. The caller checks whether its parts are the same. Returns false if the store has no such value. */
  #take(cell: RowCell): boolean {
    const { row } = cell;
    const present = isRow(row) ? this.#present(cell) : undefined;
    if (present === undefined || present.built !== row || present.value === cell.value) return false;
    if (typeof present.value !== 'object' || present.value instanceof Failed) return false;
    if (present.reader.usual !== this.usual || showsRelations(present)) return false;
    cell.value = present.value;
    cell.built = row;
    for (const [at, part] of cell.parts.entries()) {
      const same = present.parts[at];
      if (part instanceof ListCell && same instanceof ListCell) part.value ??= same.value;
    }
    return true;
  }

  open(cell: RowCell): void {
    this.#reader.open(cell);
  }

  fill(cell: RowCell): void {
    this.#reader.fill(cell);
  }
}

/** Returns whether a value has relations. It reads them in the store, where they may differ. */
function showsRelations(cell: RowCell): boolean {
  return cell.reader.isOpen?.(cell) === true || cell.parts.some((part) => part?.shownBy !== undefined);
}
