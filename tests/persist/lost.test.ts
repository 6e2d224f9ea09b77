import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { platform } from 'rejoin';
import { copiedStorage, memoryStorage, PersistManager } from 'rejoin/persist';
import { Todo } from '../model.ts';
import { rowsOf, start, todos } from './app.ts';
import { DeletedStorage } from './storage.ts';

const kept = new Map<string, string>();
const localStorage = {
  getItem: (key: string) => kept.get(key) ?? null,
  setItem: (key: string, value: string) => void kept.set(key, value),
  removeItem: (key: string) => void kept.delete(key),
};

beforeEach(() => {
  kept.clear();
  vi.stubGlobal('document', new EventTarget());
  vi.stubGlobal('localStorage', localStorage);
});
afterEach(() => vi.unstubAllGlobals());

describe('a storage that the browser has emptied', () => {
  test('is reported once at the next start', async () => {
    const { store, persist } = await start({ storage: memoryStorage() });
    store.write(Todo, { id: '1' });
    await persist.flush();
    const storage = memoryStorage();
    expect((await start({ storage })).events).toEqual([{ type: 'lost' }]);
    expect((await start({ storage })).events).toEqual([]);
  });

  test('is not reported if the user has logged out', async () => {
    const { controller, store, persist } = await start({ storage: memoryStorage() });
    store.write(Todo, { id: '1' });
    await persist.flush();
    await controller.resetEntireStore();
    await persist.flush();
    expect((await start({ storage: memoryStorage() })).events).toEqual([]);
  });

  test('is not reported if the browser refuses localStorage', async () => {
    vi.stubGlobal('localStorage', {
      getItem: () => {
        throw new DOMException('forbidden', 'SecurityError');
      },
    });
    expect((await start({ storage: memoryStorage() })).events).toEqual([]);
  });
});

describe('a storage that the browser deletes while the page is open', () => {
  test('gets all data again with the next change, and is reported once', async () => {
    const storage = new DeletedStorage();
    const { controller, events, persist, store } = await start({ storage });
    store.write(todos, [{ id: '1' }, { id: '2' }], { args: [{}], resultKey: 'all' });
    await persist.flush();
    storage.delete();
    store.write(Todo, { id: '2', title: 'b' });
    await persist.flush();
    store.write(Todo, { id: '1', title: 'a' });
    await persist.flush();
    expect(events).toEqual([{ type: 'lost' }]);
    controller.dispose();
    await persist.flush();
    const next = await start({ storage });
    expect(rowsOf(next.store)).toEqual(rowsOf(store));
    expect(next.store.get(todos, {})).toMatchObject([{ title: 'a' }, { title: 'b' }]);
  });

  test('keeps the number of its session, so that data from before a logout is not taken for present data', async () => {
    const storage = new DeletedStorage();
    const { controller, persist, store } = await start({ storage });
    await controller.resetEntireStore();
    store.write(Todo, { id: '1', title: 'next' });
    await persist.flush();
    storage.delete();
    store.write(Todo, { id: '2', title: 'next' });
    await persist.flush();
    expect(Object.keys(rowsOf((await start({ storage })).store))).toEqual(['Todo 1', 'Todo 2']);
  });

  test('is not reported if another tab has written to it since', async () => {
    const storage = new DeletedStorage();
    const one = await start({ storage });
    one.store.write(Todo, { id: '1' });
    await one.persist.flush();
    storage.delete();
    const other = await start({ storage });
    other.store.write(Todo, { id: '2' });
    await other.persist.flush();
    one.store.write(Todo, { id: '3' });
    await one.persist.flush();
    expect(one.events).toEqual([]);
  });
});

test('a frame without an origin, which may not even ask for the Cache Storage, works without it', async () => {
  vi.stubGlobal('caches', undefined);
  Object.defineProperty(globalThis, 'caches', {
    get: () => {
      throw new DOMException('The context is sandboxed.', 'SecurityError');
    },
    configurable: true,
  });
  const storage = copiedStorage(memoryStorage());
  const { events, persist, store } = await start({ storage });
  store.write(Todo, { id: '1' });
  await persist.flush();
  expect(events).toEqual([]);
});

test('a Cache Storage whose methods throw, as in Cloudflare Workers, does not lead to the deletion of saved data', async () => {
  const throws = (): never => {
    throw new Error('the method is not implemented.');
  };
  vi.stubGlobal('caches', { has: throws, open: throws, delete: throws });
  const storage = copiedStorage(memoryStorage());
  const { persist, store } = await start({ storage });
  store.write(Todo, { id: '1' });
  await persist.flush();
  kept.clear();
  const { store: next } = await start({ storage });
  expect(rowsOf(next)).toEqual(rowsOf(store));
});

test('a PersistManager without a name is refused', () => {
  // @ts-expect-error -- as from JavaScript
  expect(() => new PersistManager({})).toThrow(expect.objectContaining({ code: 'storage-name-missing' }));
});

test.each([{ timeout: Number.NaN }, { timeout: '5' }, { timeout: 0 }, { maxAge: -1 }, { maxRows: Number.NaN }])(
  'a PersistManager with %j is refused',
  (options) => {
    expect(() => new PersistManager({ name: 'app', ...(options as object) })).toThrow(
      expect.objectContaining({ code: 'manager-option-invalid' }),
    );
  },
);

test('a PersistManager without a limit for its timeout waits as long as a timer can', async () => {
  const delays: number[] = [];
  const setTimeout = (run: () => void, milliseconds: number): unknown => {
    delays.push(milliseconds);
    return platform.setTimeout(run, milliseconds);
  };
  await start({
    storage: memoryStorage(),
    timeout: Number.POSITIVE_INFINITY,
    platform: { ...platform, setTimeout },
  });
  expect(Math.max(...delays)).toBe((2 ** 31 - 1) / 2);
});
