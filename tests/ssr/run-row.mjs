import { execFile } from 'node:child_process';
import { mkdtemp, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { build } from 'esbuild';

const here = fileURLToPath(new URL('.', import.meta.url));
const run = promisify(execFile);

/** Row R16: a server renders in one process, and a browser hydrates in another. */
export async function runServerRendering(runs, seed) {
  const start = performance.now();
  // In the repository, so that the bundles find React.
  const folder = await mkdtemp(join(here, '../../build-ssr-'));
  try {
    await build({
      absWorkingDir: here,
      entryPoints: ['row-server.ts', 'row-browser.ts'],
      outdir: folder,
      outExtension: { '.js': '.mjs' },
      bundle: true,
      packages: 'external',
      platform: 'node',
      format: 'esm',
      target: 'node20',
      jsx: 'automatic',
      logLevel: 'silent',
    });
    const file = join(folder, 'pages.json');
    const options = { maxBuffer: 2 ** 26 };
    const served = await node(
      ['--expose-gc', join(folder, 'row-server.mjs'), String(runs), String(seed), file],
      options,
    );
    const browsed = await node(['--import', join(here, 'dom.mjs'), join(folder, 'row-browser.mjs'), file], options);
    const wrong = [...served.wrong, ...served.raw, ...browsed.wrong];
    if (served.growth > 0.01) wrong.push(`the heap grew by ${served.growth * 100} % from half of the pages to all`);
    if (served.timers > 0) wrong.push(`${served.timers} timers are left`);
    return {
      reached:
        `${served.pages} pages at once, ${served.wrong.length} foreign markers; ${served.texts} breakout texts, ` +
        `${served.raw.length} raw; ${served.rendered} pages, heap grew by ${(served.growth * 100).toFixed(2)} %, ${served.timers} timers; ` +
        `${browsed.pages} trees in ${browsed.batches} batches, ${browsed.wrong.length} hydration errors`,
      isReached: wrong.length === 0,
      wrong: wrong.length === 0 ? undefined : wrong.slice(0, 10).join('\n'),
      seconds: (performance.now() - start) / 1000,
    };
  } finally {
    await rm(folder, { recursive: true });
  }
}

async function node(args, options) {
  const { stdout } = await run(process.execPath, args, options);
  return JSON.parse(stdout);
}

if (process.argv[1] === fileURLToPath(import.meta.url))
  console.log(await runServerRendering(Number(process.argv[2] ?? 300), Number(process.argv[3] ?? 1)));
