import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { build } from 'vite';
import { type Api, startApi } from '../api/start-api.ts';

export interface DemoServer {
  readonly url: string;
  close(): Promise<void>;
}

/** The whole demo, as `npm start` runs it: the page built for production, and the API on an embedded Postgres. */
export async function startDemo(): Promise<DemoServer> {
  const site = await mkdtemp(join(tmpdir(), 'rejoin-demo-'));
  const mode = process.env['NODE_ENV'];
  // Vite reads NODE_ENV, and would build for tests.
  Object.assign(process.env, { NODE_ENV: 'production' });
  await build({
    configFile: fileURLToPath(new URL('../web/vite.config.ts', import.meta.url)),
    logLevel: 'error',
    build: { outDir: site, emptyOutDir: true, sourcemap: false },
  });
  Object.assign(process.env, { NODE_ENV: mode });
  const api: Api = await startApi({ database: 'memory', rows: 400, site });
  return {
    url: api.url,
    async close() {
      await api.close();
      await rm(site, { recursive: true });
    },
  };
}
