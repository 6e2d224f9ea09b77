import { mkdtempSync, readFileSync, rmSync, writeFileSync, existsSync, mkdirSync } from 'node:fs';
import { createServer } from 'node:net';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { asSentence, bytesNeeded, spaceProblem, takeDataFolder } from './database/data-folder.ts';
import { withoutPassword } from './database/postgres.ts';
import { SentenceError } from './sentence-error.mjs';
import { startApi } from './start-api.ts';
import { listen, startTestApi } from './testing.ts';

const scratch = mkdtempSync(join(tmpdir(), 'rejoin-demo-'));
afterAll(() => rmSync(scratch, { recursive: true, force: true }));
const TEN_MINUTES = 600_000;

async function sentenceOf(work: Promise<unknown> | (() => unknown)): Promise<string> {
  try {
    await (typeof work === 'function' ? work() : work);
  } catch (error) {
    expect(error).toBeInstanceOf(SentenceError);
    return (error as SentenceError).message;
  }
  throw new Error('It did not fail.');
}

test(
  'data in a folder is there at the next start, and is generated again for another number of rows',
  async () => {
    const database = join(scratch, 'kept');
    const messages: string[] = [];
    const first = await startApi({ database, rows: 100, progress: (what) => messages.push(what) });
    await fetch(`${first.url}/api/users/1`, {
      method: 'PATCH',
      headers: { 'content-type': 'application/json' },
      body: '{"name":"Kept"}',
    });
    await first.close();
    expect(messages.at(-1)).toBe('100 rows of data: 100 %');
    expect(existsSync(join(database, 'lock'))).toBe(false);

    const second = await startApi({ database });
    expect(await (await fetch(`${second.url}/api/users/1`)).json()).toMatchObject({ name: 'Kept' });
    expect(second.rows).toBe(100);
    const message = await sentenceOf(startApi({ database }));
    expect(message).toBe(
      `The demo is running already, at ${second.url}. Open that, or start a second one with --memory.`,
    );
    await second.close();

    const third = await startApi({ database, rows: 150 });
    expect(await (await fetch(`${third.url}/api/users/1`)).json()).not.toMatchObject({ name: 'Kept' });
    expect(await (await fetch(`${third.url}/api/health`)).json()).toMatchObject({ status: 'ok', rows: 150 });
    await third.close();
  },
  TEN_MINUTES,
);

test(
  'the incomplete data of an interrupted start is generated again',
  async () => {
    const database = join(scratch, 'half');
    mkdirSync(join(database, 'postgres'), { recursive: true });
    writeFileSync(join(database, 'postgres', 'PG_VERSION'), 'nonsense');
    writeFileSync(join(database, 'lock'), '999999999');
    const api = await startApi({ database, rows: 100 });
    expect((await fetch(`${api.url}/api/posts/1`)).status).toBe(200);
    await api.close();
  },
  TEN_MINUTES,
);

test(
  'a port in use is an error, or the next port is used',
  async () => {
    const other = createServer();
    await new Promise<void>((resolve) => void other.listen(0, '127.0.0.1', resolve));
    const { port } = other.address() as AddressInfo;
    const database = join(scratch, 'taken');
    const refused = startTestApi({ port, database });
    expect(await sentenceOf(refused)).toBe(
      `Port ${port} is taken. Stop what runs there, or choose another with --port.`,
    );
    // Before data is generated in vain.
    expect(existsSync(database)).toBe(false);
    const next = await startTestApi({ port, tries: 20 });
    expect(next.port).toBeGreaterThan(port);
    await next.close();
    other.close();
  },
  TEN_MINUTES,
);

test(
  'closing ends event streams without waiting, and a second call does nothing',
  async () => {
    const api = await startTestApi();
    const stream = await listen(`${api.url}/api/items/events`);
    const closed = api.close();
    const hearOut = async (): Promise<void> => {
      for (;;) await stream.next();
    };
    await expect(hearOut()).rejects.toThrow(/ended|terminated/);
    await closed;
    await api.close();
    await expect(fetch(`${api.url}/api/health`)).rejects.toThrow('fetch failed');
  },
  TEN_MINUTES,
);

