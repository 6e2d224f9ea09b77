import { afterAll, beforeAll, expect, inject, test } from 'vitest';
import { openProject, type Project } from './project.ts';

let project: Project;
beforeAll(() => {
  project = openProject('commonjs', inject('packed'));
});
afterAll(() => project.remove());

test('a CommonJS script can require the package, although the package has ES modules only', async () => {
  const { stdout } = await project.run('script.cjs');
  expect(stdout).toBe('Ann\n');
});
