import { build } from 'esbuild';
import { join, resolve } from 'node:path';
import { columns } from '../columns.mjs';

const pages = resolve(import.meta.dirname, '../pages');
const source = resolve(import.meta.dirname, '../../../src');

/** Rejoin comes from its source. */
const OURS = { rejoin: join(source, 'index.ts'), 'rejoin/react': join(source, 'react.ts') };

/** Bundles the page of each column for production. Gives the scripts by the names of the columns. */
export async function bundlePages(names, options = {}) {
  const scripts = await Promise.all(names.map((name) => bundle(columns[name], options)));
  return Object.fromEntries(names.map((name, index) => [name, scripts[index]]));
}

async function bundle({ file, react }, options) {
  const { outputFiles } = await build({
    entryPoints: [join(pages, 'page.jsx')],
    write: false,
    bundle: true,
    minify: true,
    format: 'iife',
    target: 'es2023',
    jsx: 'automatic',
    conditions: ['module', 'import', 'browser', 'production'],
    define: { 'process.env.NODE_ENV': '"production"' },
    alias: { ...OURS, ...react, 'bench:peer': join(pages, 'peers', file) },
    logLevel: 'error',
    logLimit: 5,
    ...options,
  });
  return outputFiles[0].text;
}
