import { existsSync } from 'node:fs';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { deferred } from '../../src/std/deferred.ts';
import { desktopChromium } from '../chromium.ts';
import { type ChromiumPage, ChromiumPages } from './chromium-pages.ts';
import { type PageServer, servePage } from './page-server.ts';
import { TaskServer } from './server.ts';
import type { TabState } from './real-tabs-judge.ts';

let browser: ChromiumPages;
let server: PageServer;
let tasks = new TaskServer('R');
/** Whether the server can be reached, how many requests wait for its answer, and whether answers are lost. */
const network = { isOnline: true, held: undefined as Promise<void> | undefined, waiting: 0, isLosing: false };
let pages: ChromiumPage[] = [];

const until = async (isTrue: () => unknown): Promise<void> => {
  while (!(await isTrue())) await new Promise((resolve) => void setTimeout(resolve, 50)); // oxlint-disable-line no-await-in-loop -- until it is true
};

async function open(name: string): Promise<ChromiumPage> {
  const page = await browser.open(`${server.address}#${name}`);
  pages.push(page);
  await start(page);
  return page;
}

async function start(page: ChromiumPage): Promise<void> {
  await until(() => page.run('typeof look === "function" && document.readyState === "complete"'));
  await page.run('globalThis.errors = []; addEventListener("error", ({ message }) => errors.push(message)); open()');
}

/** Leaves a page and returns to it. Returns why the browser had not kept it; `undefined` if it had. */
async function leaveAndReturn(page: ChromiumPage, whileAway: () => void): Promise<unknown> {
  await page.run('globalThis.isSame = true; addEventListener("pageshow", ({ persisted }) => (isSame = persisted))');
  await page.goTo('data:text/html,elsewhere');
  await until(async () => (await page.run('location.protocol')) === 'data:');
  whileAway();
  await page.goBack();
  await until(async () => (await page.run('typeof look')) === 'function');
  if ((await page.run('globalThis.isSame')) === true) return undefined;
  return page.run('JSON.stringify(performance.getEntriesByType("navigation")[0].notRestoredReasons)');
}

const edit = async (page: ChromiumPage, title: string, id?: string): Promise<void> =>
  void (await page.run(`edit(${JSON.stringify(title)}, ${JSON.stringify(id)})`));

/** Waits until no edit waits, and all pages show the data of the server. */
async function settled(): Promise<void> {
  await until(async () => {
    const looks = await Promise.all(pages.map(async (page) => (await page.run('look()')) as TabState));
    const due = tasks.tasks.map(({ id, title }) => `${id} ${title}`).sort();
    return looks.every(({ shown, waiting }) => waiting.length === 0 && String([...shown].sort()) === String(due));
  });
  for (const page of pages) expect(await page.run('errors')).toEqual([]); // oxlint-disable-line no-await-in-loop -- one after another
}

async function answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
  let body = '';
  for await (const piece of request) body += String(piece);
  network.waiting++;
  await network.held;
  network.waiting--;
  if (!network.isOnline) return void response.destroy();
  const { headers, method = 'GET', url = '' } = request;
  const key = String(headers['idempotency-key'] ?? '');
  const sent = { method, headers: { 'idempotency-key': key }, ...(body !== '' && { body }) };
  const given = tasks.answer(url, sent);
  if (network.isLosing) return void response.destroy();
  response.writeHead(given.status, { 'content-type': 'application/json' });
  response.end(await given.text());
}

describe.skipIf(!existsSync(desktopChromium))('pages that the browser stops', () => {
  beforeAll(() => void (browser = new ChromiumPages()));
  // A server per test is an origin per test. A page can be closed before it has erased its last answered edit from the disk.
  beforeEach(async () => {
    server = await servePage('tests/offline/tabs-page.ts', (request, response) => void answer(request, response));
  });
  afterEach(async () => {
    for (const page of pages) await page.close(); // oxlint-disable-line no-await-in-loop -- one after another
    await server.close();
    pages = [];
    tasks = new TaskServer('R');
    Object.assign(network, { isOnline: true, held: undefined, isLosing: false });
  });
  afterAll(() => browser.close());

  test('are really stopped', async () => {
    const [one, other] = [await open('one'), await open('other')];
    await other.show();
    await until(async () => (await one.run('document.visibilityState')) === 'hidden');
    for (const page of [one, other]) await page.run('globalThis.ticks = 0; setInterval(() => ticks++, 10)'); // oxlint-disable-line no-await-in-loop -- one after another
    await one.freeze(true);
    const before = await one.run('ticks');
    await until(async () => Number(await other.run('ticks')) > 100);
    expect(await one.run('ticks')).toBe(before);
    await one.freeze(false);
    await until(async () => Number(await one.run('ticks')) > Number(before));
  });

  test('in the middle of saving an edit do not hold up another page, and each edit is carried out once and in order', async () => {
    const [one, other] = [await open('one'), await open('other')];
    await other.show();
    await until(async () => (await one.run('document.visibilityState')) === 'hidden');
    network.isOnline = false;
    await edit(one, 'b', 'R-1');
    await one.run('void edit("unsaved", "R-2")');
    await one.freeze(true);
    for (const title of ['c', 'd']) await edit(other, title, 'R-1'); // oxlint-disable-line no-await-in-loop -- one after another
    network.isOnline = true;
    await one.freeze(false);
    await one.show();
    await other.run('retry([])');
    await settled();
    expect(tasks.effects.filter((title) => title !== 'unsaved')).toEqual(['b', 'c', 'd']);
    expect(tasks.effects).toHaveLength(4);
  });

  test('because the machine sleeps carry out each edit once and in order, also if the connections are gone', async () => {
    const [one, other] = [await open('one'), await open('other')];
    const held = deferred();
    network.held = held.promise;
    await edit(one, 'b', 'R-1');
    await edit(other, 'c', 'R-1');
    await edit(other, 'd');
    await until(() => network.waiting >= 2);
    browser.sleep(true);
    // The server carries them out, and loses its answers.
    network.isLosing = true;
    held.resolve();
    await until(() => network.waiting === 0);
    network.isLosing = false;
    browser.sleep(false);
    await other.run('retry([])');
    await settled();
    expect(tasks.effects.filter((title) => title !== 'd')).toEqual(['b', 'c']);
    expect(tasks.effects).toHaveLength(3);
  });

  test('in the back/forward cache send the edits of before when they are shown again', async () => {
    const page = await open('one');
    const due: string[] = [];
    const reloads: unknown[] = [];
    // A browser may load a page again instead. Then the page starts with the edits on the disk, and another try is needed.
    let isKept = false;
    while (!isKept && reloads.length < 3) {
      network.isOnline = false;
      const titles = [`b${reloads.length}`, `c${reloads.length}`];
      due.push(...titles);
      await edit(page, titles[0] as string, 'R-1'); // oxlint-disable-line no-await-in-loop -- one after another
      await edit(page, titles[1] as string); // oxlint-disable-line no-await-in-loop -- one after another
      const reason = await leaveAndReturn(page, () => void (network.isOnline = true)); // oxlint-disable-line no-await-in-loop -- one after another
      isKept = reason === undefined;
      if (isKept) continue;
      reloads.push(reason);
      await start(page); // oxlint-disable-line no-await-in-loop -- one after another
    }
    expect(reloads).not.toHaveLength(3);
    await page.run('retry([])');
    await settled();
    expect([...tasks.effects].sort()).toEqual(due.sort());
  });
});
