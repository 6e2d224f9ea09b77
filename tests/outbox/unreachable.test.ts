import { expect, test } from 'vitest';
import { Controller, getDefaultManagers, resource } from 'rejoin';
import { OutboxManager } from 'rejoin/outbox';
import { memoryStorage } from 'rejoin/persist';
import { Todo } from '../model.ts';
import { ignore, kill, settle, start } from './app.ts';
import { Server } from './server.ts';

const TITLES = Array.from({ length: 40 }, (_, at) => `edit ${at}`);

/** Creates a record of each title, and returns the promises. */
function makeEdits({ controller, todos }: Awaited<ReturnType<typeof start>>, titles = TITLES): Promise<unknown>[] {
  return titles.map((title) => controller.fetch(todos.create, { title }).catch(ignore));
}

test('while the server cannot be reached, one of the waiting edits is tried at a time', async () => {
  const server = new Server();
  let running = 0;
  const together: number[] = [];
  const { fetch } = server.platform;
  server.platform.fetch = async (url, init) => {
    together.push(++running);
    try {
      return await fetch(url, init);
    } finally {
      running--;
    }
  };
  server.isOnline = false;
  const app = await start({ server });
  void makeEdits(app);
  await settle(30);
  const before = together.splice(0).length;
  await settle(200);
  expect(before).toBeLessThan(TITLES.length);
  expect(new Set(together)).toEqual(new Set([1]));
  kill(app);
});

test('when the server can be reached again, the edits are sent in the order in which they were made', async () => {
  const server = new Server();
  server.isOnline = false;
  const app = await start({ server });
  const edits = makeEdits(app);
  await settle(100);
  server.isOnline = true;
  await Promise.all(edits);
  const [probe, ...others] = server.effects.map(({ body }) => String(body['title']));
  expect(others).toEqual(TITLES.filter((title) => title !== probe));
  expect(app.outbox.entries()).toEqual([]);
});

test('an edit whose request never gets an answer does not hold up the others', async () => {
  const server = new Server();
  server.trouble = ({ body }) => (Number(String(body['title']).split(' ')[1]) % 2 === 0 ? 'offline' : undefined);
  const app = await start({ server });
  void makeEdits(app);
  await settle(400);
  expect(server.effects).toHaveLength(TITLES.length / 2);
  await app.controller.fetch(app.todos.create, { title: 'edit 99' });
  expect(server.effects).toHaveLength(TITLES.length / 2 + 1);
  kill(app);
});

test('a new edit is sent at once, although others wait because the server could not be reached', async () => {
  const server = new Server();
  const { setTimeout } = server.platform;
  let isStill = false;
  server.platform.setTimeout = (run, milliseconds) =>
    isStill && milliseconds > 0 ? {} : setTimeout(run, milliseconds);
  server.isOnline = false;
  const app = await start({ server });
  isStill = true;
  const edits = makeEdits(app);
  await settle();
  server.isOnline = true;
  await settle();
  expect(server.effects).toEqual([]);
  edits.push(app.controller.fetch(app.todos.create, { title: 'edit 99' }));
  await Promise.all(edits);
  expect(server.effects).toHaveLength(TITLES.length + 1);
});

test('an edit that waits while the server cannot be reached was not sent: after a restart it is not in doubt', async () => {
  const server = new Server();
  const storage = memoryStorage();
  const todos = resource({
    ...{ urlPrefix: 'https://api.test', path: '/todos/:id', schema: Todo, platform: server.platform },
    ...{ optimistic: true, offline: true, idempotencyKey: false },
  });
  const begin = (): { outbox: OutboxManager; controller: Controller } => {
    const outbox = new OutboxManager({ name: 'app', endpoints: [todos], storage, platform: server.platform });
    return { outbox, controller: new Controller({ managers: [outbox, ...getDefaultManagers()] }) };
  };
  let isHanging = true;
  const { fetch, setTimeout } = server.platform;
  server.platform.setTimeout = (run, milliseconds) =>
    isHanging && milliseconds > 0 ? {} : setTimeout(run, milliseconds);
  server.platform.fetch = (url, init) => (isHanging ? new Promise(ignore) : fetch(url, init));
  const first = begin();
  await first.controller.ready;
  for (const title of TITLES) first.controller.fetch(todos.create, { title }).catch(ignore);
  await settle();
  first.controller.dispose();
  isHanging = false;
  const second = begin();
  await second.controller.ready;
  await settle(200);
  const unsure = second.outbox
    .entries()
    .filter(({ error }) => Reflect.get(Object(error) as object, 'code') === 'outbox-unsure');
  expect(unsure).toHaveLength(second.outbox.entries().length);
  expect(unsure).toHaveLength(12);
  expect(server.effects).toHaveLength(TITLES.length - 12);
  second.controller.dispose();
});

test('an edit for which fetch throws a DOMException because there is no network is kept and sent later', async () => {
  const server = new Server();
  const { fetch } = server.platform;
  let isDown = true;
  server.platform.fetch = (url, init) =>
    isDown ? Promise.reject(new DOMException('Failed to fetch', 'NetworkError')) : fetch(url, init);
  const app = await start({ server });
  const edits = makeEdits(app, ['kept']);
  await settle();
  isDown = false;
  await Promise.all(edits);
  expect(server.effects).toHaveLength(1);
  kill(app);
});

test('when the server wants a login, the waiting edits are not sent before it', async () => {
  const server = new Server();
  let isLoggedIn = false;
  server.trouble = () => (isLoggedIn ? undefined : 401);
  const app = await start({ server });
  const edits = makeEdits(app);
  await settle(100);
  expect(server.requests.length).toBeLessThan(TITLES.length);
  isLoggedIn = true;
  app.outbox.resume();
  await Promise.all(edits);
  expect(app.outbox.entries()).toEqual([]);
});
