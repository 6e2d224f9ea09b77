// `npm run check`: all checks of a change. Each step also proves that it has checked something.
// `npm run check -- lint types` runs only these steps. `--without-tests` leaves out the tests, for a caller that runs them itself.
import { readFileSync } from 'node:fs';
import { ensureInstalled, root } from './install.mjs';

ensureInstalled();
const { build } = await import('./build.mjs');
const { checkPackage } = await import('./package.mjs');
const { checkShape } = await import('./shape.mjs');
const { demand, run } = await import('./run.mjs');
const { sizes, tooBig } = await import('./size.mjs');

/** Checks the types of one configuration, and counts the files of the repository that the compiler has read. */
function types(config) {
  run('tsc', ['-p', config, '--noEmit']);
  const files = run('tsc', ['-p', config, '--listFilesOnly']).split('\n');
  return demand(files.filter((file) => file.startsWith(root) && !file.includes('node_modules')).length, 'files');
}

function lint() {
  const [, ...args] = JSON.parse(readFileSync(`${root}package.json`, 'utf8')).scripts.lint.split(' ');
  const printed = run('oxlint', args);
  return `${demand(Number(/ on (\d+) files/.exec(printed)?.[1]), 'files')} files`;
}

function format() {
  return `${demand(Number(/ on (\d+) files/.exec(run('oxfmt', ['--check']))?.[1]), 'files')} files`;
}

function unused() {
  const printed = run('knip', ['--reporter', 'symbols', '--reporter', './scripts/knip-reporter.mjs']);
  return `${demand(Number(/looked at (\d+) files/.exec(printed)?.[1]), 'files')} files`;
}

function tests() {
  run('npm', ['test', '--silent', '--', '--coverage'], { stdio: 'inherit' });
  const { numPassedTests, numTotalTestSuites } = JSON.parse(readFileSync(`${root}reports/tests.json`, 'utf8'));
  return `${demand(numPassedTests, 'tests')} tests in ${numTotalTestSuites} suites`;
}

function size() {
  const measured = sizes();
  const faults = tooBig(measured);
  if (faults.length > 0) throw new Error(faults.join('\n'));
  return measured.map(({ name, bytes }) => `${name} ${(bytes / 1000).toFixed(1)} kB`).join(', ');
}

function tour() {
  const printed = run('npm', ['start', '--silent', '--workspace=examples/tour']);
  // The tour prints `true` or `false` for each property that it shows.
  const broken = printed.split('\n').filter((line) => line.endsWith(' false'));
  if (broken.length > 0) throw new Error(broken.join('\n'));
  return `${demand(printed.split('\n').length - 1, 'output')} lines`;
}

const steps = {
  types: () =>
    `${types('tsconfig.json') + types('examples/next/tsconfig.json')} files, ${types('tsconfig.build.json')} in the library`,
  lint,
  format,
  unused,
  shape: checkShape,
  tests,
  build: () => `${build()} modules`,
  package: checkPackage,
  size,
  tour,
};

const args = process.argv.slice(2);
const named = args.filter((arg) => !arg.startsWith('--'));
const skipped = args.includes('--without-tests') ? ['tests'] : [];
const chosen = Object.entries(steps).filter(([name]) =>
  named.length > 0 ? named.includes(name) : !skipped.includes(name),
);
demand(chosen.length, 'steps');

const failures = [];
for (const [name, step] of chosen) {
  const started = performance.now();
  let verdict = 'ok  ';
  let summary;
  try {
    summary = step();
  } catch (error) {
    verdict = 'FAIL';
    summary = 'see below';
    failures.push(`--- ${name} ---\n${error.message}`);
  }
  const seconds = ((performance.now() - started) / 1000).toFixed(1).padStart(5);
  console.log(`${verdict} ${name.padEnd(8)} ${seconds} s  ${summary}`);
}
for (const failure of failures) console.error(`\n${failure}`);
console.log(`check: ${chosen.length - failures.length} steps passed, ${failures.length} failed`);
process.exitCode = failures.length > 0 ? 1 : 0;
