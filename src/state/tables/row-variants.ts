import type { RowState } from '../../define/schema/row.ts';
import type { Cell } from '../graph/cell.ts';
import { parentsOf } from '../graph/edges.ts';
import { mark, type ToNotify } from '../graph/mark.ts';
import { RowCell, type Table } from './table.ts';

/** Returns the cell of a row, and the cells of its values for other classes and in other variants. */
export function withVariants(cell: RowCell): readonly RowCell[] {
  const isVariant = (parent: Cell): parent is RowCell => parent instanceof RowCell && parent.home === cell;
  return [cell, ...Array.from(parentsOf(cell.parents)).filter(isVariant)];
}

/** Marks the rows of a table that must be rebuilt, in all variants. With `fields`, only those of classes that do not declare these fields. */
export function rebuildRows(table: Table, toNotify: ToNotify, fields?: readonly string[]): void {
  for (const cell of table.cells.values()) {
    if (fields?.some((field) => Object.hasOwn(Object(cell.row) as object, field)) === false) continue;
    for (const one of withVariants(cell)) rebuild(one, toNotify, fields);
  }
}

function rebuild(cell: RowCell, toNotify: ToNotify, fields: readonly string[] | undefined): void {
  if (fields !== undefined && cell.reader.isForeign?.(fields) !== true) return;
  mark(cell, toNotify);
  cell.noteReplaced();
}

/** Removes the row of a cell and adds it again, because it gets another place. Calls `show` after both. */
export function showAgain(cell: RowCell, show: (cell: RowCell, before: RowState) => void): void {
  const { row } = cell;
  if (row === undefined) return;
  cell.row = undefined;
  show(cell, row);
  cell.row = row;
  show(cell, undefined);
}
