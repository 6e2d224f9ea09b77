import { afterEach, describe, expect, onTestFinished, test, vi } from 'vitest';
import { Controller } from 'rejoin';
import { OutboxManager } from 'rejoin/outbox';
import { memoryStorage, type TextStorage } from 'rejoin/persist';
import { Todo } from '../model.ts';
import { deferred } from '../../src/std/deferred.ts';
import type { Platform } from '../../src/std/platform.ts';
import { DeletedStorage, type Fault, FaultyStorage } from '../persist/storage.ts';
import { FakeBrowser } from '../tabs/browser.ts';
import { type App, begin, ignore, kill, settle, start } from './app.ts';
import { Server } from './server.ts';

afterEach(() => void vi.useRealTimers());

const faults: readonly Fault[] = ['throws', 'rejects', 'is full', 'is cut off', 'closes', 'hangs'];

/** Returns an entry in which some members are not valid. */
function foreign(members: object): string {
  const form = { format: 'rejoin-outbox', version: 1, id: 'x', place: 1, endpoint: 'Todo.create', createdAt: 1 };
  return JSON.stringify({ ...form, args: [{ title: 'x' }], files: 0, tries: 0, revision: 0, tab: '', ...members });
}

describe('a storage that fails', () => {
  test.each(faults)('at any one operation (%s) loses no edit that the server has not answered', async (fault) => {
    for (let at = 1; at <= 12; at++) {
      const inner = memoryStorage();
      const server = new Server();
      const app = begin({ server, storage: new FaultyStorage(inner, fault, at) });
      const { controller, outbox, todos } = app;
      await controller.ready; // oxlint-disable-line no-await-in-loop -- one storage after another
      server.isOnline = false;
      controller.fetch(todos.create, { title: 'a' }).catch(ignore);
      controller.fetch(todos.create, { title: 'b' }).catch(ignore);
      await settle(20); // oxlint-disable-line no-await-in-loop
      const areKept = outbox.entries().map(({ isKept }) => isKept);
      kill(app);
      server.isOnline = true;
      const { outbox: next } = await start({ server, storage: inner }); // oxlint-disable-line no-await-in-loop
      await settle(); // oxlint-disable-line no-await-in-loop
      expect(next.entries()).toEqual([]);
      const titles = server.effects.map(({ body }) => body['title']);
      for (const [nth, isKept] of areKept.entries())
        if (isKept) expect(titles.filter((title) => title === 'ab'[nth])).toHaveLength(1);
    }
  });

  test.each(faults)('for ever (%s) stops nothing, and is reported', async (fault) => {
    const { controller, events, outbox, todos } = await start({
      storage: new FaultyStorage(memoryStorage(), fault, 1, true),
    });
    const answer = controller.fetch(todos.create, { title: 'a' });
    await expect(answer).resolves.toMatchObject({ title: 'a' });
    expect(events.length).toBeGreaterThan(0);
    expect(await outbox.flush()).toBe(false);
  });
});

test('a storage that never answers delays no edit, once the start has waited for it', async () => {
  const server = new Server();
  const { setTimeout: soon } = server.platform;
  const app = begin({
    server,
    storage: new FaultyStorage(memoryStorage(), 'hangs', 1, true),
    // Only the timeout of the start has passed. That of a write is far longer.
    platform: { ...server.platform, setTimeout: (run, ms) => (ms < 10_000 ? soon(run, ms) : undefined) },
  });
  await app.controller.ready;
  await settle();
  const answers = ['a', 'b', 'c'].map((title) => app.controller.fetch(app.todos.create, { title }));
  await expect(Promise.all(answers)).resolves.toHaveLength(3);
  expect(app.events).toMatchObject([{ type: 'memory', error: { code: 'storage-timeout' } }]);
  kill(app);
});

test('a write that never ends delays the edits that are made meanwhile no longer than itself', async () => {
  const storage = new DeletedStorage();
  const server = new Server();
  const { setTimeout } = server.platform;
  let timeouts = Infinity;
  const platform: Platform = {
    ...server.platform,
    setTimeout: (run, milliseconds) =>
      milliseconds < 30_000 || timeouts-- > 0 ? setTimeout(run, milliseconds) : undefined,
  };
  const app = await start({ storage, server, platform });
  storage.hanging.add('write');
  timeouts = 1; // of the first write
  const first = app.controller.fetch(app.todos.create, { title: 'a' });
  await Promise.resolve();
  const later = ['b', 'c', 'd'].map((title) => app.controller.fetch(app.todos.create, { title }));
  await expect(Promise.all([first, ...later])).resolves.toHaveLength(4);
  kill(app);
});

