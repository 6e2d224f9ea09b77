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

/** Whether no source of a part of the demo has changed since it was built. */
const isBuilt = ({ built, sources }) =>
  isUpToDate(`examples/demo/build/${built}`, [...sources, 'examples/demo/package.json', 'package-lock.json']);

/** Builds a part of the demo, and says so. */
function build({ what, script }) {
  process.stdout.write(`Building ${what} … `);
  const started = performance.now();
  run('npm', ['run', '--silent', script], { cwd: demo });
  console.log(`${((performance.now() - started) / 1000).toFixed(1)} s`);
}

try {
  if (!isBuilt(API_PART)) build(API_PART);
  if (!isBuilt(PAGE)) {
    // An option that is wrong and a port that is taken are told before the longer half of the work.
    const options = process.argv.slice(2);
    const check = spawnSync(process.execPath, [...API, '--check', ...options], { cwd: demo, stdio: 'inherit' });
    if (check.status !== 0 || options.some((option) => option === '--help' || option === '-h'))
      process.exit(check.status ?? 1);
    build(PAGE);
  }
} catch (error) {
  // Of a full disk each tool says in its own many words.
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
// Ctrl-C reaches the API as well. It ends when it has written what it has to write, and this with it.
for (const signal of ['SIGINT', 'SIGTERM']) process.on(signal, () => api.kill(signal));
api.on('exit', (code) => {
  process.exitCode = code ?? 1;
});
