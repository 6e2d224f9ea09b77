import type { Invalid, Row } from '../../define/schema/schema.ts';
import { Cell, NO_PARTS } from '../graph/cell.ts';
import { type RowCell } from '../tables/table.ts';
import { type RowPlace, type RowReader, UNSETTLED } from '../tables/row-reader.ts';

/** Another value of a row than the usual one: of another class with the same table, or under another variant. */
export class VariantCell extends Cell implements RowPlace {
  readonly home: RowCell;
  built: Row | Invalid | undefined = undefined;
  parts: readonly (Cell | undefined)[] = NO_PARTS;
  readonly #reader: RowReader;

  constructor(home: RowCell, reader: RowReader) {
    super();
    this.home = home;
    this.#reader = reader;
    home.linkTo(this);
  }

  get row(): Row | Invalid | undefined {
    return this.home.row;
  }

  override passesOn(row: Cell): boolean {
    return row === this.home;
  }

  override replaced(): void {
    this.built = UNSETTLED;
  }

  override release(): void {
    for (const part of this.parts) {
      part?.unlinkFrom(this);
      if (part?.passesOn(this) === true) part.release();
    }
    this.parts = NO_PARTS;
    this.built = UNSETTLED;
    this.clean = false;
    this.home.unlinkFrom(this);
  }

  override prepare(): readonly (Cell | undefined)[] {
    return this.#reader.prepare(this);
  }

  override get allParts(): readonly (Cell | undefined)[] {
    return [this.home, ...this.parts];
  }

  override isChanged(): boolean {
    return this.#reader.isChanged(this);
  }

  override open(): void {
    this.#reader.open(this);
  }

  override isBroken(): boolean {
    return this.#reader.isBroken(this);
  }

  override fill(): void {
    this.#reader.fill(this);
  }

  override seal(): void {
    this.#reader.seal(this);
  }
}
