/** Does the same as `cell.mjs` for a row of which a process gives only one figure: prints the medians of several processes. */
import { execFileSync } from 'node:child_process';
import { join } from 'node:path';
import { median } from './harness/clock.mjs';

const PROCESSES = 9;

const runs = Array.from({ length: PROCESSES }, () => {
  const printed = execFileSync(process.execPath, [
    '--expose-gc',
    join(import.meta.dirname, 'cell.mjs'),
    process.argv[2],
  ]);
  return JSON.parse(printed.toString().trim().split('\n').at(-1));
});
const medianOf = (variant) => median(runs.map((figures) => figures[variant]));
console.log(JSON.stringify(Object.fromEntries(Object.keys(runs[0]).map((variant) => [variant, medianOf(variant)]))));
