// `npm start`: installs what is missing, builds everything, and starts the demo: its API, and the page beside it.
// Arguments go to the API: `npm start -- --rows 100000`, `npm start -- --help`.
import { spawn } from 'node:child_process';
import { ensureInstalled, root } from './install.mjs';

const demo = `${root}examples/demo`;

ensureInstalled();
const { build } = await import('./build.mjs');
const { run } = await import('./run.mjs');

/** One step of the way, said before it is taken. */
function step(what, take) {
  process.stdout.write(`${what} … `);
  const started = performance.now();
  take();
  console.log(`${((performance.now() - started) / 1000).toFixed(1)} s`);
}

// Who asks what it can do is not made to wait for what it does.
const isQuestion = process.argv.some((argument) => argument === '--help' || argument === '-h');

try {
  if (!isQuestion) {
    step('Building the library', build);
    step('Building the page', () => run('npm', ['run', '--silent', 'build:web'], { cwd: demo }));
  }
  step('Building the API', () => run('npm', ['run', '--silent', 'build:api'], { cwd: demo }));
} catch (error) {
  // Of a full disk each tool says in its own many words.
  const isFull = /ENOSPC|no space left/i.test(error.message);
  console.error(
    `\n${isFull ? `There is no space left on the disk of ${root}. Free some, and start again.` : error.message}`,
  );
  process.exit(1);
}

const api = spawn(
  process.execPath,
  ['--enable-source-maps', 'build/api/main.mjs', '--site', 'build/web', ...process.argv.slice(2)],
  { cwd: demo, stdio: 'inherit' },
);
// Ctrl-C reaches the API as well. It ends when it has written what it has to write, and this with it.
for (const signal of ['SIGINT', 'SIGTERM']) process.on(signal, () => api.kill(signal));
api.on('exit', (code) => {
  process.exitCode = code ?? 1;
});
