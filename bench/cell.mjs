/**
 * Measures one cell: a library, a row and a size, in a process of its own. Prints the figures as JSON on the last line.
 * Usage: node --expose-gc cell.mjs '{ "row": "S1", "name": "rejoin", "size": 1000, "bundle": "…", "text": "…" }'
 */
import { loadCell } from './harness/load-cell.mjs';

const given = JSON.parse(process.argv[2]);
const { row, cell } = await loadCell(given);
let figures = await row.measure(cell);
// Repeats the measurement for a profile, which needs more time than one measurement.
while (performance.now() < (given.seconds ?? 0) * 1000) figures = await row.measure(cell);

for (const [variant, figure] of Object.entries(figures)) {
  if (!Number.isFinite(figure)) throw new Error(`no figure for ${row.id} ${variant}`);
}
console.log(JSON.stringify(figures));
// Ends timers and channels that a library keeps open.
process.exit(0);
