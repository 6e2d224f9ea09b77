import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { copiedStorage, memoryStorage } from 'rejoin/persist';
import { checkStorage } from 'rejoin/testing';
import { type App, ignore, kill, settle, start } from '../outbox/app.ts';
import { deferred } from '../../src/std/deferred.ts';
import { Todo } from '../model.ts';
import { FakeBrowser } from '../tabs/browser.ts';
import { start as startPersist } from './app.ts';
import { FakeCaches } from './caches.ts';

let caches = new FakeCaches();
let open: App[] = [];

beforeEach(() => {
  caches = new FakeCaches();
  vi.stubGlobal('caches', caches);
});
afterEach(() => {
  for (const app of open) kill(app);
  open = [];
  vi.unstubAllGlobals();
});

async function startApp(given: Parameters<typeof start>[0]): Promise<App> {
  const app = await start(given);
  open.push(app);
  return app;
}

/** An application whose edit waits for the network. */
async function waiting(storage = copiedStorage(memoryStorage())): Promise<App> {
  const app = await startApp({ storage });
  app.server.isOnline = false;
  app.controller.fetch(app.todos.create, { title: 'a' }).catch(ignore);
  await app.outbox.flush();
  return app;
}

describe('a storage with a copy', () => {
  test('passes checkStorage()', async () => {
    await expect(checkStorage(copiedStorage(memoryStorage()))).resolves.toBeUndefined();
  });

  test('restores edits after the browser has emptied it, without an event of a loss, and each has one effect', async () => {
    const { server, ...app } = await waiting();
    kill({ server, ...app });
    const next = await startApp({ server, storage: copiedStorage(memoryStorage()) });
    expect(next.events).toEqual([{ type: 'restored', entries: 1 }]);
    server.isOnline = true;
    next.outbox.retry();
    await settle();
    expect(server.effects).toHaveLength(1);
    kill(next);
    const last = await startApp({ server, storage: copiedStorage(memoryStorage()) });
    expect([last.events, last.outbox.entries()]).toEqual([[], []]);
  });

  test('restores edits after it was emptied while it was in use, and its connection closed', async () => {
    const inner = memoryStorage();
    let isClosed = false;
    const storage = copiedStorage({
      open: async (name) => {
        const opened = await inner.open(name);
        return {
          ...opened,
          write: (changes) => {
            if (!isClosed) return opened.write(changes);
            isClosed = false;
            return Promise.reject(new DOMException('closed', 'InvalidStateError'));
          },
        };
      },
    });
    const app = await waiting(storage);
    await (await inner.open('app outbox')).clear();
    isClosed = true;
    app.controller.fetch(app.todos.create, { title: 'b' }).catch(ignore);
    expect(await app.outbox.flush()).toBe(true);
    kill(app);
    const { outbox } = await startApp({ server: app.server, storage });
    expect(outbox.entries().map(({ args }) => args)).toEqual([[{ title: 'a' }], [{ title: 'b' }]]);
  });

  test('keeps the former copy until the next one is written, so that a browser may be killed between them', async () => {
    const opened = await copiedStorage(memoryStorage()).open('app');
    await opened.write(new Map([['edit', 'saved']]));
    caches.written = new Promise(() => {});
    void opened.write(new Map([['edit', 'sent']]));
    await settle();
    const { entries } = await (await copiedStorage(memoryStorage()).open('app')).read();
    expect([...entries]).toEqual([['edit', 'saved']]);
  });

  test('has one copy of each entry, and none of a deleted one, also if another tab made it', async () => {
    const storage = copiedStorage(memoryStorage());
    const opened = await storage.open('app');
    await opened.read();
    const other = await storage.open('app');
    await other.write(new Map([['edit', '1']]));
    await other.write(new Map([['edit', '2']]));
    expect(caches.textsIn('rejoin copy app')).toEqual(['2']);
    await opened.write(new Map([['edit', undefined]]));
    expect(caches.textsIn('rejoin copy app')).toEqual([]);
  });

  test('has one copy of an entry that another tab has written last', async () => {
    const storage = copiedStorage(memoryStorage());
    const [first, second] = [await storage.open('app'), await storage.open('app')];
    await first.write(new Map([['edit', '1']]));
    await second.read();
    await first.write(new Map([['edit', '2']]));
    await second.write(new Map([['edit', '3']]));
    expect(caches.textsIn('rejoin copy app')).toEqual(['3']);
    await second.write(new Map([['edit', undefined]]));
    expect(caches.textsIn('rejoin copy app')).toEqual([]);
  });

  test('restores the version that was written last, whichever tab was opened first', async () => {
    const storage = copiedStorage(memoryStorage());
    const [first, second] = [await storage.open('app'), await storage.open('app')];
    for (let count = 0; count < 20; count++) await second.write(new Map([['edit', `${count}`]])); // oxlint-disable-line no-await-in-loop -- one after another
    caches.deletes = false;
    await first.read();
    await first.write(new Map([['edit', 'last']]));
    const { entries } = await (await copiedStorage(memoryStorage()).open('app')).read();
    expect([...entries]).toEqual([['edit', 'last']]);
  });

  test('keeps the copy of an entry that a tab is writing while another one starts', async () => {
    const { locks } = new FakeBrowser().tab();
    vi.stubGlobal('navigator', { locks });
    const inner = memoryStorage();
    await (await inner.open('app')).write(new Map([['other', '1']]));
    const stored = deferred();
    const slow = copiedStorage({
      open: async (name) => {
        const opened = await inner.open(name);
        return { ...opened, write: (changes) => stored.promise.then(() => opened.write(changes)) };
      },
    });
    const written = (await slow.open('app')).write(new Map([['edit', 'saved']]));
    await settle();
    await (await copiedStorage(inner).open('app')).read();
    await settle();
    stored.resolve();
    await written;
    expect(caches.textsIn('rejoin copy app')).toContain('saved');
  });

  test('works where the browser refuses locks', async () => {
    const refused = (): Promise<never> => Promise.reject(new DOMException('refused', 'SecurityError'));
    vi.stubGlobal('navigator', { locks: { request: refused } });
    const opened = await copiedStorage(memoryStorage()).open('app');
    await opened.write(new Map([['edit', 'saved']]));
    expect([...(await opened.read()).entries]).toEqual([['edit', 'saved']]);
  });

  test('has no data of the user after a logout', async () => {
    const app = await waiting();
    await app.controller.resetEntireStore();
    expect(caches.names.flatMap((name) => caches.textsIn(name))).toEqual([]);
  });

  test('does not restore an entry that was copied and never stored', async () => {
    const inner = memoryStorage();
    const opened = await copiedStorage({
      open: async (name) => ({ ...(await inner.open(name)), write: () => Promise.reject(new Error('killed')) }),
    }).open('app');
    await opened.write(new Map([['late', '1']])).catch(ignore);
    await (await inner.open('app')).write(new Map([['stored', '2']]));
    await (await copiedStorage(inner).open('app')).read();
    await settle();
    expect(await (await copiedStorage(memoryStorage()).open('app')).read()).toEqual({ entries: new Map() });
  });

  test('works without a copy if the browser refuses a Cache Storage', async () => {
    caches.fails = true;
    const storage = copiedStorage(memoryStorage());
    const app = await waiting(storage);
    expect(app.events).toEqual([]);
    kill(app);
    expect((await startApp({ ...app, storage })).events).toEqual([{ type: 'restored', entries: 1 }]);
    vi.stubGlobal('caches', undefined);
    const inner = memoryStorage();
    expect(copiedStorage(inner)).toBe(inner);
  });

  test('can be cleared if the browser refuses a Cache Storage', async () => {
    const inner = memoryStorage();
    const app = await waiting(copiedStorage(inner));
    caches.fails = true;
    await app.controller.resetEntireStore();
    expect([app.events, [...(await (await inner.open('app outbox')).read()).entries]]).toEqual([[], []]);
  });
});

