// The API as a program: `npm run api --workspace=examples/demo -- --rows 100000`.
import { fileURLToPath } from 'node:url';
import { HELP, nodeProblem, readCommand } from './command.mjs';
import { SentenceError } from './sentence-error.mjs';

/** Inside node_modules, so that git ignores it and a fresh installation starts with fresh data. */
const CACHE = fileURLToPath(new URL('../../node_modules/.cache/rejoin-demo', import.meta.url));

const ONE_PRESS_MS = 500;

async function main(): Promise<void> {
  const problem = nodeProblem(process.versions.node);
  if (problem !== undefined) throw new SentenceError(problem);
  const command = readCommand(process.argv.slice(2), process.env, CACHE);
  if (command === 'help') return void process.stdout.write(HELP);
  const { startApi } = await import('./start-api.ts');
  const stopping = new AbortController();
  let stoppedAt = Number.POSITIVE_INFINITY;
  const stop = (): void => {
    // One Ctrl-C can arrive twice, from the terminal and from parent processes. A second one later ends the process at once.
    if (performance.now() - stoppedAt > ONE_PRESS_MS) process.exit(130);
    stoppedAt = Math.min(stoppedAt, performance.now());
    stopping.abort();
  };
  for (const signal of ['SIGINT', 'SIGTERM'] as const) process.on(signal, stop);
  const api = await startApi({ ...command, progress: (what) => console.log(what) });
  console.log(`${api.rows.toLocaleString('en')} rows on ${api.database}`);
  if (command.site !== undefined) console.log(`The demo is at ${api.url}`);
  console.log(`The API is at ${api.url}/api, its description at ${api.url}/openapi.json. Ctrl-C stops it.`);
  if (!stopping.signal.aborted) await new Promise((resolve) => stopping.signal.addEventListener('abort', resolve));
  await api.close();
  console.log('Stopped.');
}

try {
  await main();
} catch (error) {
  console.error(error instanceof SentenceError ? error.message : error);
  process.exitCode = 1;
}
