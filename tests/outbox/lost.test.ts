import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { memoryStorage } from 'rejoin/persist';
import { DeletedStorage } from '../persist/storage.ts';
import { FakeBrowser } from '../tabs/browser.ts';
import { type App, ignore, kill, settle, start } from './app.ts';

const kept = new Map<string, string>();
const localStorage = {
  getItem: (key: string) => kept.get(key) ?? null,
  setItem: (key: string, value: string) => void kept.set(key, value),
  removeItem: (key: string) => void kept.delete(key),
};

/** A global object that a page has and a worker lacks. */
function openPage(): void {
  vi.stubGlobal('document', new EventTarget());
  vi.stubGlobal('localStorage', localStorage);
}

beforeEach(() => {
  kept.clear();
  openPage();
});
afterEach(() => vi.unstubAllGlobals());

/** An application that was killed before its edit reached the server. */
async function leaveEdit(): Promise<App> {
  const app = await start();
  app.server.isOnline = false;
  app.controller.fetch(app.todos.create, { title: 'a' }).catch(ignore);
  await app.outbox.flush();
  return app;
}

describe('edits that the browser has deleted', () => {
  test('are reported once at the next start', async () => {
    kill(await leaveEdit());
    const storage = memoryStorage();
    expect((await start({ storage })).events).toEqual([{ type: 'lost' }]);
    expect((await start({ storage })).events).toEqual([]);
  });

  test('are not reported if they were sent', async () => {
    const app = await leaveEdit();
    app.server.isOnline = true;
    app.outbox.retry();
    await settle();
    expect(app.outbox.entries()).toEqual([]);
    kill(app);
    expect((await start({ storage: memoryStorage() })).events).toEqual([]);
  });

  test('are not reported if a worker has sent them, which has no localStorage', async () => {
    const { server, storage, ...app } = await leaveEdit();
    kill({ server, storage, ...app });
    vi.unstubAllGlobals();
    server.isOnline = true;
    const worker = await start({ server, storage });
    await settle();
    expect(server.effects).toHaveLength(1);
    kill(worker);
    openPage();
    expect((await start({ server, storage })).events).toEqual([]);
    expect(kept.size).toBe(0);
  });

  test('are not reported if the user has logged out, and they were discarded', async () => {
    const app = await leaveEdit();
    await app.controller.resetEntireStore();
    await app.controller.ready;
    kill(app);
    expect(app.events).toEqual([]);
    expect((await start({ storage: app.storage })).events).toEqual([]);
  });
});

describe('edits that the browser deletes while the page is open', () => {
  async function paused(options: Parameters<typeof start>[0] = {}) {
    const storage = new DeletedStorage();
    const app = await start({ storage, ...options });
    app.server.troubles.push(401);
    const { controller, outbox, todos } = app;
    const form = new FormData();
    form.set('title', new File(['content'], 'a.txt'));
    controller.fetch(todos.create, { title: 'a' }).catch(ignore);
    await settle();
    controller.fetch(todos.create, form).catch(ignore);
    await outbox.flush();
    storage.delete();
    return { ...app, deleted: storage };
  }
  const kinds = (keys: readonly string[]): string => keys.map((key) => key.split(' ')[0]).join(' ');

  test('are saved again with the next edit, with their files', async () => {
    const { controller, deleted, events, outbox, todos } = await paused();
    controller.fetch(todos.create, { title: 'c' }).catch(ignore);
    await outbox.flush();
    expect(kinds(deleted.keysOf('app outbox'))).toBe('entry entry file entry');
    expect(events).toMatchObject([{ type: 'paused' }]);
  });

  test('are saved again when another tab has changed the storage', async () => {
    const fake = new FakeBrowser();
    const { deleted, server } = await paused({ browser: fake.tab() });
    await start({ server, storage: deleted, browser: fake.tab() });
    await settle();
    expect(kinds(deleted.keysOf('app outbox'))).toBe('entry entry file');
  });
});
