import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { runInNewContext } from 'node:vm';
import { build } from 'esbuild';
import { expect, inject, test } from 'vitest';

interface Babel {
  transformSync(code: string, options: { readonly presets: readonly unknown[] }): { readonly code: string };
}
const babel = createRequire(import.meta.url)('@babel/core') as Babel;
const dist = join(inject('packed'), 'node_modules/rejoin/dist');

/** Compiles a module for a browser without classes and without destructuring, where each member of an import is read by its name. */
function forOldBrowsers(code: string): string {
  const presets = [['@babel/preset-env', { targets: 'ie 11', modules: false }]];
  return babel.transformSync(code, { presets }).code;
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
  expect(await bundle(forOldBrowsers(readFileSync(file, 'utf8')))).toEqual([]);
  expect(await bundle("import * as React from 'react'; console.log(React.absent);")).toEqual([
    expect.stringContaining('"absent" will always be undefined'),
  ]);
});

test('an application whose classes Babel has compiled to functions reads joined records in a production build', async () => {
  const application = `
    import { Entity, Store } from 'rejoin';
    class User extends Entity { id = ''; name = 'nobody'; static key = 'User'; }
    class Post extends Entity {
      id = ''; author = User.fromJS(); static key = 'Post'; static schema = { author: User };
      get line() { return this.id + ' by ' + this.author.name; }
    }
    const store = new Store();
    store.write([Post], [{ id: '1', author: { id: '7', name: 'Ann' } }, { id: '2' }]);
    export const lines = ['1', '2'].map((id) => store.get(Post, { id }).line);
  `;
  const { outputFiles } = await build({
    stdin: { contents: forOldBrowsers(application), resolveDir: inject('packed') },
    bundle: true,
    minify: true,
    write: false,
    format: 'iife',
    globalName: 'app',
    define: { 'process.env.NODE_ENV': '"production"' },
  });
  const lines: unknown = runInNewContext(`${outputFiles[0]?.text ?? ''}; JSON.stringify(app.lines)`, {});
  expect(lines).toBe('["1 by Ann","2 by nobody"]');
});
