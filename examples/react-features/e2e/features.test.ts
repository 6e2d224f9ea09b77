import { cpSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { buildSync } from 'esbuild';
import type { Page } from 'playwright';
import { createServer, type ViteDevServer } from 'vite';
import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from 'vitest';
import { sharedBrowser } from '../../../tests/chromium.ts';

const example = fileURLToPath(new URL('..', import.meta.url));
const FILES = [
  'index.html',
  'main.tsx',
  'app.tsx',
  'memo-list.tsx',
  'compiled-list.tsx',
  'renders.ts',
  'model.ts',
  'vite.config.ts',
  'package.json',
];

// The tests edit the files of a copy. It is inside the example, so that packages are found from there too, where git and all checks ignore it.
mkdirSync(join(example, 'build'), { recursive: true });
const folder = mkdtempSync(join(example, 'build/copy-'));
/** The library as few modules, as Vite serves the packages of an application. Each page would load hundreds of modules of the sources. */
const library = join(folder, 'node_modules/rejoin');
let server: ViteDevServer;
let page: Page;
let faults: string[] = [];

beforeAll(async () => {
  for (const file of FILES) cpSync(join(example, file), join(folder, file));
  buildSync({
    entryPoints: ['index', 'react'].map((entry) => join(example, `../../src/${entry}.ts`)),
    outdir: library,
    bundle: true,
    splitting: true,
    format: 'esm',
    jsx: 'automatic',
    packages: 'external',
  });
  server = await createServer({
    root: folder,
    configFile: join(folder, 'vite.config.ts'),
    resolve: { alias: { 'rejoin/react': join(library, 'react.js'), rejoin: join(library, 'index.js') } },
    logLevel: 'error',
    server: { port: 0, host: '127.0.0.1' },
  });
  await server.listen();
  page = await (await sharedBrowser()).newPage();
  page.on('pageerror', ({ message }) => faults.push(message));
  page.on('console', (said) => said.type() === 'error' && faults.push(said.text()));
});

afterAll(async () => {
  await page.close();
  await server.close();
  rmSync(folder, { recursive: true, force: true });
});

beforeEach(async () => {
  faults = [];
  await page.goto(server.resolvedUrls?.local[0] ?? '');
  await page.getByText('three').first().waitFor();
});

afterEach(() => {
  if (faults.length > 0) throw new Error(faults.join('\n'));
});

const press = (name: string): Promise<void> => page.getByRole('button', { name, exact: true }).click();
const itemsOf = (list: string): Promise<readonly string[]> =>
  page.getByRole('list', { name: list }).getByRole('listitem').allInnerTexts();
const read = <Value>(name: string): Promise<Value> =>
  page.evaluate((member) => structuredClone(Reflect.get(globalThis, member)) as Value, name);
const heading = (): Promise<string> => page.getByRole('heading').innerText();

/** Returns the rows that have rendered since `before`. */
async function renderedAfter(before: Readonly<Record<string, number>>): Promise<readonly string[]> {
  const now = await read<Record<string, number>>('renders');
  return Object.keys(now).filter((name) => now[name] !== before[name]);
}

test('memo() and the React Compiler: only the row of the changed record renders', async () => {
  const before = await read<Record<string, number>>('renders');
  await press('rename');
  await expect.poll(() => itemsOf('memo')).toEqual(['renamed', 'two', 'three']);
  await expect.poll(() => itemsOf('compiled')).toEqual(['renamed', 'two', 'three']);
  expect(await renderedAfter(before)).toEqual(['memo 1', 'compiled 1']);
});

test('a parent that renders does not render the rows, with memo() or compiled', async () => {
  const before = await read<Record<string, number>>('renders');
  await press('count 0');
  await page.getByRole('button', { name: 'count 1' }).waitFor();
  expect(await renderedAfter(before)).toEqual([]);
});

test('StrictMode: the list is fetched once', async () => {
  expect(await read<number>('asked')).toBe(1);
});

test('Activity: a list that was hidden while a record changed shows the new value', async () => {
  await press('hide');
  await expect.poll(() => page.getByRole('list', { name: 'compiled' }).count()).toBe(0);
  await press('rename');
  await expect.poll(heading).toBe('renamed');
  await press('show');
  await expect.poll(() => itemsOf('compiled')).toEqual(['renamed', 'two', 'three']);
  expect(await read<number>('asked')).toBe(1);
});

test('a view transition: a change in startTransition is animated, and any other change is not', async () => {
  await page.evaluate(() => {
    const begin = document.startViewTransition.bind(document);
    Object.assign(globalThis, { animated: 0 });
    document.startViewTransition = (...args) => {
      Object.assign(globalThis, { animated: 1 + (Reflect.get(globalThis, 'animated') as number) });
      return begin(...args);
    };
  });
  await press('rename');
  await expect.poll(heading).toBe('renamed');
  expect(await read<number>('animated')).toBe(0);
  await press('rename in a transition');
  await expect.poll(heading).toBe('animated');
  expect(await read<number>('animated')).toBe(1);
});

test('Fast Refresh: an edited class takes effect, and records and the state of components are kept', async () => {
  await press('count 0');
  await press('rename');
  await expect.poll(heading).toBe('renamed');
  const file = join(folder, 'model.ts');
  const text = readFileSync(file, 'utf8');
  try {
    writeFileSync(file, text.replace('return this.title;', 'return `${this.title}!`;'));
    await expect.poll(heading).toBe('renamed!');
    expect(await itemsOf('memo')).toEqual(['renamed!', 'two!', 'three!']);
    expect(await page.getByRole('button', { name: 'count 1' }).count()).toBe(1);
    // The page was not loaded again, and no request was sent again.
    expect(await read<number>('asked')).toBe(1);
    await press('rename in a transition');
    await expect.poll(heading).toBe('animated!');
  } finally {
    writeFileSync(file, text);
  }
});
