// `npm test`: installs missing packages and runs all tests, those of React in the builds that each commit must pass.
// `npm run test:matrix` runs them in all builds of React, with all random histories. Arguments are passed to vitest, e.g. `npm test -- --coverage`.
import { spawnSync } from 'node:child_process';
import { readFileSync, rmSync } from 'node:fs';
import { ensureInstalled, root } from './install.mjs';

const REPORT = `${root}reports/tests.json`;

ensureInstalled();
const { numberOfCommit, otherProjects, reactBuilds } = await import('./react-builds.mjs');
const args = process.argv.slice(2);
const isMatrix = args.includes('--matrix');
const wanted = args.filter((arg) => arg !== '--matrix');
const isWhole = wanted.every((arg) => arg === '--coverage');
const builds = reactBuilds(isMatrix || !isWhole ? 'matrix' : process.env['CI'] ? 'commit' : 'work');
const coverage = process.env['CI'] ? ['--coverage'] : [];
const reporters = ['--reporter=default', '--reporter=json', `--outputFile.json=${REPORT}`];
const names = [...otherProjects, ...builds.emulated, ...builds.chromium];
const chosenProjects = isWhole ? names.map((name) => `--project=${name}`) : [];
if (isWhole) console.log(`Builds of React: ${[...builds.emulated, ...builds.chromium].join(', ')}`);
// `npm test` runs a part of the long random histories, which depends on the commit: tests/turn.ts.
const turn = isMatrix || !isWhole ? {} : { TURN: String(numberOfCommit()) };
rmSync(REPORT, { force: true });
const run = spawnSync(
  process.execPath,
  [`${root}node_modules/vitest/vitest.mjs`, 'run', ...reporters, ...coverage, ...chosenProjects, ...wanted],
  { cwd: root, stdio: 'inherit', env: { ...process.env, ...turn } },
);
if (run.status !== 0) process.exit(run.status ?? 1);

const { testResults } = JSON.parse(readFileSync(REPORT, 'utf8'));
/** The kinds of tests that must run, each with the least number of files. A file counts once for each build of React in which it ran. */
const demanded = [
  ['unit tests', /src\/.*\.test\.ts$/, 1],
  ['property tests', /tests\/oracle\/.*\.test\.ts$/, 1],
  ['type tests', /\.test-d\.tsx?$/, 1],
  ['tests in an emulated page', /tests\/react\/.*\.test\.tsx?$/, 1],
  ['builds of React in an emulated page', /tests\/react\/scenario-table\.test\.tsx$/, builds.emulated.length],
  ['builds of React in Chromium', /tests\/browser\/scenario-table\.test\.tsx$/, builds.chromium.length],
  ['end-to-end tests', /e2e\/.*\.test\.tsx?$/, 1],
  ['tests of projects that install the package', /tests\/consumers\/.*\.test\.ts$/, 5],
];
const chosen = [['chosen tests', /./, 1]];
for (const [what, pattern, least] of isWhole ? demanded : chosen) {
  const ran = testResults.filter(({ name, assertionResults }) => pattern.test(name) && assertionResults.length > 0);
  if (ran.length >= least) continue;
  console.error(`${what}: ${ran.length} ran, of at least ${least}. A run that tests nothing does not count as passed.`);
  if (pattern.test('tests/browser/scenario-table.test.tsx'))
    console.error('They need a Chromium at /usr/bin/chromium, or where the variable CHROMIUM says.');
  process.exitCode = 1;
}