/** Lets the time pass until a promise settles. */
async function passing<Value>(work: Promise<Value>): Promise<Value> {
  const state = { isOver: false };
  const done = work.finally(() => void (state.isOver = true));
  /* oxlint-disable no-await-in-loop -- one second after another */
  while (!state.isOver) {
    await settle();
    await vi.advanceTimersByTimeAsync(1000);
  }
  /* oxlint-enable no-await-in-loop */
  return done;
}

describe('while the Cache Storage does not answer, as after the kill of a tab that wrote to it', () => {
  beforeEach(() => void vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] }));
  afterEach(() => void vi.useRealTimers());

  /** An application with an edit that waits for the network, and whose copy is not answered. */
  async function hanging(inner = memoryStorage()): Promise<App> {
    caches.hangs = true;
    const app = await passing(startApp({ storage: copiedStorage(inner), platform: { setTimeout, clearTimeout } }));
    app.server.isOnline = false;
    app.controller.fetch(app.todos.create, { title: 'a' }).catch(ignore);
    await passing(app.outbox.flush());
    return app;
  }

  test('edits are saved after five seconds, and the next ones at once', async () => {
    const app = await hanging();
    expect(await app.outbox.flush()).toBe(true);
    app.controller.fetch(app.todos.create, { title: 'b' }).catch(ignore);
    expect(await app.outbox.flush()).toBe(true);
    expect(app.events).toEqual([]);
  });

  test('the copies of edits are made as soon as it answers again', async () => {
    const app = await hanging();
    app.controller.fetch(app.todos.create, { title: 'b' }).catch(ignore);
    await app.outbox.flush();
    caches.answer();
    await settle();
    kill(app);
    const next = await startApp({ server: app.server, storage: copiedStorage(memoryStorage()) });
    expect(next.events).toEqual([{ type: 'restored', entries: 2 }]);
  });

  test('an edit counts as saved when its copy was written, also if that takes some seconds', async () => {
    const app = await startApp({ storage: copiedStorage(memoryStorage()), platform: { setTimeout, clearTimeout } });
    app.server.isOnline = false;
    caches.hangs = true;
    app.controller.fetch(app.todos.create, { title: 'a' }).catch(ignore);
    const saved = vi.fn<() => void>();
    void app.outbox.flush().then(saved);
    await settle();
    await vi.advanceTimersByTimeAsync(4000);
    expect(saved).not.toHaveBeenCalled();
    caches.answer();
    await settle();
    expect(saved).toHaveBeenCalled();
    kill(app);
    const next = await startApp({ server: app.server, storage: copiedStorage(memoryStorage()) });
    expect(next.events).toEqual([{ type: 'restored', entries: 1 }]);
  });

  test.each([
    ['read', 1],
    ['found, but read', 2],
  ])('copies that are %s too late for the start are restored with the next edit', async (_what, calls) => {
    const app = await waiting();
    kill(app);
    await settle();
    const storage = copiedStorage(memoryStorage());
    caches.hangsFrom('rejoin copy app outbox', calls);
    const clock = { setTimeout, clearTimeout };
    const next = await passing(startApp({ server: app.server, storage, platform: clock }));
    expect(next.outbox.entries()).toEqual([]);
    next.controller.fetch(next.todos.create, { title: 'b' }).catch(ignore);
    await settle();
    caches.answer();
    await settle();
    expect(await next.outbox.flush()).toBe(true);
    kill(next);
    const { outbox } = await startApp({ server: app.server, storage });
    expect(outbox.entries().map(({ args }) => args)).toEqual([[{ title: 'a' }], [{ title: 'b' }]]);
  });

  test.each(['in the same page', 'after the next start of the browser'])(
    'copies that were not read within five seconds of an edit are restored %s, and the edit is kept',
    async (when) => {
      const app = await waiting();
      kill(app);
      await settle();
      const storage = copiedStorage(memoryStorage());
      caches.hangs = true;
      const clock = { setTimeout, clearTimeout };
      const next = await passing(startApp({ server: app.server, storage, platform: clock }));
      next.controller.fetch(next.todos.create, { title: 'b' }).catch(ignore);
      expect(await passing(next.outbox.flush())).toBe(true);
      if (when === 'in the same page') {
        caches.answer();
        await settle();
        next.controller.fetch(next.todos.create, { title: 'c' }).catch(ignore);
        expect(await passing(next.outbox.flush())).toBe(true);
      }
      kill(next);
      caches.restart();
      const { outbox } = await startApp({ server: app.server, storage });
      const titles = when === 'in the same page' ? ['a', 'b', 'c'] : ['a', 'b'];
      expect(outbox.entries().map(({ args }) => args)).toEqual(titles.map((title) => [{ title }]));
    },
  );

  test('a logout deletes what was stored, and reports that the copy may be left', async () => {
    const inner = memoryStorage();
    const app = await hanging(inner);
    await passing(app.controller.resetEntireStore());
    const { entries } = await passing((await copiedStorage(inner).open('app outbox')).read());
    expect([...entries]).toEqual([]);
    expect(app.events).toEqual([{ type: 'uncleared', error: expect.objectContaining({ code: 'storage-timeout' }) }]);
  });

  test('copies that a logout could not delete are not restored, also after later edits', async () => {
    const storage = copiedStorage(memoryStorage());
    const app = await startApp({ storage, platform: { setTimeout, clearTimeout } });
    app.server.isOnline = false;
    app.controller.fetch(app.todos.create, { title: 'former user' }).catch(ignore);
    await app.outbox.flush();
    caches.hangs = true;
    await passing(app.controller.resetEntireStore());
    kill(app);
    caches.restart();
    const next = await startApp({ server: app.server, storage });
    expect(next.outbox.entries()).toEqual([]);
    await settle();
    expect(caches.textsIn('rejoin copy app outbox')).toEqual([]);
  });

  test('data is saved on the disk', async () => {
    caches.hangs = true;
    const storage = memoryStorage();
    const { persist, store, events } = await passing(startPersist({ storage }));
    store.write(Todo, { id: '1' });
    await passing(persist.flush());
    expect(events).toEqual([]);
    expect((await passing(startPersist({ storage }))).store.get(Todo, { id: '1' })?.id).toBe('1');
  });
});

test('a browser that has lost its localStorage too, because it was killed early, reports an emptied storage', async () => {
  const { persist, store } = await startPersist({ storage: memoryStorage() });
  store.write(Todo, { id: '1' });
  await persist.flush();
  expect((await startPersist({ storage: memoryStorage() })).events).toEqual([{ type: 'lost' }]);
  expect((await startPersist({ storage: memoryStorage() })).events).toEqual([]);
});
