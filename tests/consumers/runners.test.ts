import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, expect, inject, test } from 'vitest';
import { openProject, type Project, root, tsc } from './project.ts';

const NAMES = [
  'a line shows its todo and the name of the user, and a click finishes the todo',
  'a hook returns the joined record',
  'under fake timers, a hook under test waits without real time',
  'under fake timers, a screen shows data that arrived after the time was advanced',
  'under fake timers, an answer is in the store without a tick',
];
/** The time limit of their tests, for a busy machine. */
const TIMEOUT = '--testTimeout=60000';

let project: Project | undefined;
afterEach(() => {
  project?.remove();
  project = undefined;
});

test('a component is tested with Vitest', async () => {
  project = openProject('vitest-project', inject('packed'));
  expect((await project.run(tsc, ['--noEmit'])).stdout).toBe('');
  const { stdout, stderr } = await project.run('node_modules/vitest/vitest.mjs', [
    'run',
    '--reporter=verbose',
    TIMEOUT,
  ]);
  for (const name of NAMES) expect(stdout).toContain(name);
  expect(stdout).toContain('5 passed');
  expect(stderr).toBe('');
});

test('a component is tested with Jest, which transforms the package', async () => {
  project = openProject('jest-project', inject('packed'));
  expect((await project.run(tsc, ['--noEmit'])).stdout).toBe('');
  const { stderr } = await project.run('node_modules/jest/bin/jest.js', ['--verbose', '--no-cache', TIMEOUT]);
  for (const name of NAMES) expect(stderr).toContain(`✓ ${name}`);
  expect(stderr).toContain('5 passed, 5 total');
  expect(stderr).not.toContain('console.error');
});

test('a component is tested with Jest, which imports the package as it is', async () => {
  project = openProject('jest-project', inject('packed'));
  const args = ['--config', 'jest.modules.config.json', '--verbose', '--no-cache', TIMEOUT];
  const env = { NODE_OPTIONS: '--experimental-vm-modules --no-warnings' };
  const { stderr } = await project.run('node_modules/jest/bin/jest.js', args, env);
  for (const name of NAMES) expect(stderr).toContain(`✓ ${name}`);
  expect(stderr).toContain('5 passed, 5 total');
  expect(stderr).not.toContain('console.error');
});

test('the recipe for tests shows the same configurations', () => {
  const shown = [...readFileSync(join(root, 'docs/recipes/testing.md'), 'utf8').matchAll(/^```json\n(.*?)^```$/gms)];
  const parsed = shown.map(([, json = '']) => JSON.parse(json) as unknown);
  for (const file of ['jest.config.json', 'jest.modules.config.json'])
    expect(parsed).toContainEqual(
      JSON.parse(readFileSync(join(root, 'tests/consumers/projects/jest-project', file), 'utf8')),
    );
});
