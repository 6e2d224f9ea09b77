import { execFile } from 'node:child_process';
import { mkdtemp, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { build } from 'esbuild';

const root = fileURLToPath(new URL('../..', import.meta.url));
const run = promisify(execFile);

/** Runs a row of the scoreboard that needs a browser or a database, in a process of its own. */
export async function runOfflineRow(name, runs, seed) {
  const start = performance.now();
  // In the repository, so that the bundle finds Playwright.
  const folder = await mkdtemp(join(root, 'build-offline-'));
  try {
    const outfile = join(folder, 'row.mjs');
    await build({
      absWorkingDir: root,
      entryPoints: ['tests/offline/row.ts'],
      outfile,
      bundle: true,
      packages: 'external',
      platform: 'node',
      format: 'esm',
      target: 'node20',
      alias: Object.fromEntries([
        ...['outbox', 'persist', 'tabs'].map((entryPoint) => [
          `rejoin/${entryPoint}`,
          join(root, `src/${entryPoint}.ts`),
        ]),
        ['rejoin', join(root, 'src/index.ts')],
      ]),
      logLevel: 'silent',
    });
    const { stdout } = await run(process.execPath, [outfile, name, String(runs), String(seed)], { cwd: root });
    const { reached, wrong } = JSON.parse(stdout);
    return {
      reached,
      isReached: wrong.length === 0,
      wrong: wrong.length === 0 ? undefined : wrong.slice(0, 10).join('\n'),
      seconds: (performance.now() - start) / 1000,
    };
  } finally {
    await rm(folder, { recursive: true });
  }
}
