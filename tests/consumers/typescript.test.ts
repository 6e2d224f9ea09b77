import { readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, inject, test } from 'vitest';
import { inTurn } from '../turn.ts';
import { oldestTsc, openProject, type Project, root, tsc } from './project.ts';

const compilers = { oldest: oldestTsc, newest: tsc };
/** All published types are checked too, because no configuration sets `skipLibCheck`. The tests after these do, and check only their own files. */
const configs = ['tsconfig.bundler.json', 'tsconfig.nodenext.json', 'tsconfig.node.json'];

let project: Project;
beforeAll(() => {
  project = openProject('typescript', inject('packed'));
});
afterAll(() => project.remove());

describe.each(Object.entries(compilers))('the %s TypeScript that is supported', (_, compiler) => {
  // The oldest TypeScript takes ten times as long as the newest.
  test.each(compiler === oldestTsc ? inTurn(configs) : configs)('compiles an application: %s', async (config) => {
    await expect(project.run(compiler, ['-p', config])).resolves.toMatchObject({ stdout: '' });
  });

  test('writes declarations of endpoints, queries and hooks whose types are inferred', async () => {
    const args = ['-p', 'tsconfig.declarations.json', '--skipLibCheck'];
    await expect(project.run(compiler, args)).resolves.toMatchObject({ stdout: '' });
    const written = readFileSync(join(project.folder, 'declarations/declarations.d.ts'), 'utf8');
    expect(written).toContain('import("rejoin").RestEndpointInstance<');
    rmSync(join(project.folder, 'declarations'), { recursive: true });
  });

  test('reports a member that does not exist', async () => {
    const hooks = readFileSync(join(project.folder, 'hooks.tsx'), 'utf8');
    expect(hooks).toContain('post.author.name');
    writeFileSync(join(project.folder, 'wrong.tsx'), hooks.replace('post.author.name', 'post.author.nam'));
    const config = { extends: './tsconfig.bundler.json', files: ['wrong.tsx'] };
    writeFileSync(join(project.folder, 'tsconfig.wrong.json'), JSON.stringify(config));
    await expect(project.run(compiler, ['-p', 'tsconfig.wrong.json', '--skipLibCheck'])).rejects.toMatchObject({
      stdout: expect.stringMatching(
        /^wrong\.tsx\(\d+,\d+\): error TS2551: Property 'nam' does not exist on type 'User'/,
      ),
    });
  });
});

test('the README names the oldest TypeScript that is tested', async () => {
  const { stdout } = await project.run(oldestTsc, ['--version']);
  const [, version = '?'] = /(\d+\.\d+)/.exec(stdout) ?? [];
  expect(readFileSync(join(root, 'README.md'), 'utf8')).toContain(`TypeScript ${version} or later`);
});
