import { without } from '../../define/schema/collection-members.ts';
import { joinedIn } from '../../define/schema/joined-members.ts';
import { ListEdits } from '../../define/schema/list-edits.ts';
import { MapEdits } from '../../define/schema/map-edits.ts';
import type { Row, RowEdit, RowState } from '../../define/schema/row.ts';
import type { EditedRow, TrackedEdits } from '../../define/schema/tracked-edits.ts';
import type { Space } from '../tables/space.ts';
import { isRow, type RowCell } from '../tables/table.ts';
import { argsOf } from './collections.ts';

/** Returns a row with edits applied in order. Edits of one kind that follow each other are applied at once. */
export function withEdits(row: RowState, edits: readonly RowEdit[], edited: EditedRow): RowState {
  if (!isRow(row)) return row;
  let made = row;
  for (let at = 0; at < edits.length;) {
    const from = at;
    const { over } = (edits[from] as RowEdit).repeat;
    while (at < edits.length && (edits[at] as RowEdit).repeat.over === over) at++;
    const group = edits.slice(from, at);
    made = over?.(made, group) ?? editedMembers(made, group, edited);
  }
  return made;
}

function editedMembers(row: Row, edits: readonly RowEdit[], edited: EditedRow): Row {
  const made = new ListEdits(edits).applyTo(row, undefined, edited);
  // Members can only leave a map.
  const members = (): readonly unknown[] => edits.flatMap(({ incoming }) => Object.values(incoming));
  return made ?? without(row, members());
}

/** Returns what edits of the row in a cell read. `space`: the space of the store. `getEntity` reads the other rows. */
export function editedRow(cell: RowCell, space: Space, getEntity: EditedRow['getEntity']): EditedRow {
  return {
    // A record has no arguments, and edits of records read none.
    args: argsOf(cell) as EditedRow['args'],
    pk: cell.pk,
    joined: joinedIn(cell.table.notes, cell.pk),
    getEntity,
    notes: (table) => space.table(table).notes,
  };
}

/** Returns edits of a row, so that it is patched when they change. `undefined` if they cannot be. */
export function trackedEdits(row: RowState, edits: readonly RowEdit[]): TrackedEdits | undefined {
  return ListEdits.of(row, edits) ?? MapEdits.of(row, edits);
}
