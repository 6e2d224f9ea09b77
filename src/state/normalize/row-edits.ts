import type { RepeatEdits, Row, RowPlace, RowState } from '../../define/schema/schema.ts';
import { isRow } from '../tables/table.ts';

/** An edit of a row: the merged data, and how to merge it again. */
export interface RowEdit {
  readonly repeat: RepeatEdits;
  readonly incoming: Row;
}

/** Returns a row with edits applied in order. Edits of one kind that follow each other are applied at once. */
export function repeated(row: RowState, edits: readonly RowEdit[], place: RowPlace): RowState {
  if (!isRow(row)) return row;
  let made = row;
  for (let at = 0; at < edits.length;) {
    const { repeat } = edits[at] as RowEdit;
    const incoming: Row[] = [];
    for (; edits[at]?.repeat === repeat; at++) incoming.push((edits[at] as RowEdit).incoming);
    made = repeat.over(made, incoming, place);
  }
  return made;
}
