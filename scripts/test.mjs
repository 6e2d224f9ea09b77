// `npm test`: installs what is missing, then runs every test. Arguments go to vitest, e.g. `npm test -- --coverage`.
import { spawnSync } from 'node:child_process';
import { readFileSync, rmSync } from 'node:fs';
import { ensureInstalled, root } from './install.mjs';

const REPORT = `${root}reports/tests.json`;

ensureInstalled();
const wanted = process.argv.slice(2);
const coverage = process.env['CI'] ? ['--coverage'] : [];
const reporters = ['--reporter=default', '--reporter=json', `--outputFile.json=${REPORT}`];
rmSync(REPORT, { force: true });
const run = spawnSync(
  process.execPath,
  [`${root}node_modules/vitest/vitest.mjs`, 'run', ...reporters, ...coverage, ...wanted],
  { cwd: root, stdio: 'inherit' },
);
if (run.status !== 0) process.exit(run.status ?? 1);

const { testResults } = JSON.parse(readFileSync(REPORT, 'utf8'));
const kinds = {
  unit: /src\/.*\.test\.ts$/,
  property: /tests\/oracle\/.*\.test\.ts$/,
  type: /\.test-d\.tsx?$/,
  page: /tests\/react\/.*\.test\.tsx?$/,
  browser: /(?:tests\/browser|e2e)\/.*\.test\.tsx?$/,
};
for (const [kind, pattern] of Object.entries(wanted.some((arg) => arg !== '--coverage') ? { chosen: /./ } : kinds)) {
  if (testResults.some(({ name, assertionResults }) => pattern.test(name) && assertionResults.length > 0)) continue;
  console.error(`No ${kind} test ran. A run that tests nothing does not count as passed.`);
  if (kind === 'browser')
    console.error('They need a Chromium at /usr/bin/chromium, or where the variable CHROMIUM says.');
  process.exitCode = 1;
}
