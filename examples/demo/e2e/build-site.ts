import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
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
  return () => rm(site, { recursive: true });
}
