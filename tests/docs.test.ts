import { execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, readFileSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { format } from 'node:util';
import { Script } from 'node:vm';
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import { boostOf, tokenize, withKeywords } from '../docs/.vitepress/search.ts';
import { examplesByName, hiddenNames, publicNames } from '../scripts/examples.mjs';
import { docsFetch } from './docs-api.ts';

const root = join(dirname(fileURLToPath(import.meta.url)), '..');
const folder = join(root, 'build/docs');
const filesIn = (where: string, end: string): string[] =>
  readdirSync(join(root, where), { recursive: true, encoding: 'utf8' })
    .filter((file) => file.endsWith(end) || file.endsWith(`${end}x`))
    .map((file) => join(where, file));

interface Snippet {
  /** Each page has a folder, so that a snippet can import another snippet of the page by the name in its first line. */
  readonly name: string;
  readonly source: string;
  /** Other snippets are only compiled. */
  readonly isRun: boolean;
  /** The output that the comments `// → …` promise. */
  readonly prints: readonly string[];
}

const pages = [
  'README.md',
  'ARCHITECTURE.md',
  'CONTRIBUTING.md',
  ...filesIn('skills', '.md'),
  ...filesIn('docs', '.md').filter((page) => !/^docs\/(reference|\.vitepress)\//.test(page)),
];
/** A block that is marked `continue` is appended to the block before it. */
const joined = (text: string): string => text.replaceAll(/^```\n(?:(?!```).*\n)*?```tsx? continue\n/gm, '');
const snippets: readonly Snippet[] = pages.flatMap((page) =>
  [...joined(readFileSync(join(root, page), 'utf8')).matchAll(/^```(tsx?)( browser)?\n(.*?)^```$/gms)].map(
    ([, kind, where, source = ''], at) => ({
      name: `${page.replaceAll(/\W/g, '-')}/${/^\/\/ (\S+\.tsx?)\n/.exec(source)?.[1] ?? `${at + 1}.${kind}`}`,
      source,
      // Code of other libraries needs their servers and compilers, and some code needs a page.
      isRun: where === undefined && !source.startsWith('// peers/'),
      prints: [...source.matchAll(/\/\/ → (.*)$/gm)].map(([, text = '']) => text.trim()),
    }),
  ),
);

/** The libraries whose code is in the documents. In other tests, these names lead to the sources of this library. */
const PEERS = {
  '@data-client/react': 'bench/node_modules/@data-client/react/lib/index.d.ts',
  '@data-client/rest': 'node_modules/@data-client/rest',
};

/** Returns the paths by which the compiler finds the packages from the folder of the snippets. */
function pathsOfPeers(): Readonly<Record<string, readonly string[]>> {
  const entryPoints = ['devtools', 'outbox', 'persist', 'react', 'ssr', 'tabs', 'testing', 'wire'].map((entryPoint) => [
    `rejoin/${entryPoint}`,
    `src/${entryPoint}.ts`,
  ]);
  const all = [['rejoin', 'src/index.ts'], ...entryPoints, ...Object.entries(PEERS)];
  return Object.fromEntries(all.map(([name = '', file = '']) => [name, [`../../${file}`]]));
}

beforeAll(() => {
  rmSync(folder, { recursive: true, force: true });
  mkdirSync(folder, { recursive: true });
  for (const { name, source } of snippets) {
    mkdirSync(dirname(join(folder, name)), { recursive: true });
    writeFileSync(join(folder, name), source);
  }
  writeFileSync(
    join(folder, 'tsconfig.json'),
    JSON.stringify({
      extends: '../../tsconfig.json',
      // A fresh Vite application sets the last two.
      compilerOptions: { paths: pathsOfPeers(), noUnusedLocals: true, noUnusedParameters: true },
      include: ['**/*.ts', '**/*.tsx'],
      exclude: [],
    }),
  );
});

afterAll(() => rmSync(folder, { recursive: true, force: true }));

describe('the snippets of the documents', () => {
  test('include the example of the README', () => {
    expect(snippets.map(({ name }) => name)).toContain('README-md/after.tsx');
  });

  test('compile', () => {
    const tsc = join(root, 'node_modules/@typescript/native/bin/tsc');
    const listed = execFileSync(process.execPath, [tsc, '-p', folder, '--noEmit', '--listFiles'], { encoding: 'utf8' });
    expect(listed.split('\n').filter((file) => file.includes('build/docs'))).toHaveLength(snippets.length);
  });

  test.each(snippets.filter(({ isRun }) => isRun))(
    '$name runs and prints what its comments say',
    async ({ name, prints }) => {
      const log = vi.spyOn(console, 'log').mockImplementation(() => undefined);
      vi.stubGlobal('fetch', docsFetch);
      try {
        await import(join(folder, name));
        // What a reader sees who runs the snippet: a list is printed with its brackets.
        expect(log.mock.calls.map((args) => format(...args))).toEqual(prints);
      } finally {
        log.mockRestore();
        vi.unstubAllGlobals();
      }
    },
  );
});

test('each table has a heading, and as many cells in each row as in the heading', () => {
  const text = (page: string): string => readFileSync(join(root, page), 'utf8').replaceAll(/^```.*?^```$/gms, '');
  const cells = (line: string): number => line.replaceAll('\\|', '').split('|').length;
  const tables = pages.flatMap((page) =>
    [...text(page).matchAll(/^\|.*(?:\n\|.*)*/gm)].map(([table]) => ({ page, rows: table.split('\n') })),
  );
  expect(tables.length).toBeGreaterThan(50);
  const broken = tables.filter(
    ({ rows: [heading = '', line = '', ...rows] }) =>
      !/^[|: -]+$/.test(line) || [line, ...rows].some((row) => cells(row) !== cells(heading)),
  );
  expect(broken.map(({ page, rows }) => `${page}: ${rows[0]}`)).toEqual([]);
});

test('the figures of the README are those of the benchmark', () => {
  const read = (file: string): string => readFileSync(join(root, file), 'utf8');
  const cells = (line: string): string[] =>
    line
      .split('|')
      .slice(2, -1)
      .map((cell) => cell.replace(/\(.*\)/, '').trim());
  const rows = (file: string): string[][] =>
    read(file)
      .split('\n')
      .filter((line) => line.startsWith('| '))
      .map(cells);
  // The columns of that table: Rejoin, data-client, TanStack Query.
  const measured = rows('bench/react/README.md').map(([own, dataClient, tanstack]) => [own, tanstack, dataClient]);
  const quoted = rows('README.md').filter((row) => row.length === 3 && row.every((cell) => /^[\d.]+$/.test(cell)));
  expect(quoted).toHaveLength(3);
  expect(measured).toEqual(expect.arrayContaining(quoted));
});

test('the size in the README is the size of an application with React', () => {
  const [, kilobytes] = /pays (\d+) kB/.exec(readFileSync(join(root, 'README.md'), 'utf8')) ?? [];
  const sets = JSON.parse(readFileSync(join(root, 'scripts/size.json'), 'utf8')) as { name: string; limit: number }[];
  const limit = sets.find(({ name }) => name === 'the whole of the specification, with React')?.limit ?? 0;
  expect(Math.abs(Number(kilobytes) - limit / 1000)).toBeLessThan(1);
});

describe('the tutorial', () => {
  const page = readFileSync(join(root, 'docs/tutorial.md'), 'utf8');

  test('comes with an API that answers its requests, from another origin too', async () => {
    const [, source = ''] = /^```js\n\/\/ api\.mjs\n(.*?)^```$/ms.exec(page) ?? [];
    const file = join(folder, 'api.mjs');
    writeFileSync(file, source);
    const api = spawn(process.execPath, [file], {
      env: { ...process.env, PORT: '0' },
      stdio: ['ignore', 'pipe', 'inherit'],
    });
    try {
      const [printed] = (await once(api.stdout, 'data')) as [Buffer];
      const address = String(printed).trim();
      const [first] = (await (await fetch(address)).json()) as { author: { id: string; name: string } }[];
      expect(first?.author).toEqual({ id: '1', name: 'Ann' });
      const user = new URL('/users/1', address);
      const allowed = await fetch(user, { method: 'OPTIONS' });
      expect(allowed.ok && allowed.headers.get('Access-Control-Allow-Origin')).toBe('*');
      const changed = await fetch(user, { method: 'PATCH', body: JSON.stringify({ name: 'Anna' }) });
      expect(await changed.json()).toEqual({ id: '1', name: 'Anna' });
    } finally {
      api.kill();
    }
  });

  test('uses the file names of a fresh Vite project, and their default export', () => {
    expect([...page.matchAll(/^\/\/ (src\/\S+)$/gm)].map(([, file]) => file)).toEqual([
      'src/model.ts',
      'src/App.tsx',
      'src/Authors.tsx',
      'src/script.ts',
    ]);
    expect(page).toContain('export default function App()');
  });
});

describe('the reference', () => {
  const names = publicNames();
  const found = examplesByName();
  const hidden = hiddenNames();

  test('has an example for each public name that it lists', () => {
    expect(names.length).toBeGreaterThan(400);
    const isListed = ({ name }: { readonly name: string }): boolean => !hidden.has(name);
    const without = names.filter((one) => isListed(one) && !found.get(`${one.entryPoint} ${one.name}`)?.length);
    expect(without.map(({ entryPoint, name }) => `${entryPoint} ${name}`)).toEqual([]);
  });

  test('leaves out only types that the compiler alone works out', () => {
    expect([...hidden].toSorted()).toEqual([
      'AnySearch',
      'Defaults',
      'ExplainedQuery',
      'FromFallBack',
      'HookableEndpointInterface',
      'ItemsOf',
      'KeyofEndpointInstance',
      'KeyofRestEndpoint',
      'MethodToSide',
      'OfChange',
      'OfDelete',
      'OfList',
      'OfPart',
      'OfRecord',
      'OwnerByPk',
      'PolymorphicInterface',
      'Returning',
      'Rows',
      'SchemaClass',
      'Selected',
      'WithPk',
    ]);
    const isType = (text: string): boolean => /\nexport (?:type|interface) /.test(text);
    expect(names.filter(({ name }) => hidden.has(name)).every(({ text }) => isType(text))).toBe(true);
  });

  test('shows an example on the page of a name, with the pages that it is from', () => {
    const [example] = found.get('rejoin/react useSuspense') ?? [];
    expect(example?.page).toMatch(/^guide\//);
    expect(example?.source).toContain('useSuspense(');
  });
});

describe('the search of the site', () => {
  test('finds the parts of a name', () => {
    expect(tokenize('useSuspense(getHTTPState)')).toEqual([
      'useSuspense',
      'getHTTPState',
      'use',
      'Suspense',
      'get',
      'HTTP',
      'State',
    ]);
  });

  test('shows pages that teach before pages to look things up, by functions that run in the browser by themselves', () => {
    const ids = ['/reference/rejoin/interfaces/Note', '/errors#x', '/comparison', '/recipes/lists', '/guide/hooks'];
    expect(ids.map(boostOf)).toEqual([0.1, 0.3, 0.3, 1, 2]);
    // VitePress sends the text of a function, so the function cannot use other names of its module.
    const alone = <Own>(own: Own): Own => new Script(`(${String(own)})`).runInThisContext() as Own;
    expect(alone(boostOf)('/guide/hooks')).toBe(2);
    expect(alone(tokenize)('useQuery')).toContain('Query');
  });

  test('reads the keywords of a page below its heading', () => {
    expect(withKeywords('<h1>Forms</h1><p>…</p>', ['422', 'submit'])).toBe('<h1>Forms</h1><p>422, submit</p><p>…</p>');
    expect(withKeywords('<h1>Forms</h1>', undefined)).toBe('<h1>Forms</h1>');
  });

  test.each([
    ['placeholder', 'guide/search'],
    ['keepPreviousData', 'guide/search'],
    ['loading state', 'guide/queries'],
    ['infinite scroll', 'guide/infinite-lists'],
    ['foreign key', 'recipes/client-side-join'],
    ['normalize', 'explanation/normalization'],
    ['refetchOnWindowFocus', 'guide/important-defaults'],
    ['invalidateQueries', 'guide/mutations'],
    ['rollback', 'guide/optimistic-updates'],
    ['422', 'guide/forms'],
    ['JWT', 'guide/authentication'],
    ['React Router', 'guide/prefetching'],
    ['cache policy', 'guide/important-defaults'],
    ['select', 'guide/queries'],
    ['fragment', 'recipes/list-and-detail'],
    ['suspense error boundary', 'guide/error-handling'],
    ['unhandled rejection', 'guide/error-handling'],
    ['upload file', 'guide/forms'],
    ['hydrate', 'recipes/ssr'],
    ['cache-and-network', 'guide/important-defaults'],
    ['useLazyQuery', 'guide/queries'],
    ['isFetching', 'guide/refetching'],
    ['refetchQueries', 'guide/mutations'],
    ['setQueryData', 'guide/hooks'],
    ['typePolicies', 'explanation/normalization'],
  ])('finds %s in %s', (asked, page) => {
    const words = tokenize(readFileSync(join(root, `docs/${page}.md`), 'utf8'));
    expect(words).toEqual(expect.arrayContaining(tokenize(asked)));
  });
});

/** Finds the codes of errors and warnings: arguments of DataError, of its constructor in a subclass, of `warn`, and options named `code`. */
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