test('edits that a busy storage did not return in time at the start are read again, and sent', async () => {
  const inner = memoryStorage();
  const server = new Server();
  server.isOnline = false;
  const first = await start({ server, storage: inner });
  first.controller.fetch(first.todos.create, { title: 'a' }).catch(ignore);
  await first.outbox.flush();
  kill(first);
  server.isOnline = true;
  const next = await start({ server, storage: new FaultyStorage(inner, 'hangs', 2) });
  await settle(100);
  expect([next.outbox.entries(), server.effects.map(({ body }) => body)]).toEqual([[], [{ title: 'a' }]]);
  expect(next.events.map(({ type }) => type)).toEqual(['memory', 'restored']);
  kill(next);
});

describe('an edit that a busy storage did not return in time at the start', () => {
  /** Makes an edit, and another one after a restart at which the storage hangs until the other one is answered. */
  async function withLateEdit(early: (app: App) => unknown, later: (app: App) => Promise<unknown>): Promise<App> {
    const inner = memoryStorage();
    const server = new Server();
    server.records.set('/todos/1', { id: '1', title: 'a' });
    server.isOnline = false;
    const first = await start({ server, storage: inner });
    await Promise.all([early(first), first.outbox.flush()]);
    kill(first);
    server.isOnline = true;
    const answered = deferred();
    const { setTimeout } = server.platform;
    const platform: Platform = {
      ...server.platform,
      setTimeout: (run, ms) => (ms === 1000 ? void answered.promise.then(run) : setTimeout(run, ms)),
    };
    const next = await start({ server, platform, storage: new FaultyStorage(inner, 'hangs', 2) });
    onTestFinished(() => kill(next));
    await later(next);
    answered.resolve();
    await settle(100);
    return next;
  }
  const edit = ({ controller, todos }: App, body: object): Promise<unknown> =>
    controller.fetch(todos.partialUpdate, { id: '1' }, body);

  test('does not replace what a later edit has changed meanwhile, but waits for a decision', async () => {
    const { outbox, server } = await withLateEdit(
      (app) => void edit(app, { title: 'early', done: true }).catch(ignore),
      (app) => edit(app, { title: 'later' }),
    );
    expect(server.records.get('/todos/1')).toEqual({ id: '1', title: 'later' });
    expect(outbox.entries()).toMatchObject([{ state: 'stopped', error: { code: 'outbox-overtaken' } }]);
    outbox.retry();
    await settle();
    expect([server.records.get('/todos/1'), outbox.entries()]).toEqual([{ id: '1', title: 'early', done: true }, []]);
  });

  test('is sent if the later edit has changed other fields', async () => {
    const { outbox, server } = await withLateEdit(
      (app) => void edit(app, { done: true }).catch(ignore),
      (app) => edit(app, { title: 'later' }),
    );
    expect([server.records.get('/todos/1'), outbox.entries()]).toEqual([{ id: '1', title: 'later', done: true }, []]);
  });

  test('does not delete a record that was changed meanwhile', async () => {
    const { outbox, server } = await withLateEdit(
      ({ controller, todos }) => void controller.fetch(todos.delete, { id: '1' }).catch(ignore),
      (app) => edit(app, { title: 'later' }),
    );
    expect(server.records.get('/todos/1')).toEqual({ id: '1', title: 'later' });
    expect(outbox.entries()).toMatchObject([{ error: { code: 'outbox-overtaken' } }]);
  });
});

test('a record with a value that JSON has no form for does not keep edits from being stored', async () => {
  const offline = { onConflict: () => undefined };
  const app = begin();
  const update = app.todos.partialUpdate.extend({ offline });
  const outbox = new OutboxManager({
    name: 'app',
    endpoints: [update],
    storage: app.storage,
    platform: app.server.platform,
  });
  const controller = new Controller({ managers: [outbox] });
  await controller.ready;
  controller.store.write(Todo, { id: '1', title: 5n });
  app.server.isOnline = false;
  controller.fetch(update, { id: '1' }, { done: true }).catch(ignore);
  expect(await outbox.flush()).toBe(true);
  expect(outbox.entries()).toMatchObject([{ isKept: true }]);
  controller.dispose();
});

test('a page that may not use locks keeps and sends its edits, with one event', async () => {
  const refused = (): Promise<never> => Promise.reject(new DOMException('forbidden', 'SecurityError'));
  const port = { postMessage: ignore, addEventListener: ignore, close: ignore };
  const { controller, events, outbox, todos } = await start({
    browser: { locks: { request: refused, query: refused }, openPort: () => port },
  });
  await expect(controller.fetch(todos.create, { title: 'a' })).resolves.toMatchObject({ title: 'a' });
  expect(await outbox.flush()).toBe(true);
  expect(events).toMatchObject([{ type: 'memory', error: { name: 'SecurityError' } }]);
  controller.dispose();
});

