import type { Invalid, Row } from '../../define/schema/schema.ts';
import type { Cell } from '../graph/cell.ts';
import { PlaceCell } from '../tables/place-cell.ts';
import type { RowReader } from '../tables/row-reader.ts';
import type { RowCell } from '../tables/table.ts';

/** Another value of a row than the usual one: of another class with the same table, or under another variant. */
export class VariantCell extends PlaceCell {
  readonly home: RowCell;
  protected override readonly reader: RowReader;

  constructor(home: RowCell, reader: RowReader) {
    super();
    this.home = home;
    this.reader = reader;
    home.linkTo(this);
  }

  override get row(): Row | Invalid | undefined {
    return this.home.row;
  }

  override passesOn(row: Cell): boolean {
    return row === this.home;
  }

  override release(): void {
    super.release();
    this.home.unlinkFrom(this);
  }

  override get allParts(): readonly (Cell | undefined)[] {
    return [this.home, ...this.parts];
  }
}
