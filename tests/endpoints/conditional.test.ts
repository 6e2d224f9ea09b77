import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { Controller, httpCaching, resource } from '../../src/index.ts';
import { Post } from './blog.ts';
import { type RestServer, startRestServer } from './rest-server.ts';

let server: RestServer;
let controller: Controller;
let time = 0;
beforeEach(async () => {
  time = 0;
  server = await startRestServer();
  controller = new Controller({ now: () => time });
});
afterEach(async () => {
  controller.dispose();
  await server.close();
});

const postsAt = (urlPrefix: string, caching = httpCaching({ cacheControl: false })) =>
  resource({ urlPrefix, path: '/posts/:id', schema: Post, dataExpiryLength: 1000, caching });
const statuses = (): number[] => server.exchanges.map(({ status }) => status);

describe('a version that the server sends as an ETag', () => {
  test('is sent with the second request, and a 304 is answered from the store', async () => {
    const { get } = postsAt(server.url);
    const post = await controller.fetch(get, { id: 1 });
    time = 5000;
    expect(await controller.fetch(get, { id: 1 })).toBe(post);
    expect(statuses()).toEqual([200, 304]);
    const [first, second] = server.exchanges;
    expect(first?.headers['if-none-match']).toBe(undefined);
    expect(second?.headers['if-none-match']).toMatch(/^W\/".+"$/);
  });

  test('a 304 makes the answer fresh again, and notifies no reader', async () => {
    const { getList } = postsAt(server.url);
    const list = await controller.fetch(getList);
    const received: unknown[] = [];
    const stop = controller.watch(getList, (answer) => void received.push(answer));
    time = 5000;
    expect(await controller.fetch(getList)).toBe(list);
    expect(controller.getResponse(getList).expiresAt).toBe(6000);
    stop();
    expect(received.map((answer) => (answer as { value?: unknown }).value)).toEqual(received.map(() => list));
    expect(statuses()).toEqual([200, 304]);
  });

  test('a changed record is sent completely, with its new version', async () => {
    const { get, partialUpdate } = postsAt(server.url);
    await controller.fetch(get, { id: 1 });
    // Another client changes it.
    await new Controller().fetch(partialUpdate, { id: 1 }, { title: 'Changed' });
    const changed = await controller.fetch(get, { id: 1 });
    expect(changed.title).toBe('Changed');
    expect(await controller.fetch(get, { id: 1 })).toBe(changed);
    expect(statuses()).toEqual([200, 200, 200, 304]);
  });

  test('after a mutation the old version is not sent again', async () => {
    const { get, partialUpdate } = postsAt(server.url);
    await controller.fetch(get, { id: 1 });
    await controller.fetch(partialUpdate, { id: 1 }, { title: 'Ours' });
    expect((await controller.fetch(get, { id: 1 })).title).toBe('Ours');
    await controller.fetch(get, { id: 1 });
    expect(controller.get(Post, { id: 1 })?.title).toBe('Ours');
    expect(statuses().at(-1)).toBe(304);
  });

  test('each list has its own versions', async () => {
    const { getList } = postsAt(server.url);
    await controller.fetch(getList, { userId: 1 });
    await controller.fetch(getList, { userId: 2 });
    const own = await controller.fetch(getList, { userId: 1 });
    expect(own.map(({ title }) => title)).toEqual(['Joins', 'Keys']);
    expect(statuses()).toEqual([200, 200, 304]);
  });

  test('data that was removed from the store is sent completely', async () => {
    const { get } = postsAt(server.url);
    await controller.fetch(get, { id: 1 });
    await controller.invalidate(get, { id: 1 });
    expect((await controller.fetch(get, { id: 1 })).title).toBe('Joins');
    await controller.resetEntireStore();
    expect((await controller.fetch(get, { id: 1 })).title).toBe('Joins');
    expect(statuses()).toEqual([200, 200, 200]);
  });

  test('without the option no version is sent', async () => {
    const { get } = resource({ urlPrefix: server.url, path: '/posts/:id', schema: Post });
    await controller.fetch(get, { id: 1 });
    await controller.fetch(get, { id: 1 });
    expect(statuses()).toEqual([200, 200]);
  });
});

test('Cache-Control: no-cache makes every answer stale at once, if the endpoint uses it', async () => {
  const { get } = postsAt(server.url, httpCaching());
  const post = await controller.fetch(get, { id: 1 });
  time = 1;
  expect(controller.getResponse(get, { id: 1 }).expiresAt).toBe(0);
  expect(await controller.fetchIfStale(get, { id: 1 })).toBe(post);
  expect(statuses()).toEqual([200, 304]);
});
