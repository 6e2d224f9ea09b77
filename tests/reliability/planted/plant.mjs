import { join } from 'node:path';
import { bundleRows } from '../bundle.mjs';
import { runRow } from '../run-process.mjs';
import { controllerBugs } from './controller-bugs.mjs';
import { queryBugs } from './query-bugs.mjs';
import { storeBugs } from './store-bugs.mjs';

/** The bugs, and the rows of the scoreboard that search for each bug, in this order. */
const GROUPS = [
  { where: 'in the store', bugs: storeBugs, rows: ['R1', 'R2', 'R18', 'R6', 'grammar'], least: 25 },
  { where: 'in live queries', bugs: queryBugs, rows: ['queries'], least: 20 },
  { where: 'in the controller', bugs: controllerBugs, rows: ['R4', 'R3'], least: 15 },
];

/** The limit of the work of each row. Default: more than the time allows. */
const RUNS = { R6: 4_000, R14: 300, R18: 3_000, R20: 4 };

/** Puts one bug after another into the sources, and checks that the scoreboard finds each bug within `ms` milliseconds. */
export async function plantAll(folder, ms, seed) {
  const start = performance.now();
  const counts = [];
  const missed = [];
  let isEnough = true;
  for (const { where, bugs, rows, least } of GROUPS) {
    let found = 0;
    for (const bug of bugs) {
      const bundle = await bundleRows(join(folder, 'planted.mjs'), bug);
      if (await isFound(bundle, rowsFor(bug, rows), ms, seed)) found++;
      else missed.push(bug.name);
    }
    counts.push(`${found} of ${bugs.length} ${where}`);
    isEnough &&= bugs.length >= least;
  }
  return {
    reached: counts.join(', '),
    isReached: missed.length === 0 && isEnough,
    wrong: missed.length === 0 ? undefined : `not found: ${missed.join('; ')}`,
    seconds: (performance.now() - start) / 1000,
  };
}

function rowsFor({ by }, rows) {
  return by === undefined ? rows : [by, ...rows.filter((row) => row !== by)];
}

async function isFound(bundle, rows, ms, seed) {
  const until = Date.now() + ms;
  for (const row of rows) {
    const left = until - Date.now();
    if (left <= 0) return false;
    const { isReached, wrong } = await runRow(bundle, row, { runs: RUNS[row] ?? 1_000_000, seed, ms: left / 2 });
    // A row that has only run out of time has found no bug.
    if (!isReached && wrong !== undefined) return true;
  }
  return false;
}
