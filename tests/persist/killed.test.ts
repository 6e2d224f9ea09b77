import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdtempSync, rmSync } from 'node:fs';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { buildSync } from 'esbuild';
import { chromium, type Page } from 'playwright';
import { afterAll, beforeAll, expect, test } from 'vitest';

/** How often the browser is killed. `CYCLES=200` for a night. */
const CYCLES = Number(process.env['CYCLES'] ?? 4);
const executable = process.env['CHROMIUM'] ?? '/usr/bin/chromium';
const root = join(import.meta.dirname, '../..');

interface RestoredRounds {
  readonly rounds: readonly number[];
  readonly count: number;
  readonly events: readonly { readonly type: string }[];
}

declare const restored: () => Promise<RestoredRounds>;
declare const write: (from: number) => Promise<void>;

let server: Server;
/** The last round of which the page has said that it is kept, and what waits for the next. */
let kept = 0;
let onKept: () => void = () => {};
const profile = mkdtempSync(join(tmpdir(), 'rejoin-killed-'));

beforeAll(async () => {
  const alias = { 'rejoin/persist': join(root, 'src/persist.ts'), rejoin: join(root, 'src/index.ts') };
  const define = { 'process.env.NODE_ENV': '"production"' };
  const entry = join(import.meta.dirname, 'killed-page.ts');
  const { outputFiles } = buildSync({ entryPoints: [entry], bundle: true, write: false, alias, define });
  const script = outputFiles[0]?.text ?? '';
  server = createServer(({ url = '' }, response) => {
    if (url.startsWith('/kept/')) {
      kept = Number(url.slice(6));
      onKept();
    }
    response.setHeader('content-type', url === '/page.js' ? 'text/javascript' : 'text/html');
    response.end(url === '/page.js' ? script : '<script src="/page.js"></script>');
  }).listen(0);
  await once(server, 'listening');
});

afterAll(() => {
  server.close();
  rmSync(profile, { recursive: true, force: true });
});

/** A Chromium of its own, all of whose processes are in one group. */
async function launch(): Promise<{ browser: ChildProcess; page: Page }> {
  const flags = [
    '--headless',
    '--no-sandbox',
    '--disable-gpu',
    '--remote-debugging-port=0',
    // The tabs and menus of a first window may come while Playwright connects, which then may wait forever.
    '--no-startup-window',
    `--user-data-dir=${profile}`,
  ];
  const browser = spawn(executable, flags, { detached: true, stdio: ['ignore', 'ignore', 'pipe'] });
  let said = '';
  const address = await new Promise<string>((resolve) => {
    browser.stderr?.on('data', (text: Buffer) => {
      said += text.toString();
      const found = /DevTools listening on (\S+)/.exec(said)?.[1];
      if (found !== undefined) resolve(found);
    });
  });
  const connected = await chromium.connectOverCDP(address, { timeout: 120_000 });
  const page = await (connected.contexts()[0] ?? (await connected.newContext())).newPage();
  await page.goto(`http://127.0.0.1:${(server.address() as AddressInfo).port}/`);
  return { browser, page };
}

async function kill(browser: ChildProcess): Promise<void> {
  const over = once(browser, 'exit');
  process.kill(-(browser.pid as number), 'SIGKILL');
  await over;
}

test.runIf(existsSync(executable))(
  'a browser that is killed in the middle of a write has a whole round at its next start, and none before the last that was kept',
  { timeout: 60_000 + CYCLES * 20_000 },
  async () => {
    let wiped = 0;
    for (let cycle = 0; cycle <= CYCLES; cycle++) {
      const { browser, page } = await launch(); // oxlint-disable-line no-await-in-loop -- one browser after another
      const { count, rounds, events } = await page.evaluate(() => restored()); // oxlint-disable-line no-await-in-loop -- one after another
      // Chromium itself loses a database about once in 75 kills, without an error; a cache may be lost, and is never torn.
      if (count === 0) wiped++;
      else {
        expect({ count, rounds: rounds.length }).toEqual({ count: 300, rounds: 1 });
        expect(rounds[0]).toBeGreaterThanOrEqual(kept);
        expect(events.map(({ type }) => type)).toEqual(['restored']);
      }
      const last = kept + 2 + (cycle % 5);
      // oxlint-disable-next-line no-await-in-loop -- one after another
      await new Promise<void>((resolve) => {
        onKept = () => kept >= last && resolve();
        void page.evaluate((from) => write(from), kept + 1).catch(() => {});
      });
      await kill(browser); // oxlint-disable-line no-await-in-loop -- one after another
    }
    // The first start has nothing to restore.
    expect(wiped).toBeLessThanOrEqual(1 + Math.ceil(CYCLES / 20));
  },
);
