// `npm start`: installs what the demo needs, builds what has changed, and starts the demo: its API, and the page beside it.
// Arguments go to the API: `npm start -- --rows 100000`, `npm start -- --help`.
import { spawn, spawnSync } from 'node:child_process';
import { ensureInstalled, root } from './install.mjs';

const demo = `${root}examples/demo`;
const API = ['--enable-source-maps', 'build/api/main.mjs'];

ensureInstalled('demo');
const { isUpToDate } = await import('./up-to-date.mjs');
const { run } = await import('./run.mjs');

const API_PART = { what: 'the API', script: 'build:api', built: 'api/main.mjs', sources: ['examples/demo/api'] };
const PAGE = { what: 'the page', script: 'build:web', built: 'web/index.html', sources: ['examples/demo/web', 'src'] };

/** Returns whether a part of the demo is newer than all of its sources. */
const isBuilt = ({ built, sources }) =>
  isUpToDate(`examples/demo/build/${built}`, [...sources, 'examples/demo/package.json', 'package-lock.json']);

/** Builds a part of the demo, and prints how long it took. */
function build({ what, script }) {
  process.stdout.write(`Building ${what} … `);
  const started = performance.now();
  run('npm', ['run', '--silent', script], { cwd: demo });
  console.log(`${((performance.now() - started) / 1000).toFixed(1)} s`);
}

try {
  if (!isBuilt(API_PART)) build(API_PART);
  if (!isBuilt(PAGE)) {
    // Reports a wrong option or a port in use before the slowest step.
    const options = process.argv.slice(2);
    const check = spawnSync(process.execPath, [...API, '--check', ...options], { cwd: demo, stdio: 'inherit' });
    if (check.status !== 0 || options.some((option) => option === '--help' || option === '-h'))
      process.exit(check.status ?? 1);
    build(PAGE);
  }
} catch (error) {
  // Each tool reports a full disk in another way.
  const isFull = /ENOSPC|no space left/i.test(error.message);
  console.error(
    `\n${isFull ? `There is no space left on the disk of ${root}. Free some, and start again.` : error.message}`,
  );
  process.exit(1);
}

const api = spawn(process.execPath, [...API, '--site', 'build/web', ...process.argv.slice(2)], {
  cwd: demo,
  stdio: 'inherit',
});
// The API gets Ctrl-C too. It ends when all data is written, and this process ends after it.
for (const signal of ['SIGINT', 'SIGTERM']) process.on(signal, () => api.kill(signal));
api.on('exit', (code) => {
  process.exitCode = code ?? 1;
});