describe('a storage that hangs', () => {
  test('when it is closed does not hold up the next start', async () => {
    const storage = new DeletedStorage();
    const { controller, outbox, server, todos } = await start({ storage });
    storage.hanging.add('close');
    outbox.cleanup();
    outbox.init();
    await outbox.ready;
    await controller.fetch(todos.create, { title: 'a' });
    expect(server.effects).toHaveLength(1);
  });

  test.each([{}, { user: 'ada', onLogout: 'discard' }, { user: 'ada', onLogout: 'keep' }] as const)(
    'holds a logout up no longer than the timeout: %o',
    async (options) => {
      const storage = new DeletedStorage();
      const server = new Server();
      const { setTimeout } = server.platform;
      const platform: Platform = {
        ...server.platform,
        // Longer timers never end.
        setTimeout: (run, milliseconds) => (milliseconds <= 3000 ? setTimeout(run, milliseconds) : undefined),
      };
      const { controller, events, todos } = await start({ storage, server, platform, ...options });
      server.isOnline = false;
      storage.hanging.add('write');
      controller.fetch(todos.create, { title: 'a' }).catch(ignore);
      await settle();
      await controller.resetEntireStore();
      expect(events.map(({ type }) => type)).toEqual(options.onLogout === 'keep' ? [] : ['uncleared']);
    },
  );
});

test.each([0, 1])(
  'edits that could not be deleted at a logout are not sent for the next user, %i ms after they were made',
  async (milliseconds) => {
    const storage = new DeletedStorage();
    const { controller, events, outbox, server, todos } = await start({ storage });
    vi.useFakeTimers({ toFake: ['Date'] });
    server.isOnline = false;
    controller.fetch(todos.create, { title: 'secret' }).catch(ignore);
    await outbox.flush();
    storage.failing.add('clear');
    vi.advanceTimersByTime(milliseconds);
    await controller.resetEntireStore();
    storage.failing.clear();
    server.isOnline = true;
    await controller.fetch(todos.create, { title: 'mine' });
    await settle();
    expect(events).toMatchObject([{ type: 'uncleared' }]);
    expect(server.effects).toMatchObject([{ body: { title: 'mine' } }]);
  },
);

test('a browser that refuses a channel lets each tab send its own edits', async () => {
  const openPort = (): never => {
    throw new DOMException('The operation is insecure.', 'SecurityError');
  };
  const { controller, server, todos } = await start({ browser: { ...new FakeBrowser().tab(), openPort } });
  await controller.fetch(todos.create, { title: 'a' });
  expect(server.effects).toHaveLength(1);
});

describe('entries that cannot be read', () => {
  test.each([
    '',
    '{}',
    '[]',
    'null',
    '{"format":"rejoin-outbox","version":2}',
    '{"format":"rejoin-outbox","version":1}',
    foreign({}),
    foreign({ creates: [null] }),
    foreign({ creates: [], revision: '1' }),
    foreign({ creates: [], files: 1e9, args: [{ $kind: 'file', at: 7 }] }),
  ])('%s: are reported, and the others are sent', async (text) => {
    const first = await start();
    const { server, storage } = first;
    server.isOnline = false;
    first.controller.fetch(first.todos.create, { title: 'a' }).catch(ignore);
    await first.outbox.flush();
    kill(first);
    await (await storage.open('app outbox')).write(new Map([['entry broken', text]]));
    server.isOnline = true;
    const { events, outbox } = await start({ server, storage });
    await settle();
    expect(outbox.entries()).toEqual([]);
    expect(server.effects).toHaveLength(1);
    expect(events).toMatchObject([
      { type: 'dropped', entries: 1 },
      { type: 'restored', entries: 1 },
    ]);
  });
});

test('an edit that waits for its next try is sent once after the manager was started again', async () => {
  const { controller, outbox, server, todos } = await start();
  server.isOnline = false;
  controller.fetch(todos.create, { title: 'a' }).catch(ignore);
  await outbox.flush();
  await settle();
  outbox.init();
  await controller.ready;
  server.isOnline = true;
  await settle(300);
  expect(server.requests).toHaveLength(1);
});

describe('a storage that can never be used is reported once', () => {
  const never = (): TextStorage => new FaultyStorage(memoryStorage(), 'rejects', 1, true);

  test('if the manager is started again at once, as in StrictMode', async () => {
    const app = begin({ storage: never() });
    app.outbox.init();
    await app.controller.ready;
    await settle();
    expect(app.events).toMatchObject([{ type: 'memory', error: { name: 'UnknownError' } }]);
    kill(app);
  });

  test('if an edit is made before another tab, which holds up the start, lets it read', async () => {
    const browser = new FakeBrowser();
    const held = deferred();
    void browser.tab().locks.request('rejoin app outbox ', {}, () => held.promise);
    const app = await start({ storage: never(), browser: browser.tab() });
    app.controller.fetch(app.todos.create, { title: 'a' }).catch(ignore);
    await settle();
    expect(app.events).toHaveLength(1);
    held.resolve();
    await settle();
    expect(app.events).toMatchObject([{ type: 'memory' }]);
    kill(app);
  });
});
