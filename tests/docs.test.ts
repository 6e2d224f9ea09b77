import { execFileSync } from 'node:child_process';
import { mkdirSync, readFileSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import { docsFetch } from './docs-api.ts';

const root = join(dirname(fileURLToPath(import.meta.url)), '..');
const folder = join(root, 'build/docs');
const filesIn = (where: string, end: string): string[] =>
  readdirSync(join(root, where), { recursive: true, encoding: 'utf8' })
    .filter((file) => file.endsWith(end) || file.endsWith(`${end}x`))
    .map((file) => join(where, file));

interface Snippet {
  /** A folder for each page, so that a snippet can import another one of it, by the name in its first line. */
  readonly name: string;
  readonly source: string;
  /** What the comments `// → …` promise to be printed. */
  readonly prints: readonly string[];
}

const pages = [
  'README.md',
  'ARCHITECTURE.md',
  'CONTRIBUTING.md',
  ...filesIn('skills', '.md'),
  ...filesIn('docs', '.md').filter((page) => !/^docs\/(reference|\.vitepress)\//.test(page)),
];
const snippets: readonly Snippet[] = pages.flatMap((page) =>
  [...readFileSync(join(root, page), 'utf8').matchAll(/^```(tsx?)\n(.*?)^```$/gms)].map(
    ([, kind, source = ''], at) => ({
      name: `${page.replaceAll(/\W/g, '-')}/${/^\/\/ (\S+\.tsx?)\n/.exec(source)?.[1] ?? `${at + 1}.${kind}`}`,
      source,
      prints: [...source.matchAll(/\/\/ → (.*)$/gm)].map(([, text = '']) => text.trim()),
    }),
  ),
);

beforeAll(() => {
  rmSync(folder, { recursive: true, force: true });
  mkdirSync(folder, { recursive: true });
  for (const { name, source } of snippets) {
    mkdirSync(dirname(join(folder, name)), { recursive: true });
    writeFileSync(join(folder, name), source);
  }
  writeFileSync(
    join(folder, 'tsconfig.json'),
    JSON.stringify({ extends: '../../tsconfig.json', include: ['**/*.ts', '**/*.tsx'], exclude: [] }),
  );
});

afterAll(() => rmSync(folder, { recursive: true, force: true }));

describe('the snippets of the documents', () => {
  test('are there', () => {
    expect(snippets.map(({ name }) => name)).toContain('README-md/1.ts');
  });

  test('compile', { timeout: 60_000 }, () => {
    const tsc = join(root, 'node_modules/@typescript/native/bin/tsc');
    const listed = execFileSync(process.execPath, [tsc, '-p', folder, '--noEmit', '--listFiles'], { encoding: 'utf8' });
    expect(listed.split('\n').filter((file) => file.includes('build/docs'))).toHaveLength(snippets.length);
  });

  test.each(snippets)('$name runs and prints what its comments say', async ({ name, prints }) => {
    const log = vi.spyOn(console, 'log').mockImplementation(() => undefined);
    vi.stubGlobal('fetch', docsFetch);
    try {
      await import(join(folder, name));
      expect(log.mock.calls.map((args) => args.map(String).join(' '))).toEqual(prints);
    } finally {
      log.mockRestore();
      vi.unstubAllGlobals();
    }
  });
});

/** A code where it is thrown, or warned of: given to DataError, to its constructor from a subclass, or as an option of one. */
const CODE = /(?:new DataError\(|super\(|\bwarn\(\s*\w+,\s*|\bcode(?::| =))\s*'([a-z]+(?:-[a-z]+)+)'/g;

describe('docs/errors.md', () => {
  const thrown = new Set(
    filesIn('src', '.ts')
      .filter((file) => !file.includes('.test'))
      .flatMap((file) => [...readFileSync(join(root, file), 'utf8').matchAll(CODE)])
      .map(([, code = '']) => code),
  );
  const page = readFileSync(join(root, 'docs/errors.md'), 'utf8');
  const explained = [...page.matchAll(/^## ([a-z-]+)$/gm)].map(([, code = '']) => code);

  test('has a heading for every code that the sources throw, and no other', () => {
    expect(thrown.size).toBeGreaterThan(0);
    expect(explained.toSorted()).toEqual([...thrown].toSorted());
  });

  test('says for each code what it means, the usual cause and the cure', () => {
    for (const section of page.split(/^## /m).slice(1)) {
      const [code = ''] = section.split('\n');
      for (const word of ['**Means:**', '**Usual cause:**', '**Cure:**'])
        expect(section, `${code} has no ${word}`).toContain(word);
    }
  });
});
