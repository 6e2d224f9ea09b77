import type { Cell } from '../graph/cell.ts';
import { RowCell } from '../tables/table.ts';
import { elapsed } from '../../std/elapsed.ts';

/**
 * Until when the rows are fresh that a value is made of: the records that it shows, and the collections that list them,
 * but not what is inside the records. A row that is only guessed does not expire; one that is dated later than `now` was
 * stored before the clock was set back, and is stale.
 */
export function freshUntil(root: Cell, now: number): number {
  let least = Number.POSITIVE_INFINITY;
  const ahead: Cell[] = [root];
  for (let cell = ahead.pop(); cell !== undefined; cell = ahead.pop()) {
    if (cell instanceof RowCell) {
      const { date = 0, expiresAt = least } = cell.home.stamp ?? {};
      least = Math.min(least, elapsed(date, now) === undefined ? 0 : expiresAt);
      if (cell.table.collection === undefined) continue;
    }
    // What is not clean was only looked at, and may still lead to what it was made of before.
    for (const part of cell.parts) if (part?.clean === true) ahead.push(part);
  }
  return least;
}
