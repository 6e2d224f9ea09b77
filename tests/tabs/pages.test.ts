import { existsSync } from 'node:fs';
import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { buildSync } from 'esbuild';
import { type Browser, chromium, type Page } from 'playwright';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { deferred } from '../../src/std/deferred.ts';
import { executablePath } from '../chromium.ts';

const root = join(import.meta.dirname, '../..');

let server: Server;
let browser: Browser;
const requests: string[] = [];
/** While set, the answers to requests of this method wait for the promise. */
let gate: { readonly method: string; readonly opened: Promise<void> } | undefined;
const tasks = [{ id: '1', title: 'a' }];

beforeAll(async () => {
  const fileOf = (name: string): string => join(root, `src/${name}.ts`);
  const { outputFiles } = buildSync({
    entryPoints: [join(import.meta.dirname, 'page.tsx')],
    bundle: true,
    write: false,
    jsx: 'automatic',
    alias: { 'rejoin/tabs': fileOf('tabs'), 'rejoin/react': fileOf('react'), rejoin: fileOf('index') },
    define: { 'process.env.NODE_ENV': '"production"' },
  });
  const script = outputFiles[0]?.text ?? '';
  server = createServer((request, response) => {
    const { url = '', method = '' } = request;
    if (!url.startsWith('/tasks')) {
      response.setHeader('content-type', url === '/page.js' ? 'text/javascript' : 'text/html');
      response.end(url === '/page.js' ? script : '<main></main><script src="/page.js"></script>');
      return;
    }
    requests.push(`${method} ${url}`);
    if (method === 'POST') tasks.push({ id: String(tasks.length + 1), title: 'new' });
    response.setHeader('content-type', 'application/json');
    const answer = (): void => void response.end(JSON.stringify(method === 'POST' ? tasks.at(-1) : tasks));
    if (method === gate?.method) void gate.opened.then(answer);
    else answer();
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  browser = await chromium.launch({ executablePath, args: ['--no-sandbox', '--disable-gpu'] });
});

afterAll(async () => {
  await browser.close();
  server.close();
});

test.runIf(existsSync(executablePath))(
  'in Chromium, three tabs of an application share data, requests and logouts, also after one of them is closed',
  { timeout: 600_000 },
  async () => {
    const context = await browser.newContext();
    const open = async (): Promise<Page> => {
      const page = await context.newPage();
      await page.goto(`http://127.0.0.1:${(server.address() as AddressInfo).port}/`);
      return page;
    };
    const shows = (page: Page, text: string): Promise<unknown> => page.waitForSelector(`main:has-text("${text}")`);
    const one = await open();
    await shows(one, 'a.');
    let other = await open();
    await shows(other, 'a.');
    const third = await open();
    await shows(third, 'a.');
    expect(requests).toEqual(['GET /tasks']);
    await other.click('#create');
    await Promise.all([one, other, third].map((page) => shows(page, 'a, new.')));
    expect(requests).toEqual(['GET /tasks', 'POST /tasks']);
    await one.close();
    await other.click('#create');
    await Promise.all([other, third].map((page) => shows(page, 'a, new, new.')));
    // The optimistic change of one tab is shown in the other, and removed when its tab is closed.
    const answered = deferred();
    gate = { method: 'POST', opened: answered.promise };
    await other.click('#create');
    await Promise.all([other, third].map((page) => shows(page, 'a, new, new, new.')));
    tasks.pop();
    await other.close();
    await shows(third, 'a, new, new.');
    answered.resolve();
    gate = undefined;
    other = await open();
    await shows(other, 'a, new, new.');
    requests.length = 3;
    const loaded = deferred();
    gate = { method: 'GET', opened: loaded.promise };
    await third.click('#logout');
    await Promise.all([other, third].map((page) => shows(page, 'Loading')));
    loaded.resolve();
    await Promise.all([other, third].map((page) => shows(page, 'logouts seen: 1')));
    await Promise.all([other, third].map((page) => shows(page, 'a, new, new.')));
    // After a logout each screen fetches again, with one request for both.
    expect(requests.slice(3)).toEqual(['GET /tasks']);
    await context.close();
  },
);
