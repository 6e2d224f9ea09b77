// @vitest-environment happy-dom
import { execFileSync } from 'node:child_process';
import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';

const root = join(import.meta.dirname, '../..');
const folder = join(root, 'build/docs-tsx');

/** The snippets that need a page. tests/docs.test.ts runs all others. */
const snippets = ['testing', 'ssr'].flatMap((page) =>
  [...readFileSync(join(root, `docs/recipes/${page}.md`), 'utf8').matchAll(/^```tsx browser\n(.*?)^```$/gms)].map(
    ([, source = ''], at) => ({
      name: `${page}-${at + 1}.tsx`,
      source,
      prints: [...source.matchAll(/\/\/ → (.*)$/gm)].map(([, text = '']) => text.trim()),
    }),
  ),
);

beforeAll(() => {
  mkdirSync(folder, { recursive: true });
  for (const { name, source } of snippets) writeFileSync(join(folder, name), source);
  const config = { extends: '../../tsconfig.json', include: ['*.tsx'], exclude: [] };
  writeFileSync(join(folder, 'tsconfig.json'), JSON.stringify(config));
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

describe('the snippets that need a page', () => {
  test('include those of the recipes for tests and for server rendering', () => {
    expect(snippets.map(({ name }) => name)).toEqual(['testing-1.tsx', 'testing-2.tsx', 'ssr-1.tsx']);
  });

  test('compile', () => {
    const tsc = join(root, 'node_modules/@typescript/native/bin/tsc');
    const listed = execFileSync(process.execPath, [tsc, '-p', folder, '--noEmit', '--listFiles'], { encoding: 'utf8' });
    expect(listed.split('\n').filter((file) => file.includes('build/docs-tsx'))).toHaveLength(snippets.length);
  });

  test.each(snippets)('$name runs and prints what its comments say', async ({ name, prints }) => {
    document.body.innerHTML = name === 'ssr-1.tsx' ? '<div id="root"><p>Hello</p></div>' : '';
    const log = vi.spyOn(console, 'log').mockImplementation(() => undefined);
    try {
      await import(join(folder, name));
      expect(log.mock.calls.map((args) => args.map(String).join(' '))).toEqual(prints);
    } finally {
      log.mockRestore();
    }
  });
});
