import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { createServer } from 'node:net';
import { fileURLToPath } from 'node:url';
import type { Browser, Page } from 'playwright';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { sharedBrowser } from '../../../tests/chromium.ts';

const next = createRequire(import.meta.url).resolve('next/dist/bin/next');
const cwd = fileURLToPath(new URL('..', import.meta.url));
let server: ChildProcess;
let address: string;
let browser: Browser;

/** Starts Next with the sources of the library. */
function run(args: readonly string[], PORT: string): ChildProcess {
  // The tests have a separate build folder, because `npm run build` writes a build with the built package.
  const env = { ...process.env, NODE_ENV: 'production' as const, SOURCES: '1', BUILD: 'build/e2e', PORT };
  return spawn(process.execPath, [next, ...args], { cwd, env });
}

async function textOf({ stdout, stderr }: ChildProcess, isEnough: (text: string) => boolean): Promise<string> {
  let text = '';
  return new Promise((resolve) => {
    for (const stream of [stdout, stderr])
      stream?.on('data', (chunk) => {
        text += String(chunk);
        if (isEnough(text)) resolve(text);
      });
    stdout?.on('close', () => resolve(text));
  });
}

const textIn = async (file: string): Promise<string> => readFile(`${cwd}${file}`, 'utf8');

async function freePort(): Promise<string> {
  const probe = createServer().listen(0, '127.0.0.1');
  await once(probe, 'listening');
  const { port } = probe.address() as { readonly port: number };
  probe.close();
  return String(port);
}

beforeAll(async () => {
  const port = await freePort();
  const building = run(['build'], port);
  const [printed, [code]] = await Promise.all([textOf(building, () => false), once(building, 'close')]);
  if (code !== 0) throw new Error(printed);
  server = run(['start', '--hostname', '127.0.0.1', '--keepAliveTimeout', '60000'], port);
  await textOf(server, (text) => text.includes('Ready'));
  address = `http://127.0.0.1:${port}`;
  browser = await sharedBrowser();
});

afterAll(() => void server?.kill());

const asked = async (): Promise<string[]> => (await fetch(`${address}/api/asked`)).json();

beforeEach(async () => void (await asked()));

async function opened(path = '/'): Promise<{ readonly page: Page; readonly said: string[] }> {
  const page = await browser.newPage();
  const said: string[] = [];
  page.on('console', (message) => said.push(message.text()));
  page.on('pageerror', (error) => said.push(String(error)));
  page.on('dialog', (dialog) => {
    said.push(`dialog ${dialog.message()}`);
    void dialog.dismiss();
  });
  await page.goto(address + path, { waitUntil: 'commit' });
  return { page, said };
}

const all = ['', '/1/comments', '/2/comments', '/3/comments'].map((path) => `GET /api/posts${path}`);

describe('the example of the App Router, in Chromium', () => {
  it('is sent in parts, each after the records from which it was rendered', async () => {
    const response = await fetch(address);
    const parts: string[] = [];
    for await (const part of response.body ?? []) parts.push(new TextDecoder().decode(part));
    expect(parts.length).toBeGreaterThan(2);
    expect(parts[0]).toContain('Posts are loading');
    expect(parts[0]).toContain('Nobody is known yet');
    const html = parts.join('');
    for (const text of ['Joins on a server', 'Comment 2 on post 1', 'Comment 2 on post 3']) {
      const [record, shown] = [html.indexOf(`"${text}"`), html.lastIndexOf(text)];
      expect(record).toBeGreaterThan(0);
      expect(record).toBeLessThan(shown);
    }
    expect(html).not.toContain('<script>alert');
    expect(response.headers.get('cache-control')).toContain('no-store');
  });

  it('is hydrated without an error and without a request', async () => {
    const { page, said } = await opened();
    await page.locator('article').nth(2).locator('li').nth(1).waitFor();
    await page.getByText('Ann is known').waitFor();
    await expect.poll(async () => page.getByText('are loading').count()).toBe(0);
    expect(await page.locator('h2').nth(2).textContent()).toBe('</script><script>alert(1)</script>');
    // React reports hydration errors in the console.
    expect(said).toEqual([]);
    expect((await asked()).sort()).toEqual(all);
    const { SCREENSHOT } = process.env;
    if (SCREENSHOT !== undefined) await page.screenshot({ path: SCREENSHOT });
    await page.close();
  });

  it('reacts to clicks, and shows a post of the list without a request', async () => {
    const { page, said } = await opened();
    await page.locator('article').nth(2).locator('li').nth(1).waitFor();
    // This text is shown after React has hydrated the page. A click before that is lost.
    await page.getByText('Ann is known').waitFor();
    const button = page.locator('article').first().getByRole('button');
    const likes = Number.parseInt((await button.textContent()) ?? '', 10) + 1;
    await button.click();
    await expect.poll(async () => button.textContent()).toBe(`${likes} likes`);
    await expect.poll(asked).toContain('PATCH /api/posts/1');
    await page.getByText('Joins on a server').click();
    await page.getByText('All posts').waitFor();
    expect(await page.locator('article').count()).toBe(1);
    expect(await page.getByRole('button').textContent()).toBe(`${likes} likes`);
    await page.getByText('All posts').click();
    await expect.poll(async () => page.locator('article').count()).toBe(3);
    expect(await asked()).toEqual([]);
    expect(said).toEqual([]);
    await page.close();
  });

  it('has the provider of the recipe', async () => {
    const [recipe, provider] = await Promise.all([textIn('../../docs/recipes/ssr.md'), textIn('app/data.tsx')]);
    expect(recipe).toContain(`\n${provider}\`\`\`\n`);
  });

  it('has a store for each page: no page has the data of another', async () => {
    const pages = await Promise.all(
      Array.from({ length: 30 }, async (_, at) => (await fetch(`${address}/posts/${(at % 2) + 1}`)).text()),
    );
    for (const [at, html] of pages.entries()) {
      expect(html).toContain(`"Comment 1 on post ${(at % 2) + 1}"`);
      expect(html).not.toContain(`on post ${2 - (at % 2)}`);
    }
    expect((await asked()).length).toBe(60);
  });
});
