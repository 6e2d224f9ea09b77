import { join } from 'node:path';
import { bundleRows } from '../bundle.mjs';
import { runRow } from '../run-process.mjs';
import { bugs } from './bugs.mjs';

/** Puts one bug after another into what moves the store, and looks whether the simulations find it in time. */
export async function plantNetwork(folder, ms, seed) {
  const start = performance.now();
  const found = [];
  const missed = [];
  for (const bug of bugs) {
    const bundle = await bundleRows(join(folder, 'planted.mjs'), bug);
    const by = await seek(bundle, bug, ms, seed);
    if (by === undefined) missed.push(bug.name);
    else found.push(`${bug.name}: ${by}`);
  }
  return {
    reached: `${found.length} of ${bugs.length}`,
    isReached: missed.length === 0,
    wrong: missed.length === 0 ? undefined : `not found: ${missed.join('; ')}`,
    found,
    seconds: (performance.now() - start) / 1000,
  };
}

async function seek(bundle, { by }, ms, seed) {
  const until = Date.now() + ms;
  for (const row of by === undefined ? ['R4', 'R3'] : [by]) {
    const left = until - Date.now();
    const runs = { R14: 300, R20: 4 }[row] ?? 1_000_000;
    const { isReached, seconds, wrong } = await runRow(bundle, row, { runs, seed, ms: left / 2 });
    if (!isReached && wrong !== undefined) return `${row} in ${seconds.toFixed(1)} s`;
  }
  return undefined;
}
