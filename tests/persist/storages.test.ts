import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import * as files from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import * as fake from 'fake-indexeddb';
import { afterAll, beforeAll, describe, expect, onTestFinished, test, vi } from 'vitest';
import { fileStorage, indexedDbStorage, memoryStorage, type TextStorage } from 'rejoin/persist';
import { checkStorage } from 'rejoin/testing';
import { rowsOf, start } from './app.ts';
import { Todo } from '../model.ts';
import { nextTurn } from '../next-turn.ts';

const folder = mkdtempSync(join(tmpdir(), 'rejoin-persist-'));
beforeAll(() => {
  for (const [name, value] of Object.entries(fake)) vi.stubGlobal(name, value);
});
afterAll(() => {
  vi.unstubAllGlobals();
  rmSync(folder, { recursive: true, force: true });
});

describe('checkStorage() accepts', () => {
  test('memoryStorage()', () => expect(checkStorage(memoryStorage())).resolves.toBeUndefined());
  test('indexedDbStorage()', () => expect(checkStorage(indexedDbStorage())).resolves.toBeUndefined());
  test('fileStorage()', () => expect(checkStorage(fileStorage(join(folder, 'laws')))).resolves.toBeUndefined());

  test.each<[string, (opened: Awaited<ReturnType<TextStorage['open']>>) => object]>([
    ['forgets', () => ({ write: async () => undefined })],
    [
      'does not take away',
      (opened) => ({
        write: (changes: Map<string, string>) =>
          opened.write(new Map([...changes].filter(([, value]) => value !== undefined))),
      }),
    ],
    ['does not clear', () => ({ clear: async () => undefined })],
    ['is damaged', (opened) => ({ read: async () => ({ ...(await opened.read()), damaged: 1 }) })],
  ])('no storage that %s', async (_what, fault) => {
    const inner = memoryStorage();
    const storage: TextStorage = {
      open: async (name) => {
        const opened = await inner.open(name);
        return { ...opened, ...fault(opened) };
      },
    };
    await expect(checkStorage(storage)).rejects.toThrow('The storage breaks a rule');
  });

  test('a storage, and closes it each time that it has opened it', async () => {
    const inner = memoryStorage();
    let open = 0;
    const storage: TextStorage = {
      open: async (name) => {
        open++;
        return { ...(await inner.open(name)), close: async () => void open-- };
      },
    };
    await checkStorage(storage);
    expect(open).toBe(0);
  });

  test('no storage that mixes up names', async () => {
    const inner = memoryStorage();
    await expect(checkStorage({ open: () => inner.open('one') })).rejects.toThrow('share nothing');
  });
});

