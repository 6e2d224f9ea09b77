import { WriteLog } from '../normalize/write-log.ts';
import type { Table } from '../tables/table.ts';
import type { Batch } from './batch.ts';
import type { Ground } from './ground.ts';
import { replace } from './rename.ts';

/** Forgets every row, result, layer and request under way. */
export function reset(ground: Ground): void {
  ground.assertIdle();
  const { fieldOrder, layers, reading, requests, results } = ground;
  ground.batch((batch) => {
    batch.isReset = true;
    batch.onUndo(() => (batch.isReset = false));
    batch.onUndo(requests.revoke());
    batch.onUndo(layers.clear(ground.show));
    for (const [key] of results.entries()) ground.putResult(key, undefined);
    const log = new WriteLog();
    for (const table of reading.space.tables.values())
      for (const cell of table.cells.values()) if (cell.row !== undefined) log.put(cell, undefined, undefined);
    ground.land(log, batch);
    for (const table of reading.space.tables.values()) resetTable(table, batch);
    batch.onUndo(fieldOrder.memo());
    fieldOrder.clear();
  });
}

/** Forgets which rows a table had, and which pks stood for others. */
function resetTable(table: Table, batch: Batch): void {
  const renamed = [...table.aliases];
  for (const [, pk] of renamed) replace(table.place(pk), batch.told);
  const undo = table.reset(batch.told);
  batch.onUndo(() => {
    undo();
    for (const [pk] of renamed) replace(table.cells.get(pk), batch.told);
  });
}
