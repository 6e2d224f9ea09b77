// `npm start`: checks its options, installs what the demo needs, builds what has changed, and starts the demo: its API, and the page beside it.
// Arguments are passed to the API: `npm start -- --rows 100000`, `npm start -- --help`.
import { spawn } from 'node:child_process';
import { demandNode, ensureInstalled, root } from './install.mjs';

const demo = `${root}examples/demo`;
const options = process.argv.slice(2);

/** Ends the process if an option is wrong, if the port is taken, and after `--help`. Needs no installed package. */
async function checkOptions() {
  const { HELP, readCommand } = await import('../examples/demo/api/command.mjs');
  const { demandPort } = await import('../examples/demo/api/port.mjs');
  try {
    const command = readCommand(options, process.env, '');
    if (command !== 'help') return await demandPort(command);
    process.stdout.write(HELP);
    process.exit(0);
  } catch (error) {
    console.error(error.message);
    process.exit(1);
  }
}

demandNode();
await checkOptions();
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
  if (!isBuilt(PAGE)) build(PAGE);
} catch (error) {
  // Each tool reports a full disk with another message.
  const isFull = /ENOSPC|no space left/i.test(error.message);
  console.error(
    `\n${isFull ? `There is no space left on the disk of ${root}. Free some, and start again.` : error.message}`,
  );
  process.exit(1);
}

const api = spawn(process.execPath, ['--enable-source-maps', 'build/api/main.mjs', '--site', 'build/web', ...options], {
  cwd: demo,
  stdio: 'inherit',
});
// The API gets Ctrl-C too. It ends when all data is written, and this process ends after it.
for (const signal of ['SIGINT', 'SIGTERM']) process.on(signal, () => api.kill(signal));
api.on('exit', (code) => {
  process.exitCode = code ?? 1;
});
