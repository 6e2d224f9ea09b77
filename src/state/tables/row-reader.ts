import type { Invalid, Row } from '../../define/schema/schema.ts';
import type { Cell } from '../graph/cell.ts';

/** What reading needs of a cell that turns a row into a value. */
export interface RowPlace extends Cell {
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
}
