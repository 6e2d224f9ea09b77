import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { type Browser, chromium, type Page } from 'playwright';
import { afterAll, afterEach, beforeAll, expect, inject, test } from 'vitest';
import { chromiumArgs, executablePath } from '../chromium.ts';
import { type RestServer, startRestServer } from '../endpoints/rest-server.ts';
import { filesBelow, openProject, type Project, type Running, tsc } from './project.ts';

const VITE = 'node_modules/vite/bin/vite.js';

let api: RestServer;
let app: Project;
let browser: Browser;
let site: Running | undefined;
beforeAll(async () => {
  api = await startRestServer();
  app = openProject('vite-app', inject('packed'));
  browser = await chromium.launch({ executablePath, args: [...chromiumArgs] });
});
afterEach(async () => {
  await site?.stop();
  site = undefined;
});
afterAll(async () => {
  await browser.close();
  app.remove();
  await api.close();
});

/** Opens the application. Returns its visible text, and the errors and warnings of the browser. */
async function open(url: string): Promise<{ readonly page: Page; readonly faults: readonly string[] }> {
  const page = await browser.newPage();
  const faults: string[] = [];
  page.on('console', (said) => ['error', 'warning'].includes(said.type()) && faults.push(said.text()));
  page.on('pageerror', (error) => faults.push(String(error)));
  await page.goto(url);
  return { page, faults };
}

const lines = (page: Page): Promise<readonly string[]> => page.getByRole('listitem').allInnerTexts();

test('a Vite application compiles and builds without a warning', async () => {
  expect((await app.run(tsc, ['--noEmit'])).stdout).toBe('');
  const { stdout, stderr } = await app.run(VITE, ['build']);
  expect(stdout).toContain('built in');
  expect(`${stdout}${stderr}`).not.toMatch(/warn|sourcemap|external/i);
  // The bundle has one copy of each module, and no entry points that the application does not import.
  const [script = ''] = filesBelow(join(app.folder, 'dist')).filter((file) => file.endsWith('.js'));
  const code = readFileSync(join(app.folder, 'dist', script), 'utf8');
  expect(code).toContain('pk-missing');
  expect(code).not.toContain('fixture-missing');
});

test('the built application shows joined records in a browser, and a change appears wherever the record is shown', async () => {
  site = await app.start(VITE, ['preview', '--host', '127.0.0.1', '--port', '0'], { API_URL: api.url });
  const { page, faults } = await open(site.url);
  await expect.poll(() => lines(page)).toEqual(['Write Ann', 'Test Ann', 'Rest Bob']);
  expect(api.asked().toSorted()).toEqual(['GET /todos', 'GET /users']);

  const release = api.hold('PATCH');
  await page.getByRole('button', { name: 'Ann' }).first().click();
  await expect.poll(() => lines(page)).toEqual(['Write Ann!', 'Test Ann!', 'Rest Bob']);
  expect(api.asked()).toEqual([]);
  release();
  await expect.poll(() => api.asked()).toEqual(['PATCH /users/1']);
  expect(await lines(page)).toEqual(['Write Ann!', 'Test Ann!', 'Rest Bob']);
  expect(faults).toEqual([]);
  await page.close();
});

test('the application shows the same in development, without a warning of Vite or of the browser', async () => {
  site = await app.start(VITE, ['--host', '127.0.0.1', '--port', '0'], { API_URL: api.url });
  // Vite bundles the packages for the first page. If it does so in two steps, that page stays empty until it is loaded again.
  const first = await browser.newPage();
  await first.goto(site.url);
  await first.close();
  const { page, faults } = await open(site.url);
  await expect.poll(() => lines(page)).toEqual(['Write Ann!', 'Test Ann!', 'Rest Bob']);
  expect(faults).toEqual([]);
  expect(site.printed()).not.toMatch(/warn|error|sourcemap/i);
  await page.close();
});
