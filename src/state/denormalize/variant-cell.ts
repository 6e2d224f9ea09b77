import type { Parts } from '../graph/cell.ts';
import { RowCell, type RowReader } from '../tables/table.ts';

/** Another value of a row than the usual one: of another class with the same table, or under another variant. */
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
    // A record that refers to itself has its own row among the parts, and it may be one no more.
    this.#home.linkTo(this);
  }

  override release(): void {
    super.release();
    this.#home.unlinkFrom(this);
  }
}
