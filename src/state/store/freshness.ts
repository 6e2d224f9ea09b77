import { VariantCell } from '../denormalize/variant-cell.ts';
import type { Cell } from '../graph/cell.ts';
import { RowCell } from '../tables/table.ts';

/**
 * Until when the rows are fresh that a value is made of: the records that it shows, and the collections that list them,
 * but not what is inside the records. A row that is only guessed does not expire; one that is dated later than `now` was
 * stored before the clock was set back, and is stale.
 */
export function freshUntil(root: Cell, now: number): number {
  let least = Number.POSITIVE_INFINITY;
  const ahead: Cell[] = [root];
  for (let cell = ahead.pop(); cell !== undefined; cell = ahead.pop()) {
    const row = cell instanceof VariantCell ? cell.home : cell;
    if (row instanceof RowCell) {
      const { date = 0, expiresAt = least } = row.stamp ?? {};
      least = Math.min(least, date > now ? 0 : expiresAt);
      if (row.table.collection === undefined) continue;
    }
    for (const part of cell.allParts) if (part !== undefined) ahead.push(part);
  }
  return least;
}
