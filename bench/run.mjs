/** Runs the benchmark. `npm run bench -- --help` prints its options. */
import { execFile } from 'node:child_process';
import { mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { bundlePeers } from './harness/bundle.mjs';
import { growthPicture } from './harness/growth-picture.mjs';
import { USAGE, cellsOf, readOptions } from './harness/options.mjs';
import { readme } from './harness/readme.mjs';
import { circumstances, sectionOf } from './harness/report.mjs';
import { Results } from './harness/results.mjs';
import { scratch } from './harness/scratch.mjs';
import { textFor } from './harness/texts.mjs';
import { panels } from './rows/many.mjs';

const here = import.meta.dirname;
const LONGEST_CELL = 120_000;

async function runCell({ row, name, size }, bundles, texts) {
  const given = { row: row.id, name, size, bundle: bundles[name], text: textFor(row, name, size, texts) };
  const args = ['--expose-gc', join(here, row.host ?? 'cell.mjs'), JSON.stringify(given)];
  const { stdout } = await promisify(execFile)(process.execPath, args, {
    env: { ...process.env, NODE_ENV: 'production' },
    maxBuffer: 2 ** 26,
    timeout: LONGEST_CELL,
  });
  return JSON.parse(stdout.trim().split('\n').at(-1));
}

/** Returns the line with the error from the output of a child that has crashed. */
function reasonOf(error) {
  const lines = `${error.stderr ?? ''}\n${error.message}`.split('\n');
  return (
    lines.find((line) => /^\w*Error\b/.test(line)) ??
    lines.find((line) => line.trim() !== '') ??
    'no reason given'
  ).trim();
}

async function runAll(options, bundles, texts) {
  const results = new Results();
  const started = performance.now();
  for (let round = 0; round < options.rounds; round++) {
    for (const cell of cellsOf(options, round)) {
      const { row, name, size } = cell;
      if (results.failureOf(row.id, size, name) !== undefined) continue;
      const from = performance.now();
      try {
        const figures = await runCell(cell, bundles, texts);
        results.add(row.id, size, name, figures);
        if (options.verbose) console.error(row.id, name, size, figures, seconds(from));
      } catch (error) {
        results.fail(row.id, size, name, reasonOf(error));
        console.error(`${row.id} ${name} ${size} failed: ${reasonOf(error)}`);
      }
    }
    console.error(`round ${round + 1} of ${options.rounds} done after ${seconds(started)}`);
  }
  return results;
}

const seconds = (from) => `${((performance.now() - from) / 1000).toFixed(1)} s`;

const options = readOptions(process.argv.slice(2));
if (options.help) {
  console.log(USAGE);
} else {
  const texts = scratch('texts');
  mkdirSync(texts, { recursive: true });
  const used = options.names.filter((name) => options.rows.some((row) => row.peers.includes(name)));
  const results = await runAll(options, await bundlePeers(used, scratch('bundles')), texts);
  const sections = options.rows.map((row) => sectionOf(row, used, results));
  console.log(sections.join('\n\n'));
  if (options.write || options.picture) writeFileSync(join(here, 'growth.svg'), growthPicture(panels(), results));
  if (options.write) {
    const about = circumstances(used, ['npm run bench --', ...process.argv.slice(2)].join(' '));
    writeFileSync(join(here, 'README.md'), readme(about, options.rounds, sections));
    writeFileSync(
      join(here, 'results.json'),
      `${JSON.stringify({ ...about, rounds: options.rounds, cells: results }, null, 1)}\n`,
    );
  }
  rmSync(scratch('.'), { recursive: true });
  const failures = results.toJSON().filter((cell) => cell.failure !== undefined);
  if (failures.length > 0) process.exitCode = 1;
}
