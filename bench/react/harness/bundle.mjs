import { build } from 'esbuild';
import { join, resolve } from 'node:path';
import { columns } from '../columns.mjs';

const pages = resolve(import.meta.dirname, '../pages');
const source = resolve(import.meta.dirname, '../../../src');

/** Rejoin comes from its source. */
const OURS = { rejoin: join(source, 'index.ts'), 'rejoin/react': join(source, 'react.ts') };

/** Bundles the page of each column for production. Returns the scripts by the names of the columns. */
export async function bundlePages(names, options = {}) {
  const scripts = await Promise.all(names.map((name) => bundle(columns[name], options)));
  return Object.fromEntries(names.map((name, index) => [name, scripts[index]]));
}

/** Throws if Rejoin is in the page of a peer, or is missing in its own. */
function checkInputs(file, { inputs }) {
  const hasRejoin = Object.keys(inputs).some((input) => resolve(input) === OURS.rejoin);
  if (hasRejoin !== (file === 'rejoin.jsx')) throw new Error(`${file} ${hasRejoin ? 'contains' : 'lacks'} Rejoin`);
}

async function bundle({ file, react }, options) {
  const { outputFiles, metafile } = await build({
    entryPoints: [join(pages, 'page.jsx')],
    write: false,
    metafile: true,
    bundle: true,
    // The tsconfig.json of the project maps the names of some peers to Rejoin, so it is not used here.
    tsconfigRaw: {},
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
  checkInputs(file, metafile);
  return outputFiles[0].text;
}
