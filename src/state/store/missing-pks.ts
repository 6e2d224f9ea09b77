import type { Cell } from '../graph/cell.ts';
import { parentsOf } from '../graph/edges.ts';
import type { Table } from '../tables/table.ts';

/** Returns the pks of a table to which an observed value refers and that have no row. Deleted records are not included. */
export function missingPks(table: Table | undefined): string[] {
  const pks: string[] = [];
  const unobserved = new Set<Cell>();
  for (const cell of table?.cells.values() ?? [])
    if (cell.row === undefined && cell.parents !== undefined && isObserved(cell, unobserved)) pks.push(cell.pk);
  return pks;
}

/** Returns whether an observed value is built from a cell. Cells in `unobserved` were checked before and are skipped. */
function isObserved(cell: Cell, unobserved: Set<Cell>): boolean {
  const ahead = [cell];
  const seen = new Set(ahead);
  for (const each of ahead) {
    if (each.isObserved) return true;
    for (const parent of parentsOf(each.parents)) {
      if (seen.has(parent) || unobserved.has(parent)) continue;
      seen.add(parent);
      ahead.push(parent);
    }
  }
  for (const each of seen) unobserved.add(each);
  return false;
}
