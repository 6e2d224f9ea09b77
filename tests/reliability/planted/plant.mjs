import { join } from 'node:path';
import { bundleRows } from '../bundle.mjs';
import { runRow } from '../run-process.mjs';
import { bugs } from './bugs.mjs';

/** Whoever looks for a planted bug, in this order; `runs` is more than the time allows. */
const SEEKERS = ['R1', 'R2', 'R18', 'R6', 'grammar'];
const RUNS = { R1: 1_000_000, R2: 1_000_000, R18: 3_000, R6: 4_000, grammar: 1_000_000 };

/** Puts one bug after another into the sources, and looks whether the rows of the scoreboard find it in time. */
export async function plantAll(folder, ms, seed) {
  const start = performance.now();
  const missed = [];
  const found = [];
  for (const bug of bugs) {
    const by = await seek(folder, bug, ms, seed);
    if (by === undefined) missed.push(bug.name);
    else found.push(`${bug.name}: ${by.row} in ${by.seconds.toFixed(1)} s`);
  }
  return {
    reached: `${found.length} of ${bugs.length}`,
    isReached: missed.length === 0 && bugs.length >= 25,
    wrong: missed.length === 0 ? undefined : `not found: ${missed.join('; ')}`,
    found,
    seconds: (performance.now() - start) / 1000,
  };
}

async function seek(folder, bug, ms, seed) {
  const bundle = await bundleRows(join(folder, 'planted.mjs'), bug);
  const rows = bug.by === undefined ? SEEKERS : [bug.by, ...SEEKERS.filter((row) => row !== bug.by)];
  const until = Date.now() + ms;
  let spent = 0;
  for (const row of rows) {
    const left = until - Date.now();
    if (left <= 0) return undefined;
    const outcome = await runRow(bundle, row, { runs: RUNS[row], seed, ms: left / 2 });
    spent += outcome.seconds;
    if (!outcome.isReached) return { row, seconds: spent };
  }
  return undefined;
}