test(
  'only this machine can reach it',
  async () => {
    const api = await startTestApi();
    expect(new URL(api.url).hostname).toBe('127.0.0.1');
    await api.close();
  },
  TEN_MINUTES,
);

test(
  'a built web page is served beside the API, and its own paths lead to it',
  async () => {
    const site = join(scratch, 'site');
    mkdirSync(site);
    writeFileSync(join(site, 'index.html'), '<h1>Demo</h1>');
    writeFileSync(join(site, 'app.js'), 'export {};');
    writeFileSync(join(scratch, 'secret.txt'), 'secret');
    const api = await startTestApi({ site });
    const page = await fetch(`${api.url}/posts/5`);
    expect([await page.text(), page.headers.get('content-type')]).toEqual([
      '<h1>Demo</h1>',
      'text/html; charset=UTF-8',
    ]);
    expect((await fetch(`${api.url}/app.js`)).headers.get('content-type')).toMatch(/javascript/);
    expect((await fetch(`${api.url}/missing.js`)).status).toBe(404);
    expect(await (await fetch(`${api.url}/%2e%2e/secret.txt`)).text()).not.toContain('secret"');
    expect((await fetch(`${api.url}/api/nothing`)).headers.get('content-type')).toBe('application/problem+json');
    await api.close();
  },
  TEN_MINUTES,
);

test('an unreachable database is reported in one sentence without its password', async () => {
  const message = await sentenceOf(startApi({ database: 'postgres://me:secret@127.0.0.1:1/demo' }));
  expect(message).toBe(
    'Cannot use the database at postgres://me@127.0.0.1:1/demo: nothing listens there; start PostgreSQL, or correct the port.',
  );
  expect(await sentenceOf(startApi({ database: 'postgres://me:secret@host.invalid/demo' }))).toMatch(
    /: the host has no address; correct its name\.$/,
  );
  expect(await sentenceOf(startApi({ database: 'mysql://me:secret@127.0.0.1/demo' }))).toMatch(
    /^DATABASE_URL is not an address of PostgreSQL\./,
  );
  expect(withoutPassword('postgres://u:p@h/d?password=x&host=/tmp')).toBe('postgres://u@h/d?host=%2Ftmp');
});

test('a full disk, a folder without rights and a file in place of a folder are reported in one sentence each', async () => {
  expect(spaceProblem('/data', 50_000_000, bytesNeeded(2_000))).toBe(
    'There is no space for the data: /data has 50 MB left and 82 MB are needed. Free some, choose another folder with --data, or keep the data in memory with --memory.',
  );
  expect(spaceProblem('/data', 1e9, bytesNeeded(2_000))).toBe(undefined);
  const failure = (code: string, message = ''): Error => Object.assign(new Error(message), { code });
  expect((asSentence(failure('53100'), '/data') as Error).message).toMatch(/^The disk ran full/);
  expect((asSentence(new Error('could not extend file: No space left on device'), '/data') as Error).message).toMatch(
    /^The disk ran full/,
  );
  expect((asSentence(failure('EROFS'), '/data') as Error).message).toMatch(/cannot be written to/);
  const other = new Error('other');
  expect(asSentence(other, '/data')).toBe(other);
  const file = join(scratch, 'file');
  writeFileSync(file, '');
  expect(await sentenceOf(startApi({ database: file }))).toBe(`${file} is not a folder. Choose another with --data.`);
});

test('a folder that another process is preparing is not touched', async () => {
  const folder = join(scratch, 'busy');
  const held = takeDataFolder(folder, 100);
  expect(await sentenceOf(() => takeDataFolder(folder, 100))).toBe(
    `The data in ${folder} are in use by process ${process.pid}. Stop it, or choose another folder with --data.`,
  );
  held.release();
  const again = takeDataFolder(folder, 100);
  expect(readFileSync(join(folder, 'lock'), 'utf8')).toBe(String(process.pid));
  again.release();
});
