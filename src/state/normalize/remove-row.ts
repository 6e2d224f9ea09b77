import { INVALID, type Row } from '../../define/schema/row.ts';
import type { RowSchema } from '../../define/schema/schema.ts';
import type { Stamp } from '../../define/schema/stamp.ts';
import { withoutEntries } from '../../std/map-entries.ts';
import { indexOfMember, spliced, withoutOnly } from '../../std/splice.ts';
import type { Cell } from '../graph/cell.ts';
import { parentsOf } from '../graph/edges.ts';
import { RowCell, isRow, type Table } from '../tables/table.ts';
import type { Space } from '../tables/space.ts';
import { asIssued, type WriteInProgress } from './write-in-progress.ts';
import { deletionOf, fieldIssues, issueOf, stampInOrder } from './field-order.ts';
import type { WriteLog } from './write-log.ts';

/**
 * Deletes a row: it reads as invalid, and leaves the stored collections that hold it. Does nothing if the row was written by a later
 * request. A deletion in a guess only hides the record: the collections below keep it, so that a later guess that restores the record shows
 * it in its old place.
 */
export function removeRow(cell: RowCell, space: Space, given: WriteInProgress): void {
  const isOlder = given.answer?.isDeletionOlder(cell.table.name, cell.pk) === true;
  const write = isOlder ? asIssued(given) : given;
  const { log, stamp } = write;
  const known = log.confirmed(cell).stamp;
  if (known !== undefined && known.issue > stamp.issue) {
    if (isOlder) log.withhold(cell, undefined);
    dropOlderFields(cell, known, write);
    return;
  }
  log.put(cell, INVALID, stamp);
  if (write.isGuess) return;
  for (const holder of holders(cell, space, log)) space.leaving.add(holder, cell);
}

/** Removes deleted records from the collections that still hold them. */
export function removeDeletedFromCollections(space: Space, log: WriteLog): void {
  if (space.leaving.last === undefined) return;
  for (const [holder, members] of space.leaving.take()) {
    const { row, stamp } = log.confirmed(holder);
    if (!isRow(row)) continue;
    const rest = withoutAll(row, holder, members, space);
    if (rest !== row) log.put(holder, rest, stamp);
  }
}

function withoutAll(row: Row, holder: RowCell, members: ReadonlySet<RowCell>, space: Space): Row {
  const [only] = members;
  const rest = only !== undefined && members.size === 1 ? withoutOne(row, only) : undefined;
  return rest ?? without(row, goneIn(holder, members, space));
}

/** Returns a collection that arrives late, without records that were deleted after it was requested. */
export function withoutDeleted(row: Row, collection: RowSchema, space: Space, write: WriteInProgress): Row {
  if (!write.isOvertaken) return row;
  const { issue } = write.answer ?? write.stamp;
  return without(row, (stored) => {
    const cell = memberOf(collection, stored, space);
    if (cell === undefined) return false;
    const { row: known, stamp } = write.log.confirmed(cell);
    // The stamp of a deleted row is that of its deletion.
    const deletion = known === INVALID ? (stamp as Stamp).issue : deletionOf(stamp);
    return deletion > issue;
  });
}

/** Applies a deletion that arrives late: removes fields that were requested before it, and keeps those requested later. */
function dropOlderFields(cell: RowCell, known: Stamp, { log, stamp, isOvertaking }: WriteInProgress): void {
  const { row } = log.confirmed(cell);
  const issues = fieldIssues(known);
  const isLater = (field: string): boolean => issueOf(known, field) > stamp.issue;
  const deletion = isOvertaking ? Math.max(deletionOf(known), stamp.issue) : deletionOf(known);
  const fields = issues && new Map([...issues].filter(([field]) => isLater(field)));
  const rest = isRow(row) ? withoutEntries(row, (_stored, field) => !isLater(field)) : row;
  log.put(cell, rest, stampInOrder(known, fields, deletion));
}

/** Returns the collections that contain a row. Collections that have changed since they were linked are linked first. */
function holders(cell: RowCell, space: Space, log: WriteLog): ReadonlySet<RowCell> {
  // Three kinds of row are not linked: rows below a guess, rows that this write has stored, and rows without a known schema.
  const unlinked = [...log.coveredCells];
  for (const collection of space.unlinked) {
    if (collection.order > 0) unlinked.push(collection);
    // A deleted collection contains nothing, and may be restored unchanged.
    else if (isRow(collection.row)) collection.prepare();
  }
  const found = new Set<RowCell>();
  for (const { cells, hasReader, name } of space.tables.values())
    if (!hasReader && (name === `[${cell.table.name}]` || name === `{${cell.table.name}}`))
      for (const list of cells.values()) found.add(list);
  for (const each of unlinked) if (mayHold(each.table.collection, cell)) found.add(each);
  // A set, because records that refer to each other in a cycle are met again.
  const ahead = new Set<Cell>([cell]);
  for (const at of ahead) {
    for (const parent of parentsOf(at.parents)) {
      // Lists, maps and variants hold the row for their own parents.
      const isVariant = parent instanceof RowCell && parent.home === cell;
      if (isVariant || parent.isInside) ahead.add(parent);
      else if (parent instanceof RowCell && parent.table.collection !== undefined) found.add(parent.home);
    }
  }
  return found;
}

/**
 * Returns whether a pk in a collection can be of a record in the table of the cell. For polymorphic members, the pk alone does not tell.
 */
function mayHold(collection: RowSchema | undefined, { table, pk }: RowCell): boolean {
  const ref = collection?.refOf?.(pk);
  return collection !== undefined && (ref === undefined || ref.table === table.name);
}

/** Returns a list without the record if it is in there exactly once, as in nearly all cases. */
function withoutOne(row: Row, cell: RowCell): Row | undefined {
  if (!Array.isArray(row)) return undefined;
  const index = indexOfMember(row, cell);
  // An index of -1 does not mean that the list lacks the record: it can show the record by a variant cell.
  if (index !== undefined && index >= 0) return spliced(row, index, 1, []);
  return cell.table.aliases.size === 0 ? withoutOnly(row, cell.pk) : undefined;
}

/** Returns the row of a collection without the refs to a deleted row. Returns the row itself if it has none. */
function without(row: Row, isGone: (stored: unknown) => boolean): Row {
  if (Array.isArray(row)) return row.some(isGone) ? row.filter((stored) => !isGone(stored)) : row;
  return withoutEntries(row, isGone);
}

/** Returns the record of a member of a collection, if it was ever stored. */
function memberOf(collection: RowSchema | undefined, stored: unknown, space: Space): RowCell | undefined {
  const ref = collection?.refOf?.(stored);
  return ref && space.table(ref.table).find(ref.pk);
}

/** Returns a function that tests whether a member of a collection is one of these records. */
function goneIn(holder: RowCell, members: ReadonlySet<RowCell>, space: Space): (stored: unknown) => boolean {
  // Comparing the pk is enough for most members. Rows without a known schema contain only pks.
  const pks = new Set<unknown>();
  const aliases = new Set<Table['aliases']>();
  for (const { pk, table } of members) {
    pks.add(pk);
    if (table.aliases.size > 0) aliases.add(table.aliases);
  }
  return (stored) => {
    if (typeof stored === 'string') return pks.has(stored) || [...aliases].some((of) => pks.has(of.get(stored)));
    const member = memberOf(holder.table.collection, stored, space);
    return member !== undefined && members.has(member);
  };
}
