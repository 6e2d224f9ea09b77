import type { Invalid, Row } from '../../define/schema/schema.ts';
import { Cell, NO_PARTS } from '../graph/cell.ts';
import { type RowPlace, type RowReader, UNSETTLED } from './row-reader.ts';

/** A cell that shows a row. How the row becomes a value, its reader says. */
export abstract class PlaceCell extends Cell implements RowPlace {
  abstract readonly row: Row | Invalid | undefined;
  protected abstract readonly reader: RowReader;
  built: Row | Invalid | undefined = undefined;
  parts: readonly (Cell | undefined)[] = NO_PARTS;

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
    return this.reader.prepare(this);
  }

  override get allParts(): readonly (Cell | undefined)[] {
    return this.parts;
  }

  override isChanged(): boolean {
    return this.reader.isChanged(this);
  }

  override open(): void {
    this.reader.open(this);
  }

  override isBroken(): boolean {
    return this.reader.isBroken(this);
  }

  override fill(): void {
    this.reader.fill(this);
  }

  override seal(): void {
    this.reader.seal(this);
  }
}
