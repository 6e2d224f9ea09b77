import { spawn } from 'node:child_process';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { build as bundle } from 'esbuild';
import { build } from 'vite';
import type { TestProject } from 'vitest/node';

declare module 'vitest' {
  interface ProvidedContext {
    /** A folder with the page of the demo, built for production. */
    readonly site: string;
  }
}

/** Builds the page of the demo as `npm start` does, once for all tests. */
export async function setup({ provide }: TestProject): Promise<() => Promise<void>> {
  const site = await mkdtemp(join(tmpdir(), 'rejoin-demo-'));
  const mode = process.env['NODE_ENV'];
  // Vite reads NODE_ENV, which has the value for tests here.
  Object.assign(process.env, { NODE_ENV: 'production' });
  await build({
    configFile: fileURLToPath(new URL('../web/vite.config.ts', import.meta.url)),
    logLevel: 'error',
    build: { outDir: site, emptyOutDir: true, sourcemap: false },
  });
  Object.assign(process.env, { NODE_ENV: mode });
  provide('site', site);
  const endSnapshot = await beginSnapshot();
  return async () => {
    endSnapshot();
    await rm(site, { recursive: true });
  };
}

/** Begins to make the data of the tests in another process, before the first tests need them. Without it, each of the first tests would make them. */
async function beginSnapshot(): Promise<() => void> {
  // In a folder beside `api`, from which it finds packages and the place of snapshots.
  const program = fileURLToPath(new URL('../build/first-snapshot.mjs', import.meta.url));
  await bundle({
    entryPoints: [fileURLToPath(new URL('first-snapshot.ts', import.meta.url))],
    outfile: program,
    bundle: true,
    format: 'esm',
    platform: 'node',
    packages: 'external',
  });
  const running = spawn(process.execPath, [program], { stdio: ['ignore', 'ignore', 'inherit'] });
  return () => running.kill();
}
