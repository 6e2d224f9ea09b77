import type { Cell } from '../graph/cell.ts';
import { parentsOf } from '../graph/edges.ts';
import type { Table } from '../tables/table.ts';

/** The pks of a table that something observed refers to, and that there is no row for, nor was one deleted. */
export function missingIn(table: Table | undefined): string[] {
  const pks: string[] = [];
  const unobserved = new Set<Cell>();
  for (const cell of table?.cells.values() ?? [])
    if (cell.row === undefined && cell.parents !== undefined && isObserved(cell, unobserved)) pks.push(cell.pk);
  return pks;
}

/** Whether an observed value is made of a cell. What was found not to lead to one is not followed again. */
function isObserved(cell: Cell, unobserved: Set<Cell>): boolean {
  const ahead = [cell];
  const seen = new Set(ahead);
  for (const each of ahead) {
    if (each.observers !== undefined) return true;
    for (const parent of parentsOf(each.parents)) {
      if (seen.has(parent) || unobserved.has(parent)) continue;
      seen.add(parent);
      ahead.push(parent);
    }
  }
  for (const each of seen) unobserved.add(each);
  return false;
}
