import { parentsOf } from '../graph/edges.ts';
import { mark, type ToNotify } from '../graph/mark.ts';
import { mergeFields } from '../normalize/combine.ts';
import { issueOf } from '../normalize/field-order.ts';
import { WriteLog } from '../normalize/write-log.ts';
import { withVariants } from '../tables/row-variants.ts';
import { isRow, type RowCell } from '../tables/table.ts';
import type { Space } from '../tables/space.ts';
import type { Batch } from './batch.ts';
import type { Created } from './layer-rows.ts';
import type { Match } from './nested-records.ts';
import type { StoreWriter } from './store-writer.ts';

/** Returns each created record of a guess with that of the answer, which has the records of a table in the same order. */
export function matchesOf(space: Space, guessed: readonly Created[], created: readonly RowCell[]): Match[] {
  const unmatched = [...created];
  const matches: Match[] = [];
  for (const { table, pk, isTemporary } of guessed) {
    const at = unmatched.findIndex((cell) => cell.table.name === table);
    if (at < 0) continue;
    const [server] = unmatched.splice(at, 1) as [RowCell];
    if (isTemporary) matches.push([space.table(table).cellOf(pk), server]);
  }
  return matches;
}

/**
 * Makes the temporary pks of created records aliases of the pks that the server assigned, wherever they are referred to. Returns the cells
 * that are not used any more. `absent`: the created records of which nothing was shown before, as of deleted ones.
 */
export function rename(
  writer: StoreWriter,
  batch: Batch,
  matches: Iterable<Match>,
  absent: ReadonlySet<RowCell>,
): RowCell[] {
  const { core } = writer;
  const { space } = core.reading;
  const unused: RowCell[] = [];
  for (const [cell, server] of matches) {
    core.takePlace(server, cell, !absent.has(server));
    moveRow(writer, batch, cell, server);
    batch.onUndo(() => renameInIndexes(space, batch.toNotify));
    batch.onUndo(cell.table.rename(cell.pk, server.pk));
    batch.onUndo(() => markReplaced(server, batch.toNotify));
    markReplaced(cell, batch.toNotify);
    // The value knows its temporary pks, so it is built again, even if the answer has changed nothing in it.
    for (const one of withVariants(server)) one.noteReplaced();
    mark(server, batch.toNotify);
    unused.push(cell);
  }
  if (unused.length > 0) renameInIndexes(space, batch.toNotify);
  return unused;
}

/**
 * Moves a row that was written under a temporary pk before the create was answered, as by a record that is nested in another one. For each
 * field, the later request wins.
 */
function moveRow(writer: StoreWriter, batch: Batch, from: RowCell, to: RowCell): void {
  const log = new WriteLog(writer.core.covered);
  const { row, stamp } = log.confirmed(from);
  // If the answer has no pk, the record keeps its temporary pk.
  if (from === to || !isRow(row) || stamp === undefined) return;
  log.put(from, undefined, undefined);
  const { fetchedAt, date, expiresAt } = stamp;
  for (const [field, value] of Object.entries(row)) {
    const known = log.confirmed(to).row;
    if (!isRow(known) || value === from.pk) continue;
    const written = { issue: issueOf(stamp, field), fetchedAt, date, expiresAt };
    mergeFields(to, known, { [field]: value }, { log, stamp: written, isOvertaking: true }, undefined);
  }
  writer.apply(log, batch);
}

/** A temporary pk, and the pk that replaced it. */
export interface Alias {
  readonly table: string;
  readonly temporary: string;
  readonly pk: string;
}

/** Makes temporary pks of another store aliases of the pks that replaced them there. */
export function restoreAliases(writer: StoreWriter, batch: Batch, aliases: Iterable<Alias>): void {
  const { core } = writer;
  const { layers, reading } = core;
  const { space } = reading;
  for (const { table: name, temporary, pk } of aliases) {
    const table = space.table(name);
    if (table.aliases.has(temporary)) continue;
    const cell = table.find(temporary);
    if (cell !== undefined) {
      core.takePlace(table.cellOf(pk), cell, true);
      moveRow(writer, batch, cell, table.cellOf(pk));
    }
    batch.onUndo(() => renameInIndexes(space, batch.toNotify));
    batch.onUndo(table.rename(temporary, pk));
    batch.onUndo(() => markReplaced(table.cells.get(pk), batch.toNotify));
    markReplaced(cell, batch.toNotify);
    layers?.outdateAll();
  }
  renameInIndexes(space, batch.toNotify);
}

/** Moves rows with temporary pks to the pks of the server in the indexes of all tables, and back if that is undone. */
export function renameInIndexes({ renamed, tables }: Space, toNotify: ToNotify): void {
  for (const table of tables.values()) table.renameInIndexes(toNotify);
  renamed.emit(toNotify);
}

/** Marks a cell and makes its parents find another cell in its place. */
export function markReplaced(cell: RowCell | undefined, toNotify: ToNotify): void {
  if (cell === undefined) return;
  mark(cell, toNotify);
  for (const one of withVariants(cell))
    for (const parent of Array.from(parentsOf(one.parents))) parent.noteReplaced(one);
}
