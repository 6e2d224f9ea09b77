/**
 * Counts the functions of a library that run for the first time in the cold row: node bench/first-calls.mjs [--size 100]
 * V8 compiles a function at its first call, so this number decides how long a first response takes.
 */
import { execFileSync } from 'node:child_process';
import { mkdirSync, readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { bundlePeers } from './harness/bundle.mjs';
import { scratch } from './harness/scratch.mjs';
import { textFor } from './harness/texts.mjs';
import { COLD } from './rows/cold.mjs';

const { values } = parseArgs({ options: { size: { type: 'string', default: '100' } } });
const names = ['rejoin', 'data-client'];
const texts = scratch('texts');
mkdirSync(texts, { recursive: true });
const bundles = await bundlePeers(names, scratch('bundles'));

/** Returns the functions of a bundle in the order of their first calls, between the first calls of two functions of the benchmark. */
function firstCalls(log, bundle) {
  const lines = log.split('\n').map((line) => line.split(','));
  const [, script] = lines.find(([event, , file]) => event === 'script-details' && file?.endsWith(bundle)) ?? [];
  const calls = lines.filter(([, event]) => event === 'first-execution');
  const indexOf = (name) => calls.findIndex((call) => call.at(-1) === name);
  return calls.slice(indexOf('measure'), indexOf('expectPosts')).filter(([, , id]) => id === script);
}

for (const name of names) {
  const size = Number(values.size);
  const given = { row: COLD.id, name, size, bundle: bundles[name], text: textFor(COLD, name, size, texts) };
  const log = scratch('functions.log');
  execFileSync(
    process.execPath,
    [
      '--expose-gc',
      '--log-function-events',
      '--no-logfile-per-isolate',
      `--logfile=${log}`,
      join(import.meta.dirname, 'cell.mjs'),
      JSON.stringify(given),
    ],
    { env: { ...process.env, NODE_ENV: 'production' } },
  );
  console.log(`${name}: ${firstCalls(readFileSync(log, 'utf8'), bundles[name].split('/').at(-1)).length} functions`);
}
rmSync(scratch('.'), { recursive: true });
