import type { RowEdit, RowPlace, RowState } from '../../define/schema/schema.ts';
import { isRow } from '../tables/table.ts';

/** Returns a row with edits applied in order. Edits of one kind that follow each other are applied at once. */
export function repeated(row: RowState, edits: readonly RowEdit[], place: RowPlace): RowState {
  if (!isRow(row)) return row;
  let made = row;
  for (let at = 0; at < edits.length;) {
    const from = at;
    const { repeat } = edits[from] as RowEdit;
    while (edits[at]?.repeat.over === repeat.over) at++;
    made = repeat.over(made, edits.slice(from, at), place);
  }
  return made;
}
