import { once } from 'node:events';
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { buildSync } from 'esbuild';
import { type Browser, chromium, type CDPSession } from 'playwright';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { desktopChromium } from '../chromium.ts';

const root = join(import.meta.dirname, '../..');

/** A page that uses the samples of the guide. */
const PAGE = `
  import { Controller, getDefaultManagers } from 'rejoin';
  import { outbox, visits } from './model.ts';
  import { requestSync } from './request-sync.ts';
  const controller = new Controller({ managers: [outbox, ...getDefaultManagers()] });
  globalThis.add = async (place) => {
    controller.fetch(visits.create, { place }).catch(() => {});
    const isKept = await outbox.flush();
    await requestSync();
    return isKept;
  };
  await controller.ready;
  document.title = outbox.entries().length + ' edits';`;

/** Returns the page and the service worker of the guide, by their paths, for a server at an address. */
function scriptsFor(address: string): ReadonlyMap<string, string> {
  const folder = mkdtempSync(join(tmpdir(), 'rejoin-sync-'));
  try {
    const guide = readFileSync(join(root, 'docs/guide/offline-edits.md'), 'utf8');
    for (const [, source = '', name = ''] of guide.matchAll(/^```tsx?(?: browser)?\n(\/\/ (\S+)\n.*?)^```$/gms))
      writeFileSync(join(folder, name), source.replace('https://api.example.com', address));
    writeFileSync(join(folder, 'page.ts'), PAGE);
    const fileOf = (name: string): string => join(root, `src/${name}.ts`);
    const { outputFiles } = buildSync({
      entryPoints: ['page', 'service-worker'].map((name) => join(folder, `${name}.ts`)),
      outdir: folder,
      bundle: true,
      write: false,
      format: 'esm',
      alias: { 'rejoin/outbox': fileOf('outbox'), 'rejoin/persist': fileOf('persist'), rejoin: fileOf('index') },
      define: { 'process.env.NODE_ENV': '"production"' },
    });
    return new Map(outputFiles.map(({ path, text }) => [`/${basename(path)}`, text]));
  } finally {
    rmSync(folder, { recursive: true });
  }
}

let server: Server;
let browser: Browser;
let address: string;
let isUp = false;
/** The idempotency keys of the visits that the server has created. */
const created: unknown[] = [];

beforeAll(async () => {
  let scripts: ReadonlyMap<string, string> = new Map();
  server = createServer(({ url = '', headers }, response) => {
    const script = scripts.get(url);
    if (script !== undefined) response.setHeader('content-type', 'text/javascript').end(script);
    else if (url === '/visits') {
      if (isUp) created.push(headers['idempotency-key']);
      response.statusCode = isUp ? 201 : 503;
      response.setHeader('content-type', 'application/json').end('{"id":"1","place":"Rome"}');
    } else {
      response.setHeader('content-type', 'text/html');
      response.end(url === '/' ? '<script type="module" src="/page.js"></script>' : '<title>Another page</title>');
    }
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  address = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  scripts = scriptsFor(address);
  browser = await chromium.launch({ executablePath: desktopChromium, args: ['--no-sandbox', '--disable-gpu'] });
});

afterAll(async () => {
  await browser.close();
  server.close();
});

/** Makes the browser notify the service worker that there is a network. */
async function sync(session: CDPSession): Promise<void> {
  const registered = new Promise<string>((resolve) => {
    session.on('ServiceWorker.workerRegistrationUpdated', ({ registrations: [first] }) => {
      if (first !== undefined) resolve(first.registrationId);
    });
  });
  await session.send('ServiceWorker.enable');
  const registrationId = await registered;
  await session.send('ServiceWorker.dispatchSyncEvent', {
    origin: address,
    registrationId,
    tag: 'edits',
    lastChance: false,
  });
}

test.runIf(existsSync(desktopChromium))(
  'in Chromium, the service worker of the guide sends the edits of a page that was closed, once',
  { timeout: 600_000 },
  async () => {
    const context = await browser.newContext();
    const page = await context.newPage();
    await page.goto(address);
    await page.waitForFunction(() => document.title === '0 edits');
    const add = (): Promise<boolean> => (globalThis as unknown as { add(place: string): Promise<boolean> }).add('Rome');
    expect(await page.evaluate(add)).toBe(true);
    await page.close();
    isUp = true;

    const other = await context.newPage();
    await other.goto(`${address}/other`);
    await sync(await context.newCDPSession(other));
    await expect.poll(() => created.length).toBe(1);

    const next = await context.newPage();
    await next.goto(address);
    await next.waitForFunction(() => document.title === '0 edits');
    expect(created).toEqual([expect.any(String)]);
    await context.close();
  },
);
