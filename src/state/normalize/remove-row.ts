import { INVALID, type Row, type RowSchema, type Stamp } from '../../define/schema/schema.ts';
import { withoutOnly } from '../../std/splice.ts';
import type { Cell } from '../graph/cell.ts';
import { parentsOf } from '../graph/edges.ts';
import { RowCell } from '../tables/table.ts';
import type { Space } from '../tables/space.ts';
import { isRow } from '../tables/table.ts';
import type { Incoming } from './combine.ts';
import type { WriteLog } from './write-log.ts';

/**
 * Deletes a row: it reads as invalid, and leaves the stored collections that hold it. A deletion that was asked for
 * before the row was written last does nothing.
 */
export function removeRow(cell: RowCell, space: Space, write: Incoming): void {
  const { log, stamp, fieldOrder } = write;
  fieldOrder.latestDeletion = Math.max(fieldOrder.latestDeletion, stamp.issue);
  const known = log.place(cell).stamp;
  if (known !== undefined && known.issue > stamp.issue) {
    dropOlderFields(cell, write);
    return;
  }
  log.put(cell, INVALID, stamp);
  const issues = fieldOrder.get(cell);
  if (issues !== undefined) {
    fieldOrder.set(cell, undefined);
    log.onUndo(() => fieldOrder.set(cell, issues));
  }
  for (const holder of holders(cell, space, log)) {
    const row = log.place(holder).row;
    if (!isRow(row)) continue;
    const rest = withoutPk(row, cell) ?? without(row, (stored) => refersTo(stored, cell, holder, space));
    if (rest === row) continue;
    log.put(holder, rest, log.place(holder).stamp);
    if (holder.table.collection !== undefined) space.unlinked.add(holder);
  }
}

/** What a collection that arrives late may hold: nothing that was deleted after it was asked for. */
export function withoutDeleted(row: Row, collection: RowSchema, space: Space, write: Incoming): Row {
  if (!write.isOvertaken) return row;
  return without(row, (stored) => {
    const cell = memberOf(collection, stored, space);
    if (cell === undefined) return false;
    const { row: known, stamp } = write.log.place(cell);
    // A row that was deleted has the stamp of its deletion.
    const deletion = known === INVALID ? (stamp as Stamp).issue : write.fieldOrder.deletion(cell);
    return deletion > write.stamp.issue;
  });
}

/** A deletion that was overtaken hides what was asked for before it; what was asked for later stays. */
function dropOlderFields(cell: RowCell, { log, stamp, fieldOrder, isOvertaking }: Incoming): void {
  const issues = fieldOrder.get(cell);
  const deletion = fieldOrder.deletion(cell);
  log.onUndo(() => {
    fieldOrder.set(cell, issues);
    fieldOrder.setDeletion(cell, deletion);
  });
  if (isOvertaking) fieldOrder.setDeletion(cell, Math.max(deletion, stamp.issue));
  const { row, stamp: known } = log.place(cell);
  if (issues === undefined || !isRow(row)) return;
  const isOld = (field: string): boolean => (issues.get(field) ?? (known as Stamp).issue) <= stamp.issue;
  if (!Object.keys(row).some(isOld)) return;
  fieldOrder.set(cell, new Map([...issues].filter(([field]) => !isOld(field))));
  log.put(cell, Object.fromEntries(Object.entries(row).filter(([field]) => !isOld(field))), known);
}

/** The collections whose parts lead to a row. Those that changed since they were linked are linked first. */
function holders(cell: RowCell, space: Space, log: WriteLog): ReadonlySet<RowCell> {
  if (space.unlinked.size > 0) log.hasLinked = true;
  // One that is gone holds nothing, and may come back as it was.
  for (const collection of space.unlinked) if (isRow(collection.row)) collection.prepare();
  // Neither rows under a guess nor rows that no schema has claimed yet are linked to what they hold.
  const found = new Set<RowCell>(space.unclaimedLists(cell.table.name));
  for (const covered of log.coveredCells) if (covered.table.collection !== undefined) found.add(covered);
  const ahead: Cell[] = [cell];
  for (let at = ahead.pop(); at !== undefined; at = ahead.pop()) {
    for (const parent of parentsOf(at.parents)) {
      if (parent instanceof RowCell) {
        if (parent.table.collection !== undefined) found.add(parent);
      } else if (parent.passesOn(cell)) ahead.push(parent);
    }
  }
  return found;
}

/** A list of plain pks that holds the record once, as nearly all do, without it. */
function withoutPk(row: Row, { pk, table }: RowCell): Row | undefined {
  return Array.isArray(row) && table.aliases.size === 0 ? withoutOnly(row, pk) : undefined;
}

/** The row of a collection without the refs to a deleted row; the row itself when there are none. */
function without(row: Row, isGone: (stored: unknown) => boolean): Row {
  if (Array.isArray(row)) return row.some(isGone) ? row.filter((stored) => !isGone(stored)) : row;
  const entries = Object.entries(row);
  const rest = entries.filter(([, stored]) => !isGone(stored));
  return rest.length === entries.length ? row : Object.fromEntries(rest);
}

/** The record that a member of a collection stands for, if there ever was one. */
function memberOf(collection: RowSchema | undefined, stored: unknown, space: Space): RowCell | undefined {
  const ref = collection?.refOf?.(stored);
  return ref && space.table(ref.table).find(ref.pk);
}

function refersTo(stored: unknown, cell: RowCell, holder: RowCell, space: Space): boolean {
  // Most members are other records, which the pk alone tells; and rows that no schema has claimed hold nothing but pks.
  if (typeof stored === 'string') return stored === cell.pk || cell.table.aliases.get(stored) === cell.pk;
  return memberOf(holder.table.collection, stored, space) === cell;
}
