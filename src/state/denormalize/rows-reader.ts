import { isChangedCopy } from '../../std/map-entries.ts';
import { closeList } from '../../std/splice.ts';
import { NO_PARTS, type Parts } from '../graph/cell.ts';
import type { RowsPlan } from '../tables/plan.ts';
import { isRow, type RowCell, type RowReader } from '../tables/table.ts';
import type { Cells } from './cells.ts';
import { USUAL, type Variant } from './variant.ts';

/** Builds the value of a stored collection from the list or map that is its row. */
export class RowsReader implements RowReader {
  readonly #plan: RowsPlan;
  readonly #cells: Cells;
  readonly #variant: Variant;
  /** The row to which the parts of a cell belong. It can differ from the last built row, because a build can fail. */
  readonly #linked = new WeakMap<RowCell, RowCell['row']>();

  constructor(plan: RowsPlan, cells: Cells, variant: Variant) {
    this.#plan = plan;
    this.#cells = cells;
    this.#variant = variant;
  }

  get usual(): unknown {
    return this.#variant === USUAL ? this.#cells.space.names.of(this.#plan) : undefined;
  }

  prepare(cell: RowCell): Parts {
    if (this.#cells.space.unlinked.delete(cell) || cell.row !== cell.built || cell.row !== this.#linked.get(cell)) {
      const { built, row } = cell;
      // In a batch, a deletion and a collection of garbage come here before a read.
      closeList(row);
      const isKnownToDiffer = isRow(row) && isRow(built) && isChangedCopy(built, row);
      cell.link(isRow(row) ? [this.#cells.find(this.#plan.inner, row, this.#variant, cell.parts[0])] : NO_PARTS);
      // Links the list to its members now, because a deletion finds the collection through these links.
      cell.parts[0]?.prepare();
      if (!isKnownToDiffer) cell.recognize();
      this.#linked.set(cell, row);
    }
    return cell.parts;
  }

  isChanged(cell: RowCell): boolean {
    return cell.parts.length > 0 && cell.parts[0]?.value !== cell.value;
  }

  open(cell: RowCell): void {
    cell.value = cell.row;
    this.fill(cell);
  }

  fill(cell: RowCell): void {
    if (cell.parts.length > 0) cell.value = cell.parts[0]?.value;
  }
}
