import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { bundleRows } from '../tests/reliability/bundle.mjs';
import { runOfflineRow } from '../tests/offline/run-row.mjs';
import { plantAll } from '../tests/reliability/planted/plant.mjs';
import { runRow } from '../tests/reliability/run-process.mjs';
import { runServerRendering } from '../tests/ssr/run-row.mjs';

const USAGE = `Runs the rows of the reliability scoreboard, and prints one table.
  npm run reliability                 quick figures
  npm run reliability -- --full       the figures to reach
  npm run reliability -- --write      also writes docs/reliability.md
  npm run reliability -- R1 R9        some rows; SEED=… to begin with another seed, RUNS=… for a part of so many`;

const words = process.argv.slice(2);
const isFull = words.includes('--full');
const chosen = words.filter((word) => !word.startsWith('--'));
const { SEED = 1, RUNS } = process.env;
const seed = Number(SEED);
const runs = RUNS === undefined ? undefined : Number(RUNS);

const rows = [
  {
    id: 'R1',
    promise: 'random histories, compared with the naive model after every step',
    figure: '100,000 × 40, 0 divergences',
    quick: 10_000,
    full: 100_000,
  },
  { id: 'R2', promise: 'guesses settled in every order', figure: '20,000, 0 wrong values', quick: 2_000, full: 20_000 },
  {
    id: 'R3',
    promise: 'interleavings of fetch, abort, poll, logout, watch, hydrate, each with everything it must show',
    figure: '10,000, 0 violations',
    quick: 1_000,
    full: 10_000,
  },
  {
    id: 'R4',
    promise: 'simulated networks, servers and clocks with 16 kinds of faults, clients checked after every event',
    figure: '5,000 seeds × 400 events, ≥ 400,000 faults, 0 violations',
    quick: 200,
    full: 5_000,
  },
  { id: 'R5', promise: 'planted bugs are found, each within 60 s', figure: '25 of 25', quick: 20_000, full: 60_000 },
  { id: 'R6', promise: 'hostile payloads', figure: '2,000, 0 findings', quick: 2_000, full: 10_000 },
  {
    id: 'R7',
    promise: 'addresses, names of files and Link headers',
    figure: '10,000 + 300 + 200, 0 wrong',
    quick: 10_000,
    full: 100_000,
  },
  {
    id: 'R8',
    promise: 'every parser of text, with the worst texts of a megabyte',
    figure: '≤ 50 ms, ≤ 2.5 times for twice the length',
    quick: 2 ** 20,
    full: 2 ** 20,
  },
  {
    id: 'R9',
    promise: 'a million rows',
    figure: 'write ≤ 1 s, first read ≤ 2 s, ≤ 600 MB',
    quick: 1_000_000,
    full: 1_000_000,
  },
  {
    id: 'R10',
    promise: 'a Chromium that is killed with SIGKILL while a page saves rows and edits: what the next start finds',
    figure: '200 cycles, 0 torn, 0 silent losses, 0 edits lost',
    quick: 15,
    full: 200,
  },
  {
    id: 'R12',
    promise:
      'three tabs of Chromium that edit the same records and are killed at random: effects, their order, the tabs at rest',
    figure: '3 × 300 edits, 30 kills: each effect once, in the order of its record, tabs equal',
    quick: 60,
    full: 300,
  },
  {
    id: 'R16',
    promise: 'server rendering: users apart, texts escaped, hydration without a word',
    figure: '100 × 10 pages, 200 texts, 300 trees: 0, 0, 0',
    quick: 100,
    full: 300,
  },
  {
    id: 'R13',
    promise: '50 endpoints polled every 2 s for a day, views that mount and unmount',
    figure: '24 h, 2.16 M polls, 100,000 mounts: ≤ 1 MB more, nothing left, 8 of 8 objects freed',
    quick: 1,
    full: 24,
    flags: ['--expose-gc'],
  },
  {
    id: 'R14',
    promise: 'generated screens of overlapping views: requests without a cause',
    figure: '300 screens, 0',
    quick: 300,
    full: 3_000,
  },
  {
    id: 'R17',
    promise: 'logins and logouts with work under way: what is left of the old user',
    figure: '1,000, 0 bytes, a heap dump included',
    quick: 200,
    full: 1_000,
    flags: ['--expose-gc'],
  },
  {
    id: 'R20',
    promise: 'exhaustive order: up to three mutations and two reads, in every order of sending, handling and answering',
    figure: '298,000 orders, 100,000 pairs with what the requests are, 10,000 random histories, 0 wrong',
    quick: 1,
    full: 21,
  },
  {
    id: 'outbox',
    promise: 'edits with random failures, kills, restarts and decisions of people, beside a list of what they did',
    figure: '20,000 histories, 0 lost, 0 doubled, 0 out of order',
    quick: 2_000,
    full: 20_000,
  },
  {
    id: 'offline',
    promise:
      'up to three tabs with a disk and an outbox, in which users log in and out: edits, deletions, kills, lost answers',
    figure: '4,000 histories: each effect once, 0 data of another user, tabs equal, disk empty after a logout',
    quick: 400,
    full: 4_000,
  },
  {
    id: 'postgres',
    promise:
      'an outbox in files against a server on PostgreSQL: kills of the client, of the server and its database, lost answers',
    figure: '600 edits, each with one effect, in the order of its record',
    quick: 60,
    full: 600,
  },
  {
    id: 'grammar',
    promise: 'random programs over the public API, judged by laws that need no model',
    figure: '100,000 programs, 0 broken laws',
    quick: 1_000,
    full: 100_000,
  },
  {
    id: 'queries',
    promise: 'live queries after random histories, beside loops over plain arrays: value, order, identity',
    figure: '100,000 histories, 0 differences',
    quick: 300,
    full: 100_000,
  },
  { id: 'R18', promise: 'identity under random writes', figure: '10,000 writes, 100 %', quick: 2_000, full: 10_000 },
];

