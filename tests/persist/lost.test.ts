import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { memoryStorage, PersistManager } from 'rejoin/persist';
import { Todo } from '../model.ts';
import { start } from './app.ts';

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

test('a PersistManager without a name is refused', () => {
  // @ts-expect-error -- as from JavaScript
  expect(() => new PersistManager({})).toThrow(expect.objectContaining({ code: 'storage-name-missing' }));
});
