import { createAdaptorServer } from '@hono/node-server';
import type { Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterEach, expect, test } from 'vitest';
import { createApp } from './app.ts';
import { Channel } from './channel.ts';
import type { Database } from './database/database.ts';
import { LiveItems } from './live-items.ts';
import { Market } from './market.ts';
import type { World } from './route.ts';
import { allRoutes } from './routes/all.ts';
import { Simulations } from './simulation.ts';
import { ManualClock } from './testing.ts';

/** A database at the other end of a broken wire. */
function brokenDatabase(why: Error): Database {
  const fail = (): Promise<never> => Promise.reject(why);
  return { name: 'broken', query: fail, transaction: fail, script: fail, close: () => Promise.resolve() };
}

const servers: Server[] = [];
afterEach(() => {
  for (const server of servers.splice(0)) server.close().closeAllConnections();
});

async function serve(error: Error): Promise<{ url: string; reported: unknown[]; clock: ManualClock }> {
  const clock = new ManualClock();
  const database = brokenDatabase(error);
  const reported: unknown[] = [];
  const items = new Channel('run');
  const world: World = {
    database,
    clock,
    items,
    changes: new Channel('run'),
    market: new Market(clock),
    simulations: new Simulations(),
  };
  const app = createApp({
    world,
    routes: allRoutes(world, new LiveItems(database, items, clock), 0),
    report: (what) => reported.push(what),
  });
  const server = createAdaptorServer({ fetch: app.fetch, hostname: '127.0.0.1' }) as Server;
  servers.push(server);
  await new Promise<void>((resolve) => void server.listen(0, '127.0.0.1', resolve));
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/api`, reported, clock };
}

const coded = (code: string, message: string): Error => Object.assign(new Error(message), { code });

test.each(['ECONNREFUSED', 'ECONNRESET', '57P01', '08006'])(
  'if the database is unreachable (%s), the answer is 503 and the output one line',
  async (code) => {
    const { url, reported } = await serve(coded(code, 'gone'));
    for (const method of ['GET', 'DELETE']) {
      const response = await fetch(`${url}/posts/1`, { method });
      expect(response.headers.get('retry-after')).toBe('5');
      expect(await response.json()).toMatchObject({ status: 503, detail: 'The database does not answer.' });
    }
    expect(reported).toEqual(['The database does not answer. (gone)', 'The database does not answer. (gone)']);
  },
);

test('a full disk is answered with 503 and this reason', async () => {
  const { url } = await serve(coded('53100', ''));
  expect(await (await fetch(`${url}/posts/1`)).json()).toMatchObject({
    detail: 'There is no space left on the disk of the database.',
  });
});

test('an error of the program is answered with 500 without details, and is logged in full', async () => {
  const mistake = new TypeError('secret detail');
  const { url, reported } = await serve(mistake);
  const text = await (await fetch(`${url}/posts/1`)).text();
  expect(JSON.parse(text)).toMatchObject({ status: 500, title: 'Internal error' });
  expect(text).not.toContain('secret');
  expect(reported).toEqual([mistake]);
});

test('listeners of live items stay connected while the database is away', async () => {
  const { url, clock } = await serve(coded('ECONNREFUSED', 'gone'));
  const response = await fetch(`${url}/items/events`);
  clock.pass(1_000);
  const reader = response.body?.pipeThrough(new TextDecoderStream()).getReader();
  expect((await reader?.read())?.value).toBe('retry: 1000\n\n');
  clock.pass(15_000);
  expect((await reader?.read())?.value).toBe(': still here\n\n');
  await reader?.cancel();
});