if (words.includes('--help')) {
  console.log(`${USAGE}\n\nRows: ${rows.map(({ id }) => id).join(', ')}.`);
  process.exit(0);
}

const folder = await mkdtemp(join(tmpdir(), 'rejoin-reliability-'));
const done = [];
try {
  await bundleRows(join(folder, 'rows.mjs'));
  for (const row of rows) {
    if (chosen.length > 0 && !chosen.includes(row.id)) continue;
    const amount = runs ?? (isFull ? row.full : row.quick);
    const outcome = await reach(row, amount);
    done.push({ ...row, ...outcome });
    console.log(
      `${row.id}  ${outcome.isReached ? 'reached' : 'MISSED '}  ${outcome.seconds.toFixed(1)} s  ${outcome.reached}`,
    );
    if (outcome.wrong) console.log(outcome.wrong);
  }
} finally {
  await rm(folder, { recursive: true });
}

/** Returns the result of a row. A row that measures time may run three times, because other programs use the machine too. */
async function reach(row, amount) {
  if (row.id === 'R5') return plantAll(folder, amount, seed);
  if (row.id === 'R16') return runServerRendering(amount, seed);
  if (['R10', 'R12', 'offline', 'postgres'].includes(row.id)) return runOfflineRow(row.id, amount, seed);
  let outcome;
  for (let tries = row.id === 'R8' || row.id === 'R9' ? 3 : 1; tries > 0 && outcome?.isReached !== true; tries--)
    outcome = await runRow(join(folder, 'rows.mjs'), row.id, { runs: amount, seed, flags: row.flags ?? [] });
  return outcome;
}

const table = [
  '| id | what | figure to reach | reached | seconds |',
  '| --- | --- | --- | --- | --: |',
  ...done.map(
    (row) =>
      `| ${row.id} | ${row.promise} | ${row.figure} | ${row.isReached ? '' : '**missed**: '}${row.reached} | ${row.seconds.toFixed(1)} |`,
  ),
].join('\n');
console.log(`\n${table}`);
if (words.includes('--write'))
  await writeFile(fileURLToPath(new URL('../docs/reliability.md', import.meta.url)), page(table));
if (done.length === 0 || done.some((row) => !row.isReached)) process.exitCode = 1;

function page(text) {
  return `# Reliability: what was reached

Made by \`npm run reliability --${isFull ? ' --full' : ''} --write\` on ${new Date().toISOString().slice(0, 10)}, Node ${process.versions.node}, seed ${seed}.
Each row runs in a process of its own; a failure prints the seed and the shortest history that shows it, and
\`SEED=… RUNS=1 npx vitest run tests/oracle\` shows it again.

${text}
`;
}
