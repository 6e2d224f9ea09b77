import type { Invalid, Row, Stamp } from '../../define/schema/schema.ts';
import { Cell, NO_PARTS } from '../graph/cell.ts';
import type { Table } from './table.ts';

/** What reading needs of a cell that turns a row into a value. */
export interface RowPlace extends Cell {
  readonly pk: string;
  readonly row: Row | Invalid | undefined;
  /** The row that `value` was built from. */
  built: Row | Invalid | undefined;
  parts: readonly (Cell | undefined)[];
}

/** Stands for the built row of a place whose parts are linked anew and whose value was not built since. */
export const UNSETTLED: Row = Object.freeze({});

/** How the rows of one table become values. */
export interface RowReader {
  prepare(place: RowPlace): readonly (Cell | undefined)[];
  isChanged(place: RowPlace): boolean;
  open(place: RowPlace): void;
  isBroken(place: RowPlace): boolean;
  fill(place: RowPlace): void;
  seal(place: RowPlace): void;
  readonly looksInside: boolean;
}

/** The one cell of a (table, pk): the row that readers see, and the value of the table's own entity built from it. */
export class RowCell extends Cell implements RowPlace {
  readonly table: Table;
  readonly pk: string;
  row: Row | Invalid | undefined = undefined;
  stamp: Stamp | undefined = undefined;
  built: Row | Invalid | undefined = undefined;
  parts: readonly (Cell | undefined)[] = NO_PARTS;

  constructor(table: Table, pk: string) {
    super();
    this.table = table;
    this.pk = pk;
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
  }

  override prepare(): readonly (Cell | undefined)[] {
    return this.table.reader.prepare(this);
  }

  override get allParts(): readonly (Cell | undefined)[] {
    return this.parts;
  }

  override isChanged(): boolean {
    return this.table.reader.isChanged(this);
  }

  override open(): void {
    this.table.reader.open(this);
  }

  override isBroken(): boolean {
    return this.table.reader.isBroken(this);
  }

  override fill(): void {
    this.table.reader.fill(this);
  }

  override seal(): void {
    this.table.reader.seal(this);
  }

  override get looksInside(): boolean {
    return this.table.reader.looksInside;
  }
}
