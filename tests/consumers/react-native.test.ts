import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { createContext, runInContext } from 'node:vm';
import { build } from 'esbuild';
import { afterAll, beforeAll, expect, inject, test } from 'vitest';
import { filesBelow, openProject, type Project } from './project.ts';

let project: Project;
beforeAll(() => {
  project = openProject('react-native', inject('packed'));
});
afterAll(() => project.remove());

/** The globals that the engine and `console` of React Native have. The project adds classes that lack what those of React Native lack. */
const globals = (): object => ({ console, setTimeout, clearTimeout, queueMicrotask });

test('an application runs with the globals of React Native', async () => {
  const { outputFiles } = await build({
    entryPoints: [join(project.folder, 'app.ts')],
    bundle: true,
    write: false,
    format: 'iife',
    globalName: 'app',
    define: { 'process.env.NODE_ENV': '"development"' },
  });
  const context = createContext(globals());
  const run: unknown = runInContext(`${outputFiles[0]?.text ?? ''}; app.run()`, context);
  expect(JSON.parse(String(await run))).toEqual({
    list: ['Write', 'Test'],
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
