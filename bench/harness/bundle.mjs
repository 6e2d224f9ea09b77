import { build } from 'esbuild';
import { mkdirSync, rmSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { peers } from '../peers/index.mjs';

const here = import.meta.dirname;
const source = resolve(here, '../../src');

/** Rejoin comes from its source. */
const OURS = { 'rejoin/persist': join(source, 'persist.ts'), rejoin: join(source, 'index.ts') };

/**
 * Bundles one module for each peer as for the production build of an application. `process.env` is slow to read in
 * Node, and the bundler replaces it. Returns the paths of the bundles by the names of the peers.
 */
export async function bundlePeers(names, outdir) {
  rmSync(outdir, { recursive: true, force: true });
  mkdirSync(outdir, { recursive: true });
  const files = new Set(names.map((name) => peers[name].file));
  await Promise.all([...files].map((file) => bundle(join(here, '../peers', file), join(outdir, file))));
  return Object.fromEntries(names.map((name) => [name, join(outdir, peers[name].file)]));
}

async function bundle(entry, outfile, options = {}) {
  await build({
    entryPoints: [entry],
    outfile,
    bundle: true,
    // The tsconfig.json of the project maps the names of some peers to Rejoin, so it is not used here.
    tsconfigRaw: {},
    format: 'esm',
    platform: 'neutral',
    target: 'es2023',
    mainFields: ['module', 'main'],
    conditions: ['module', 'import', 'production'],
    define: { 'process.env.NODE_ENV': '"production"', __DEV__: 'false' },
    alias: OURS,
    logLevel: 'error',
    logLimit: 5,
    ...options,
  });
}
