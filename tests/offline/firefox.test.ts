import { existsSync, mkdtempSync, rmSync } from 'node:fs';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { expect, onTestFinished, test } from 'vitest';
import { firefoxPath, startFirefox } from '../firefox.ts';
import type { OtherBrowser, OtherPage } from '../other-browser.ts';
import { servePage } from './page-server.ts';
import type { TabState } from './real-tabs-judge.ts';
import { TaskServer } from './server.ts';

/** In CI a missing Firefox is a failure. */
const isThere = existsSync(firefoxPath) || process.env['CI'] !== undefined;

class FirefoxScene {
  readonly tasks = new TaskServer('R');
  readonly #profile = mkdtempSync(join(tmpdir(), 'rejoin-firefox-'));
  takesEdits = true;
  /** How many of the next answers are cut off: compressed, and of another length than their header says. */
  cuts = 0;
  #address = '';
  #firefox: OtherBrowser | undefined;

  async begin(): Promise<void> {
    const server = await servePage('tests/offline/tabs-page.ts', (...exchange) => void this.#answer(...exchange));
    this.#address = server.address;
    onTestFinished(async () => {
      await this.#firefox?.kill();
      await server.close();
      rmSync(this.#profile, { recursive: true, force: true, maxRetries: 5 });
    });
    this.#firefox = await startFirefox(this.#profile);
  }

  /** Kills Firefox, and starts it with the same profile. Returns the errors of its pages. */
  async restart(): Promise<readonly string[]> {
    const former = this.#firefox;
    this.#firefox = undefined;
    await former?.kill();
    this.#firefox = await startFirefox(this.#profile);
    return former?.errors ?? [];
  }

  async open(name: string): Promise<OtherPage> {
    const page = await (this.#firefox as OtherBrowser).open(`${this.#address}#${name}`);
    await page.run('open()');
    return page;
  }

  get errors(): readonly string[] | undefined {
    return this.#firefox?.errors;
  }

  async #answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    let body = '';
    for await (const piece of request) body += String(piece);
    const { headers, method = 'GET', url = '' } = request;
    if (method !== 'GET' && !this.takesEdits) return void response.destroy();
    const key = String(headers['idempotency-key'] ?? '');
    const given = this.tasks.answer(url, { method, headers: { 'idempotency-key': key }, ...(body && { body }) });
    const fields = { 'content-type': 'application/json' };
    const text = await given.text();
    if (method === 'GET' || this.cuts === 0) return void response.writeHead(given.status, fields).end(text);
    this.cuts--;
    const noise = Array.from({ length: 2000 }, () => Math.random().toString(36));
    const whole = gzipSync(JSON.stringify({ noise, ...(JSON.parse(text) as object) }));
    response.writeHead(given.status, { ...fields, 'content-encoding': 'gzip', 'content-length': whole.length });
    response.write(whole.subarray(0, whole.length / 2), () => request.socket.end());
  }
}

const until = async (isTrue: () => Promise<boolean>): Promise<void> => {
  while (!(await isTrue())) await new Promise((resolve) => void setTimeout(resolve, 50)); // oxlint-disable-line no-await-in-loop -- until it is true
};
const look = async (page: OtherPage): Promise<TabState> => (await page.run('look()')) as TabState;
const edit = (page: OtherPage, ...args: readonly string[]): Promise<unknown> =>
  page.run(`edit(${args.map((text) => JSON.stringify(text)).join()})`);

test.runIf(isThere)(
  'in Firefox, tabs share their data, and each saved edit has one effect after a kill and after answers that are cut off',
  async () => {
    const scene = new FirefoxScene();
    await scene.begin();
    const { tasks } = scene;
    const isSettled = async (page: OtherPage): Promise<boolean> => {
      const { shown, waiting } = await look(page);
      return waiting.length === 0 && String(shown) === String(tasks.tasks.map(({ id, title }) => `${id} ${title}`));
    };
    let [one, other] = [await scene.open('one'), await scene.open('other')];
    expect(await edit(one, 'c')).toBe(true);
    for (const page of [one, other]) await until(() => isSettled(page)); // oxlint-disable-line no-await-in-loop -- one after another

    scene.takesEdits = false;
    expect([await edit(one, 'd'), await edit(other, 'e'), await edit(other, 'f', 'R-1')]).toEqual([true, true, true]);
    await until(async () => (await look(one)).waiting.length === 3);
    expect(await scene.restart()).toEqual([]);
    one = await scene.open('one');
    expect((await look(one)).waiting).toHaveLength(3);

    scene.takesEdits = true;
    scene.cuts = 2;
    await one.run('retry([])');
    await until(() => isSettled(one));
    other = await scene.open('other');
    await until(() => isSettled(other));
    expect([...tasks.effects].sort()).toEqual(['c', 'd', 'e', 'f']);
    expect(scene.cuts).toBe(0);
    expect(scene.errors).toEqual([]);
  },
);
