import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { build } from 'esbuild';
import { expect, inject, test } from 'vitest';

interface Babel {
  transformSync(code: string, options: { readonly presets: readonly unknown[] }): { readonly code: string };
}
const babel = createRequire(import.meta.url)('@babel/core') as Babel;
const dist = join(inject('packed'), 'node_modules/rejoin/dist');

/** Compiles a module for a browser without destructuring, where each member of an import is read by its name. */
function forOldBrowsers(file: string): string {
  const presets = [['@babel/preset-env', { targets: 'ie 11', modules: false }]];
  return babel.transformSync(readFileSync(file, 'utf8'), { presets }).code;
}

test('a module that is compiled for old browsers reads no member of React that React 19 does not export', async () => {
  const file = join(dist, 'adapters/react/acting.js');
  const react =
    'export const useState = 1; export const __CLIENT_INTERNALS_DO_NOT_USE_OR_WARN_USERS_THEY_CANNOT_UPGRADE = { T: {} };';
  const bundle = async (contents: string): Promise<readonly string[]> => {
    const { warnings } = await build({
      stdin: { contents, resolveDir: dirname(file) },
      bundle: true,
      write: false,
      logLevel: 'silent',
      alias: { react: `data:text/javascript,${encodeURIComponent(react)}` },
    });
    return warnings.map(({ text }) => text);
  };
  expect(await bundle(forOldBrowsers(file))).toEqual([]);
  expect(await bundle("import * as React from 'react'; console.log(React.absent);")).toEqual([
    expect.stringContaining('"absent" will always be undefined'),
  ]);
});
