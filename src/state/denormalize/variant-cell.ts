import type { Parts } from '../graph/cell.ts';
import { RowCell, type RowReader } from '../tables/table.ts';

/** The cell of another value of a row than the usual one: for another class with the same table, other arguments or another depth. */
export class VariantCell extends RowCell {
  readonly #home: RowCell;
  readonly #reader: RowReader;

  constructor(home: RowCell, reader: RowReader) {
    super(home.table, home.pk);
    this.#home = home;
    this.#reader = reader;
    home.linkTo(this);
  }

  override get home(): RowCell {
    return this.#home;
  }

  override get reader(): RowReader {
    return this.#reader;
  }

  override prepare(): Parts {
    this.row = this.#home.row;
    return super.prepare();
  }

  override link(parts: Parts): void {
    super.link(parts);
    // If a record refers to itself, its own row is among the parts, and `super.link` may have unlinked it.
    this.#home.linkTo(this);
  }

  override release(): void {
    super.release();
    this.#home.unlinkFrom(this);
  }
}
