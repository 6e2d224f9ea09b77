import { memo } from '../../std/memo.ts';
import type { Invalid, RecordChange, Row } from '../../define/schema/row.ts';
import type { NormalizeDelegate } from '../../define/schema/delegate.ts';
import type { RowSchema } from '../../define/schema/schema.ts';
import { isListsOf } from '../../define/schema/list-table.ts';
import type { Space } from '../tables/space.ts';
import { isRow, type RowCell } from '../tables/table.ts';
import { collectionAt, collectionIndex, argumentNamesIn } from './collections.ts';
import { differingFields } from './row-fields.ts';
import type { WriteLog } from './write-log.ts';

/**
 * Informs collections of the changes that a write made to their members and lists. `mutated`: the records that a mutation answered or changes.
 */
export function follow(
  space: Space,
  log: WriteLog,
  delegate: NormalizeDelegate,
  mutated: ReadonlySet<RowCell> | undefined,
): void {
  const { followers } = space;
  if (delegate.source === 'mutation') doubtUnread(space, log, delegate);
  if (followers.isEmpty) return;
  // Collections change only their own lists, so changes that they add to the log are not visited.
  const { length } = log.cells;
  const related = new RelatedChanges(space);
  for (let at = 0; at < length; at++) {
    const cell = log.cells[at] as RowCell;
    const before = log.before(at);
    const { row } = log.confirmed(cell);
    if (row !== before) {
      const isNewToLists = isRow(row)
        ? mutated?.has(cell) === true
        : before === undefined && delegate.source === 'mutation';
      const change = { table: cell.table.name, pk: cell.pk, before: rowOf(before), after: rowOf(row) };
      if (isRow(before) || isNewToLists) notifyCollections(space, change, delegate);
      // Members that are not stored may refer to a record of which nothing was known, if the mutation changed it.
      if (isRow(before) || (isNewToLists && delegate.isMutated(change.table, change.pk)))
        related.note(change, delegate);
    }
    // A list that arrived unchanged still confirms or refutes rules.
    const sent = log.arrived?.get(cell);
    if (sent !== undefined) arrive(space, cell, sent, log, delegate);
  }
  related.notify(delegate);
  if (mutated !== undefined) for (const cell of mutated) confirm(space, cell, log, delegate);
  if (log.withheld !== undefined)
    for (const [cell, fields] of log.withheld) contradict(space, cell, fields, log, delegate);
  if (delegate.source !== 'guess') for (const schema of followers.all()) schema.settle?.(delegate);
}

/** Informs collections of a record that the server may have deleted, or may have with other fields than the store. */
function contradict(
  space: Space,
  cell: RowCell,
  fields: object | undefined,
  log: WriteLog,
  delegate: NormalizeDelegate,
): void {
  const { pk, table } = cell;
  const row = Object(log.confirmed(cell).row) as Row;
  const change = { table: table.name, pk, before: row, after: fields && { ...row, ...fields } };
  for (const schema of space.followers.of(table.name)) schema.contradict?.(change, delegate);
}

/**
 * Informs collections of a record that a mutation answered without a change. Lists that arrived meanwhile may be from before or after the
 * mutation.
 */
function confirm(space: Space, cell: RowCell, log: WriteLog, delegate: NormalizeDelegate): void {
  const { pk, table } = cell;
  const { row } = log.confirmed(cell);
  if (!isRow(row) || !delegate.isMutated(table.name, pk) || delegate.rowBefore(table.name, pk) !== row) return;
  const change = { table: table.name, pk, before: row, after: row };
  for (const schema of space.followers.of(table.name)) schema.follow?.(change, delegate);
  for (const schema of space.followers.readersOf(table.name)) schema.followRelated?.([change], delegate);
}

/** Doubts lists that were restored and that no schema has read yet. No rules are known by which they could follow. */
function doubtUnread(space: Space, log: WriteLog, delegate: NormalizeDelegate): void {
  const unread = Array.from(space.tables.values()).filter(({ hasReader }) => !hasReader);
  if (unread.length === 0) return;
  const changed = new Set(log.cells.map(({ table }) => table.name));
  for (const table of unread) {
    if (!Array.from(changed).some((member) => isListsOf(table.name, member))) continue;
    for (const pk of table.cells.keys()) delegate.doubt(table.name, pk);
  }
}

/** The changed records to which members may refer, by the collections whose rules read them. */
class RelatedChanges {
  readonly #space: Space;
  #changed: Map<RowSchema, RecordChange[]> | undefined = undefined;

  constructor(space: Space) {
    this.#space = space;
  }

  /** Ignores changes of a guess: the answer will report them. Collections without rules follow only mutations. */
  note(change: RecordChange, { source }: NormalizeDelegate): void {
    if (!this.#space.isBase) return;
    for (const reader of this.#space.followers.readersOf(change.table)) {
      if (source !== 'mutation' && reader.isRuled !== true) continue;
      this.#changed ??= new Map();
      memo(this.#changed, reader, () => []).push(change);
    }
  }

  notify(delegate: NormalizeDelegate): void {
    if (this.#changed !== undefined)
      for (const [reader, changed] of this.#changed) reader.followRelated?.(changed, delegate);
  }
}

/** Informs a collection of a list that arrived or changed. */
function arrive(space: Space, cell: RowCell, sent: Row, log: WriteLog, delegate: NormalizeDelegate): void {
  const schema = space.followers.get(cell.table.name);
  const list = schema && collectionAt(cell, log);
  if (list === undefined) return;
  if (space.isBase) collectionIndex(cell.table);
  schema?.arrived?.(list, sent, delegate);
}

function notifyCollections(space: Space, change: RecordChange, delegate: NormalizeDelegate): void {
  const isOfMutation = delegate.source === 'mutation' || delegate.isMutated(change.table, change.pk);
  for (const schema of space.followers.of(change.table)) {
    if (isOfMutation || isFollowed(space, schema, change)) schema.follow?.(change, delegate);
  }
}

/**
 * Returns whether lists depend on the changed fields. Not called for mutations: they change few records, and lists always follow these changes.
 */
function isFollowed(space: Space, schema: RowSchema, { after, before }: RecordChange): boolean {
  if (before === undefined || after === undefined) return schema.total !== undefined;
  const names = space.namesBelow(schema.key) ?? argumentNamesIn(space.table(schema.key));
  return schema.dependsOn?.(differingFields(before, after), names) === true;
}

function rowOf(row: Row | Invalid | undefined): Row | undefined {
  return isRow(row) ? row : undefined;
}
