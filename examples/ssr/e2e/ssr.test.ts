import { connect } from 'node:net';
import { fileURLToPath } from 'node:url';
import { build } from 'esbuild';
import type { Browser, Page } from 'playwright';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { sharedBrowser } from '../../../tests/chromium.ts';
import { asked } from '../api.ts';
import { serve, type Serving } from '../server.tsx';

const source = (path: string): string => fileURLToPath(new URL(`../../../src/${path}`, import.meta.url));
let serving: Serving;
let browser: Browser;

/** The script of the page, bundled from the sources. The example itself uses the built package. */
async function script(): Promise<string> {
  const { outputFiles } = await build({
    entryPoints: [fileURLToPath(new URL('../browser.tsx', import.meta.url))],
    alias: { 'rejoin/react': source('react.ts'), 'rejoin/ssr': source('ssr.ts'), rejoin: source('index.ts') },
    bundle: true,
    format: 'esm',
    jsx: 'automatic',
    define: { 'process.env.NODE_ENV': '"development"' },
    tsconfigRaw: {},
    write: false,
  });
  return outputFiles[0]?.text ?? '';
}

beforeAll(async () => {
  const text = await script();
  serving = await serve(async () => text);
  browser = await sharedBrowser();
});

afterAll(() => {
  serving.server.closeAllConnections();
  serving.server.close();
});

beforeEach(() => void (asked.length = 0));

async function opened(): Promise<{ readonly page: Page; readonly said: string[] }> {
  const page = await browser.newPage();
  const said: string[] = [];
  page.on('console', (message) => {
    if (!message.text().includes('React DevTools')) said.push(message.text());
  });
  page.on('pageerror', (error) => said.push(String(error)));
  page.on('dialog', (dialog) => {
    said.push(`dialog ${dialog.message()}`);
    void dialog.dismiss();
  });
  await page.goto(serving.address, { waitUntil: 'commit' });
  return { page, said };
}

const hydrationErrors = async (page: Page): Promise<unknown> =>
  page.evaluate(() => (globalThis as { hydrationErrors?: unknown }).hydrationErrors);

describe('the example of server rendering, in Chromium', () => {
  it('is sent in parts, each after the records from which it was rendered', async () => {
    const response = await fetch(serving.address);
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
  });

  it('is hydrated without an error and without a request', async () => {
    const { page, said } = await opened();
    await page.locator('article').nth(2).locator('li').nth(1).waitFor();
    await page.getByText('Ann is known').waitFor();
    await expect.poll(async () => page.getByText('are loading').count()).toBe(0);
    expect(await hydrationErrors(page)).toEqual([]);
    expect(said).toEqual([]);
    const once = ['', '/1', '/2', '/3', '/1/comments', '/2/comments', '/3/comments'].map(
      (path) => `GET /api/posts${path}`,
    );
    expect(asked.filter((what) => once.includes(what)).length).toBe(asked.length);
    expect(new Set(asked).size).toBe(asked.length);
    const { SCREENSHOT } = process.env;
    if (SCREENSHOT !== undefined) await page.screenshot({ path: SCREENSHOT });
    await page.close();
  });

  it('reacts to clicks while later parts are still loading', async () => {
    const { page } = await opened();
    // React repeats clicks on parts that wait for hydration. A click before the script has run is lost.
    await page.waitForFunction(() => 'hydrationErrors' in globalThis);
    const button = page.locator('article').first().getByRole('button');
    await button.click();
    await expect.poll(async () => button.textContent()).toBe('4 likes');
    await page.locator('article').nth(2).locator('li').nth(1).waitFor();
    await expect.poll(async () => asked.filter((what) => what.startsWith('PATCH'))).toEqual(['PATCH /api/posts/1']);
    expect(await button.textContent()).toBe('4 likes');
    expect(await hydrationErrors(page)).toEqual([]);
    await page.close();
  });

  it('does not run scripts in records', async () => {
    const { page, said } = await opened();
    await page.locator('article').nth(2).locator('li').nth(1).waitFor();
    expect(await page.locator('h2').nth(2).textContent()).toBe('</script><script>alert(1)</script>');
    expect(said).toEqual([]);
    await page.close();
  });

  it('keeps serving other clients when one client disconnects during a request', async () => {
    const socket = connect(Number(new URL(serving.address).port), '127.0.0.1');
    socket.write('PATCH /api/posts/1 HTTP/1.1\r\nHost: page\r\nContent-Length: 9\r\n\r\n{');
    await expect.poll(() => asked).toEqual(['PATCH /api/posts/1']);
    socket.destroy();
    const html = await (await fetch(serving.address)).text();
    expect(html).toContain('Comment 2 on post 3');
  });

  it('has headers that forbid shared caches to keep the page', async () => {
    const response = await fetch(serving.address);
    expect(response.headers.get('cache-control')).toBe('private, no-store');
    expect(response.headers.get('content-type')).toBe('text/html; charset=utf-8');
    const html = await response.text();
    expect(html).toMatch(/^<!DOCTYPE html><script type="application\/json"/);
    expect(html.endsWith('</html>')).toBe(true);
    expect(html).not.toContain('<script>alert');
  });
});
