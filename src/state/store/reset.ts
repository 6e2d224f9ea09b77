import { WriteLog } from '../normalize/write-log.ts';
import type { Table } from '../tables/table.ts';
import type { Batch } from './batch.ts';
import { rebuildEmptied } from './collector.ts';
import type { StoreWriter } from './store-writer.ts';
import { renameInIndexes, markReplaced } from './rename.ts';

/** Removes every row, result and layer, and revokes the requests in flight. */
export function reset(writer: StoreWriter): void {
  writer.assertWritable();
  writer.removeDeletedFromCollections();
  const { core } = writer;
  const { covered, layers, reading, states, tickets } = core;
  core.runBatch((batch) => {
    const before = batch.afterwards;
    batch.afterwards = () => rebuildEmptied(writer);
    batch.onUndo(() => (batch.afterwards = before));
    batch.onUndo(tickets.revoke());
    layers?.clear();
    for (const key of [...states.entries()].map(([name]) => name)) writer.setRequest(key, undefined);
    batch.onUndo(() => renameInIndexes(reading.space, batch.toNotify));
    const log = new WriteLog(covered);
    for (const table of reading.space.tables.values())
      for (const cell of table.cells.values()) if (cell.row !== undefined) log.put(cell, undefined, undefined);
    writer.apply(log, batch);
    for (const table of reading.space.tables.values()) resetTable(table, batch);
    renameInIndexes(reading.space, batch.toNotify);
  });
}

/** Resets a table and its temporary pks. */
function resetTable(table: Table, batch: Batch): void {
  const renamed = [...table.aliases];
  for (const [, pk] of renamed) markReplaced(table.cellOf(pk), batch.toNotify);
  const undo = table.reset(batch.toNotify);
  batch.onUndo(() => {
    undo();
    for (const [pk] of renamed) markReplaced(table.cells.get(pk), batch.toNotify);
  });
}
