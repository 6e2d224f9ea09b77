import { expect, onTestFinished, test, vi } from 'vitest';
import { All } from 'rejoin';
import { memoryStorage, type TextStorage } from 'rejoin/persist';
import { Todo } from '../model.ts';
import { begin, ignore, kill, settle, start } from './app.ts';
import { Server } from './server.ts';

const TITLES = Array.from({ length: 300 }, (_, at) => `edit ${at}`);

/** Lets the clock of a server go on by a millisecond with each reading. Returns a function that returns how often work has yielded since. */
function countYields(server: Server): () => number {
  let now = Date.now();
  server.platform.now = () => now++;
  let yields = 0;
  const { setTimeout } = server.platform;
  server.platform.setTimeout = (run, milliseconds) => {
    if (milliseconds === 0) yields++;
    return setTimeout(run, milliseconds);
  };
  return () => yields;
}

async function makeEdits(server: Server, storage: TextStorage) {
  server.isOnline = false;
  const app = await start({ server, storage });
  for (const title of TITLES) app.controller.fetch(app.todos.create, { title }).catch(ignore);
  return app;
}

/** A storage with edits of an earlier start. */
async function withSavedEdits() {
  const server = new Server();
  const storage = memoryStorage();
  const first = await makeEdits(server, storage);
  await first.outbox.flush();
  kill(first);
  return { server, storage, yields: countYields(server) };
}

test('edits of an earlier start are restored in slices of 10 ms, and all are shown before the first screen reads', async () => {
  const { server, storage, yields } = await withSavedEdits();
  const app = begin({ server, storage });
  const shown = (): number => app.store.get(new All(Todo))?.length ?? 0;
  const { ready } = app.controller;
  await settle(100);
  expect(shown()).toBeLessThan(TITLES.length);
  expect(app.outbox.ready).toBeInstanceOf(Promise);
  await ready;
  expect(shown()).toBe(TITLES.length);
  expect(yields()).toBeGreaterThan((2 * TITLES.length) / 20);
  kill(app);
});

test('what the storage has is turned into edits in slices', async () => {
  const { server, storage, yields } = await withSavedEdits();
  const { parse } = JSON;
  const slices = new Set<number>();
  let read = 0;
  const spy = vi.spyOn(JSON, 'parse').mockImplementation((...given) => {
    if (given[0].includes('rejoin-outbox') && ++read <= TITLES.length) slices.add(yields());
    return parse(...given) as unknown;
  });
  onTestFinished(() => spy.mockRestore());
  const app = begin({ server, storage });
  await app.controller.ready;
  expect(slices.size).toBeGreaterThan(TITLES.length / 20);
  kill(app);
});

test('edits that are made at once are saved in slices', async () => {
  const server = new Server();
  const yields = countYields(server);
  const app = await makeEdits(server, memoryStorage());
  const before = yields();
  expect(await app.outbox.flush()).toBe(true);
  expect(yields() - before).toBeGreaterThan(TITLES.length / 20);
  kill(app);
});

test('while edits of an earlier start are restored, an edit can be discarded, changed or sent, and each has one effect', async () => {
  const { server, storage } = await withSavedEdits();
  server.isOnline = true;
  const app = begin({ server, storage });
  while (app.outbox.entries().length < TITLES.length) await settle(1); // oxlint-disable-line no-await-in-loop -- until all are known
  const ids = app.outbox.entries().map(({ id }) => id);
  const [discarded = '', changed = ''] = ids.slice(-2);
  app.outbox.discard(discarded);
  app.outbox.edit(changed, { title: 'changed' });
  await app.controller.ready;
  await settle(2000);
  const titles = server.effects.map(({ body }) => String(body['title']));
  expect(titles.toSorted()).toEqual([...TITLES.slice(0, -2), 'changed'].toSorted());
  expect(app.outbox.entries()).toEqual([]);
  kill(app);
});
