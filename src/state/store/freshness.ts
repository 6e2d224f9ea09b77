import type { Cell } from '../graph/cell.ts';
import { RowCell } from '../tables/table.ts';
import { elapsed } from '../../std/elapsed.ts';

/**
 * Returns until when the rows of a value are fresh: the records that it shows, and the collections that list them, but not records nested
 * in these records. A guessed row does not expire. A row dated later than `now` was stored before the clock was set back, and counts as
 * stale.
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
    // A part that is not clean was only looked up, and may still be linked to parts of a former value.
    for (const part of cell.parts) if (part?.clean === true) ahead.push(part);
  }
  return least;
}
