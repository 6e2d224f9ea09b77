import { without } from '../../define/schema/collection-members.ts';
import { ListEdits } from '../../define/schema/list-edits.ts';
import { MapEdits } from '../../define/schema/map-edits.ts';
import type { Row, RowEdit, RowState } from '../../define/schema/schema.ts';
import type { EditedRow, TrackedEdits } from '../../define/schema/tracked-edits.ts';
import { isRow } from '../tables/table.ts';

/** Returns a row with edits applied in order. Edits of one kind that follow each other are applied at once. */
export function repeated(row: RowState, edits: readonly RowEdit[], edited: EditedRow): RowState {
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

/** Returns edits of a row, so that it is patched when they change. `undefined` if they cannot be. */
export function trackedEdits(row: RowState, edits: readonly RowEdit[]): TrackedEdits | undefined {
  return ListEdits.of(row, edits) ?? MapEdits.of(row, edits);
}
