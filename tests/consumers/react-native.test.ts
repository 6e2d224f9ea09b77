import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { createContext, runInContext } from 'node:vm';
import { transformAsync } from '@babel/core';
import { build } from 'esbuild';
import { afterAll, beforeAll, expect, inject, test } from 'vitest';
import { filesBelow, openProject, type Project, root } from './project.ts';

let project: Project;
beforeAll(() => {
  project = openProject('react-native', inject('packed'));
});
afterAll(() => project.remove());

/** The globals that the engine and `console` of React Native have. The project adds classes that lack what those of React Native lack. */
const globals = (): object => ({ console, setTimeout, clearTimeout, queueMicrotask });

/** Compiles the application to one script. */
async function bundle(): Promise<string> {
  const { outputFiles } = await build({
    entryPoints: [join(project.folder, 'app.ts')],
    bundle: true,
    write: false,
    format: 'iife',
    globalName: 'app',
    define: { 'process.env.NODE_ENV': '"development"' },
  });
  return outputFiles[0]?.text ?? '';
}

/** Compiles a script with the settings of Metro, the bundler of React Native, for an engine without classes. */
async function asMetroCompiles(script: string): Promise<string> {
  const preset = [
    '@react-native/babel-preset',
    { unstable_transformProfile: 'default', enableBabelRuntime: false, dev: false },
  ];
  const cwd = join(root, 'tests/consumers');
  const made = await transformAsync(script, {
    presets: [preset],
    cwd,
    configFile: false,
    babelrc: false,
    sourceType: 'script',
    compact: true,
  });
  return made?.code ?? '';
}

test.each([
  ['as it is', (script: string) => Promise.resolve(script)],
  ['compiled by Babel as Metro does it', asMetroCompiles],
])('an application runs with the globals of React Native, %s', async (_, compile) => {
  const script = await compile(await bundle());
  const run: unknown = runInContext(`${script}; app.run()`, createContext(globals()));
  expect(JSON.parse(String(await run))).toEqual({
    list: ['Write 1.50', 'Test 2.00'],
    guessed: ['Write', 'Test', 'New'],
    created: '3',
    uploaded: '4',
    stopped: 'AbortError',
    late: 'request-timeout',
    reset: 'request-reset',
    queued: '5',
  });
});

test('no module has a static block, which Babel does not compile for React Native', () => {
  const folder = join(project.folder, 'node_modules/rejoin/dist');
  const modules = filesBelow(folder).filter((file) => file.endsWith('.js'));
  expect(modules.length).toBeGreaterThan(100);
  expect(modules.filter((file) => /^\s*static \{/m.test(readFileSync(join(folder, file), 'utf8')))).toEqual([]);
});