describe('a database', () => {
  const storage = indexedDbStorage();

  test('of another application under the same name is not changed, and the application continues', async () => {
    const request = indexedDB.open('foreign', 7);
    await new Promise((resolve) => (request.onsuccess = resolve));
    request.result.close();
    const { store, events, persist } = await start({ name: 'foreign', storage });
    store.write(Todo, { id: '1' });
    await persist.flush();
    expect(events).toMatchObject([{ type: 'memory' }]);
  });

  test('does not block another version of the application', async () => {
    const { store, persist } = await start({ name: 'blocking', storage });
    store.write(Todo, { id: '1' });
    await persist.flush();
    const request = indexedDB.open('blocking', 2);
    await new Promise((resolve, reject) => {
      request.onsuccess = resolve;
      request.onblocked = reject;
    });
    expect(request.result.version).toBe(2);
    request.result.close();
  });

  test('whose connection the browser has closed is opened again', async () => {
    const { store, events, persist } = await start({ name: 'closed', storage });
    const original = IDBDatabase.prototype.transaction;
    let isOnce = true;
    IDBDatabase.prototype.transaction = function transaction(...args) {
      if (isOnce) this.close();
      isOnce = false;
      return original.apply(this, args);
    };
    store.write(Todo, { id: '1' });
    await persist.flush();
    IDBDatabase.prototype.transaction = original;
    expect(events).toEqual([]);
    expect(rowsOf((await start({ name: 'closed', storage })).store)).toEqual({ 'Todo 1': { id: '1' } });
  });

  describe('with many entries, and a page that the browser stops in the middle of', () => {
    const many = new Map(Array.from({ length: 1600 }, (_, at) => [`key ${at}`, String(at)]));

    /** Begins work, stops the page when one of its requests is answered, and lets another page write. */
    async function stopIn<Value>(method: 'getAll' | 'put', begin: () => Promise<Value>, other: () => Promise<void>) {
      vi.stubGlobal('document', new EventTarget());
      onTestFinished(() => void vi.stubGlobal('document', undefined));
      // The first read is a transaction of one request.
      let left = method === 'getAll' ? 2 : 1;
      const original = IDBObjectStore.prototype[method] as (this: IDBObjectStore, ...args: unknown[]) => IDBRequest;
      const answered = new Promise<void>((resolve) => {
        IDBObjectStore.prototype[method] = function one(this: IDBObjectStore, ...args: unknown[]) {
          const request = original.apply(this, args);
          request.addEventListener('success', () => --left === 0 && resolve());
          return request;
        } as never;
      });
      const done = begin();
      await answered;
      IDBObjectStore.prototype[method] = original as never;
      const written = other();
      document.dispatchEvent(new Event('freeze'));
      document.dispatchEvent(new Event('resume'));
      await written;
      return done;
    }

    test('a read does not hold up a write of another page, and then reads all entries', async () => {
      const [one, other] = [await storage.open('stopped'), await storage.open('stopped')];
      await one.write(many);
      const { entries } = await stopIn(
        'getAll',
        () => one.read(),
        () => other.write(new Map([['key 7', 'new']])),
      );
      expect(new Map(entries)).toEqual(new Map([...many, ['key 7', 'new']]));
    });

    test('a write does not hold up another page, and is made again', async () => {
      const [one, other] = [await storage.open('stopped later'), await storage.open('stopped later')];
      await stopIn(
        'put',
        () => one.write(many),
        () => other.write(new Map([['key 7', 'earlier'], ['other', 'new']])), // prettier-ignore
      );
      expect(new Map((await one.read()).entries)).toEqual(new Map([...many, ['other', 'new']]));
    });
  });

  test('whose read the browser aborts rejects, and leaves no rejection that nothing handles', async () => {
    const opened = await storage.open('aborted');
    await opened.write(new Map([['a', '1']]));
    const original = IDBObjectStore.prototype.getAll;
    IDBObjectStore.prototype.getAll = function getAll(...args) {
      const request = original.apply(this, args);
      this.transaction.abort();
      return request;
    };
    onTestFinished(() => void (IDBObjectStore.prototype.getAll = original));
    const unhandled = vi.fn<(reason: unknown) => void>();
    process.on('unhandledRejection', unhandled);
    onTestFinished(() => void process.off('unhandledRejection', unhandled));
    await expect(opened.read()).rejects.toMatchObject({ name: 'AbortError' });
    await nextTurn();
    expect(unhandled).not.toHaveBeenCalled();
  });
});

