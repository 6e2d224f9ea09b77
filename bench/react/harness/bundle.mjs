import { build } from 'esbuild';
import { mkdirSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { columns } from '../columns.mjs';

const pages = resolve(import.meta.dirname, '../pages');
const source = resolve(import.meta.dirname, '../../../src');

/** Rejoin comes from its source. */
const OURS = { rejoin: join(source, 'index.ts'), 'rejoin/react': join(source, 'react.ts') };

/** Bundles the page of each column for production, into `outdir`. Gives the names of the files. */
export async function bundlePages(names, outdir, options = {}) {
  mkdirSync(outdir, { recursive: true });
  const files = Object.fromEntries(names.map((name) => [name, `${name.replaceAll(' ', '-')}.js`]));
  await Promise.all(names.map((name) => bundle(columns[name], join(outdir, files[name]), options)));
  return files;
}

async function bundle({ file, react }, outfile, options) {
  await build({
    entryPoints: [join(pages, 'page.jsx')],
    outfile,
    bundle: true,
    minify: true,
    format: 'iife',
    target: 'es2023',
    jsx: 'automatic',
    conditions: ['module', 'import', 'browser', 'production'],
    define: { 'process.env.NODE_ENV': '"production"' },
    // The longer names first, or `rejoin/react` would be looked for in the file of `rejoin`.
    alias: { 'bench:peer': join(pages, 'peers', file), 'rejoin/react': OURS['rejoin/react'], ...OURS, ...react },
    logLevel: 'error',
    logLimit: 5,
    ...options,
  });
}
