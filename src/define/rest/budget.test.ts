import { execFileSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';

const here = dirname(fileURLToPath(import.meta.url));
const root = join(here, '../../..');

/** A module with so many resources, every member of which is used. */
function moduleOf(count: number): string {
  const parts = [
    `import { Entity } from '${join(here, '../schema/entity.ts')}';`,
    `import { resource } from '${join(here, 'resource.ts')}';`,
    `import type { ValueOf } from '${join(here, '../endpoint/infer-value.ts')}';`,
  ];
  for (let at = 0; at < count; at++) {
    parts.push(`
class Entity${at} extends Entity { id = ''; name${at} = ''; count = 0; done = false; }
const resource${at} = resource({
  path: '/groups${at}/:group${at}Id/members/:id', schema: Entity${at}, optimistic: true, paginationField: 'cursor',
  searchParams: {} as { page${at}?: number } | undefined,
}).extend('archive', { path: '/members${at}/:id/archive', method: 'POST', body: undefined });
export async function use${at}(): Promise<[ValueOf<typeof resource${at}.get>]> {
  const group = { group${at}Id: 1 };
  await resource${at}.getList(group);
  await resource${at}.getList.push(group, { name${at}: 'x' });
  await resource${at}.getList.getPage({ ...group, cursor: 1 });
  await resource${at}.update({ ...group, id: 5 }, { count: 5 });
  await resource${at}.partialUpdate({ ...group, id: 5 }, { count: 5 });
  await resource${at}.delete({ ...group, id: 5 });
  await resource${at}.archive({ id: 5 });
  return [await resource${at}.get({ ...group, id: '5' })];
}`);
  }
  return parts.join('\n');
}

/** What the compiler says of it. */
function compile(folder: string, count: number): { readonly instantiations: number; readonly errors: string } {
  writeFileSync(join(folder, 'resources.ts'), moduleOf(count));
  const args = [join(root, 'node_modules/@typescript/native/bin/tsc'), '-p', folder, '--extendedDiagnostics'];
  let output: string;
  try {
    output = execFileSync(process.execPath, args, { encoding: 'utf8' });
  } catch (error) {
    output = (error as { stdout: string }).stdout;
  }
  const instantiations = Number(/Instantiations:\s+(\d+)/.exec(output)?.[1]);
  return {
    instantiations,
    errors: output
      .split('\n')
      .filter((line) => line.includes('error'))
      .join('\n'),
  };
}

test('a resource costs the compiler at most 4,000 instantiations, however many there are', () => {
  const folder = mkdtempSync(join(root, 'node_modules/.budget-'));
  try {
    const extending = {
      extends: join(root, 'tsconfig.json'),
      compilerOptions: { types: [], paths: {} },
      include: ['*.ts'],
      exclude: [],
    };
    writeFileSync(join(folder, 'tsconfig.json'), JSON.stringify(extending));
    writeFileSync(join(folder, 'package.json'), '{"type":"module"}');
    const few = compile(folder, 10);
    const many = compile(folder, 110);
    expect(few.errors + many.errors).toBe('');
    expect(few.instantiations).toBeGreaterThan(10_000);
    expect((many.instantiations - few.instantiations) / 100).toBeLessThan(4000);
  } finally {
    rmSync(folder, { recursive: true });
  }
});