describe('a file', () => {
  const at = (name: string): string => join(folder, name);
  const fileOf = (name: string): string => join(at(name), readdirSync(at(name))[0] ?? '');

  async function written(name: string): Promise<string> {
    const { controller, store, persist } = await start({ storage: fileStorage(at(name)) });
    for (const title of ['a', 'b', 'c']) {
      store.write(
        [Todo],
        [
          { id: '1', title },
          { id: '2', title },
        ],
      );
      await persist.flush(); // oxlint-disable-line no-await-in-loop -- one line after another
    }
    controller.dispose();
    await persist.flush();
    return fileOf(name);
  }

  test('of which a bit is flipped lacks only the entry with that bit, and reports it once', async () => {
    const storage = fileStorage(at('flipped'));
    const keys = Array.from({ length: 12 }, (_, key) => `key ${key}`);
    const opened = await storage.open('x');
    for (const key of keys) await opened.write(new Map([[key, 'a value J']])); // oxlint-disable-line no-await-in-loop -- one line after another
    await opened.close();
    const file = fileOf('flipped');
    const whole = readFileSync(file);
    const found = { fewest: keys.length, most: 0, again: 0 };
    for (let bit = 0; bit < whole.length * 8; bit += 3) {
      const bytes = Uint8Array.from(whole);
      bytes[bit >> 3] = (bytes[bit >> 3] ?? 0) ^ (1 << (bit % 8));
      writeFileSync(file, bytes);
      /* oxlint-disable no-await-in-loop -- one file */
      const next = await storage.open('x');
      const { entries, damaged = 0 } = await next.read();
      const again = await next.read();
      await next.close();
      /* oxlint-enable no-await-in-loop */
      found.fewest = Math.min(found.fewest, [...entries].length + damaged);
      found.most = Math.max(found.most, damaged);
      found.again += (again.damaged ?? 0) + [...entries].length - [...again.entries].length;
    }
    expect(found).toEqual({ fewest: 12, most: 1, again: 0 });
  });

  test('that was rewritten lacks only one entry too', async () => {
    const storage = fileStorage(at('again'));
    const opened = await storage.open('x');
    const all = new Map(Array.from({ length: 600 }, (_, key) => [`key ${key}`, 'a value']));
    for (let round = 0; round < 3; round++) await opened.write(all); // oxlint-disable-line no-await-in-loop -- one line after another
    await opened.close();
    const file = fileOf('again');
    writeFileSync(file, readFileSync(file, 'utf8').replace('["key 300"', '["key_300"'));
    const { entries, damaged } = await (await storage.open('x')).read();
    expect([[...entries].length, damaged]).toEqual([599, 1]);
  });

  test('that is cut off anywhere, or has a flipped bit, has the state of one moment', async () => {
    const file = await written('cut');
    const whole = readFileSync(file);
    const starts = [[], ['a', 'a'], ['b', 'b'], ['c', 'c']];
    let droppedEvents = 0;
    const check = async (bytes: Uint8Array): Promise<void> => {
      writeFileSync(file, bytes);
      const { store, events, persist, controller } = await start({ storage: fileStorage(at('cut')) });
      expect(starts).toContainEqual(Object.values(rowsOf(store)).map((row) => (row as Todo).title));
      droppedEvents += events.filter(({ type }) => type === 'dropped').length;
      store.write(Todo, { id: '9', title: 'new' });
      await persist.flush();
      controller.dispose();
      await persist.flush();
      expect(rowsOf((await start({ storage: fileStorage(at('cut')) })).store)).toHaveProperty('Todo 9');
    };
    for (let length = 0; length <= whole.length; length += 3) await check(whole.subarray(0, length)); // oxlint-disable-line no-await-in-loop -- one file
    for (let place = 0; place < whole.length; place += 3) {
      const bytes = Uint8Array.from(whole);
      bytes[place] = (bytes[place] ?? 0) ^ (1 << (place % 8));
      await check(bytes); // oxlint-disable-line no-await-in-loop -- one file
    }
    expect(droppedEvents).toBeGreaterThan(whole.length / 2);
  });

  test('is rewritten when most of it is outdated', async () => {
    const storage = fileStorage(at('compact'));
    const opened = await storage.open('x');
    const sizes: number[] = [];
    for (let round = 0; round < 30; round++) {
      await opened.write(new Map(Array.from({ length: 100 }, (_, key) => [`key ${key}`, String(round)]))); // oxlint-disable-line no-await-in-loop -- in order
      sizes.push(readFileSync(fileOf('compact')).length);
    }
    await opened.close();
    expect(Math.max(...sizes)).toBeLessThan(40_000);
    const { entries } = await (await storage.open('x')).read();
    expect(new Set(new Map(entries).values())).toEqual(new Set(['29']));
  });

  test('that is opened and written to, and was not read, keeps what it had when it is rewritten', async () => {
    const storage = fileStorage(at('unread'));
    const first = await storage.open('x');
    await first.write(new Map([['former', '1']]));
    await first.close();
    const opened = await storage.open('x');
    const keys = Array.from({ length: 600 }, (_, key) => `key ${key}`);
    await opened.write(new Map(keys.map((key) => [key, 'a value'])));
    await opened.write(new Map(keys.map((key) => [key, undefined])));
    expect(readFileSync(fileOf('unread')).length).toBeLessThan(1000);
    expect(await opened.read()).toEqual({ entries: [['former', '1']], damaged: 0 });
    await opened.close();
  });

  test('has its writes in the order of their calls, also where the system appends a short text before a long one', async () => {
    const { getBuiltinModule } = process;
    process.getBuiltinModule = () => ({
      ...files,
      open: async (path: string, flags: string) => {
        const file = await files.open(path, flags);
        const { appendFile } = file;
        file.appendFile = async (text) => {
          if (String(text).length > 100) await new Promise((resolve) => setImmediate(resolve));
          return appendFile.call(file, text);
        };
        return file;
      },
    });
    try {
      const opened = await fileStorage(at('order')).open('x');
      await Promise.all([opened.write(new Map([['a', 'x'.repeat(100)]])), opened.write(new Map([['a', 'later']]))]);
      expect([...(await opened.read()).entries]).toEqual([['a', 'later']]);
      await opened.close();
    } finally {
      process.getBuiltinModule = getBuiltinModule;
    }
  });

  test('cannot be used in a browser, which is the error storage-missing', async () => {
    const { getBuiltinModule } = process;
    process.getBuiltinModule = () => undefined;
    try {
      await expect(fileStorage('x').open('y')).rejects.toMatchObject({ code: 'storage-missing' });
    } finally {
      process.getBuiltinModule = getBuiltinModule;
    }
  });
});
