/**
 * Shows where a cell spends its time: node bench/profile.mjs --row S1 --size 10000 [--only rejoin] [--seconds 4] [--top 30]
 * Prints the functions with the most time of their own, and the path of the profile for a viewer.
 */
import { execFileSync } from 'node:child_process';
import { mkdirSync, readFileSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { bundlePeers } from './harness/bundle.mjs';
import { scratch } from './harness/scratch.mjs';
import { textFor } from './harness/texts.mjs';
import { rowOf } from './rows/index.mjs';

const { values } = parseArgs({
  options: {
    row: { type: 'string', default: 'S1' },
    size: { type: 'string' },
    only: { type: 'string', default: 'rejoin' },
    seconds: { type: 'string', default: '4' },
    top: { type: 'string', default: '30' },
  },
});

/** Returns the source file of a line of an esbuild bundle. esbuild writes a comment with the file before each module. */
function sourceOf(lines, line) {
  for (let at = line; at >= 0; at--) {
    const file = /^\/\/ (\S+\.(?:ts|mjs|js))$/.exec(lines[at]);
    if (file) return file[1].replace(/^(\.\.\/)+/, '');
  }
  return 'bundle';
}

/** Returns the microseconds that each function spent in itself, by name and place. */
function selfTimes(profile, lines) {
  const nodes = new Map(profile.nodes.map((node) => [node.id, node.callFrame]));
  const times = new Map();
  profile.samples.forEach((id, index) => {
    const { functionName, url, lineNumber } = nodes.get(id);
    const place = url.includes('/bundles/')
      ? `${sourceOf(lines, lineNumber)} (bundle:${lineNumber + 1})`
      : url.split('/').at(-1);
    const name = `${functionName || '(anonymous)'}  ${place}`;
    times.set(name, (times.get(name) ?? 0) + profile.timeDeltas[index]);
  });
  return [...times].sort((a, b) => b[1] - a[1]);
}

const row = rowOf(values.row);
const size = Number(values.size ?? row.sizes[0]);
const texts = scratch('texts');
const profiles = scratch('profiles');
mkdirSync(texts, { recursive: true });
const bundle = (await bundlePeers([values.only], scratch('bundles')))[values.only];
const given = {
  row: row.id,
  name: values.only,
  size,
  bundle,
  text: textFor(row, values.only, size, texts),
  seconds: Number(values.seconds),
};
const flags = ['--expose-gc', '--cpu-prof', '--cpu-prof-interval', '200', '--cpu-prof-dir', profiles];
const output = execFileSync(
  process.execPath,
  [...flags, join(import.meta.dirname, 'cell.mjs'), JSON.stringify(given)],
  {
    env: { ...process.env, NODE_ENV: 'production' },
    encoding: 'utf8',
  },
);

const file = join(profiles, readdirSync(profiles).at(-1));
const times = selfTimes(JSON.parse(readFileSync(file, 'utf8')), readFileSync(bundle, 'utf8').split('\n'));
const total = times.reduce((sum, [, time]) => sum + time, 0);
console.log(`${row.id} ${values.only} ${size}: ${output.trim().split('\n').at(-1)}`);
for (const [name, time] of times.slice(0, Number(values.top))) {
  console.log(`${((time / total) * 100).toFixed(1).padStart(5)} %  ${name}`);
}
console.log(file);
