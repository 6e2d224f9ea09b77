import { afterEach, describe, expect, test, vi } from 'vitest';
import { dehydrate, ExpiryStatus, INVALID, RestEndpoint } from 'rejoin';
import { memoryStorage, type PersistOptions, type TextStorage } from 'rejoin/persist';
import { addGuess } from '../../src/state/store/layer.ts';
import { Todo, User } from '../model.ts';
import { begin, rowsOf, type Run, start, todos } from './app.ts';
import { restore } from '../../src/state/store/restore.ts';

const list = [
  { id: '1', title: 'a', owner: { id: 'u', name: 'x' } },
  { id: '2', title: 'b' },
];
const all = { args: [{}], resultKey: 'GET /todos' };

/** Stores a list in a first run, and ends it. */
async function kept(options: Partial<PersistOptions> = {}): Promise<TextStorage> {
  const { storage = memoryStorage() } = options;
  const { controller, persist, store } = await start({ ...options, storage });
  store.write(todos, list, { ...all, expiresAt: Date.now() + 1000 });
  await persist.flush();
  controller.dispose();
  return storage;
}

/** A row without its title. */
function untitled(row: object): object {
  const { title: _, ...others } = row as { readonly title?: string };
  return others;
}

function rowKey(table: string, pk: string): string {
  return `row ${JSON.stringify([table, pk])}`;
}

/** The keys in a storage, sorted. */
async function keysIn(storage: TextStorage, name = 'app'): Promise<readonly string[]> {
  return [...(await entriesIn(storage, name)).keys()].sort();
}

async function entriesIn(storage: TextStorage, name = 'app'): Promise<Map<string, string>> {
  const { entries } = await (await storage.open(name)).read();
  return new Map(entries);
}

/** A storage, with the entries that were written since. */
function counted(storage: TextStorage): { storage: TextStorage; writes: string[][] } {
  const writes: string[][] = [];
  return {
    writes,
    storage: {
      open: async (name) => {
        const opened = await storage.open(name);
        return {
          ...opened,
          write: (changes) => opened.write(changes).then(() => void writes.push([...changes.keys()])),
        };
      },
    },
  };
}

afterEach(() => vi.restoreAllMocks());

describe('an application that starts again', () => {
  test('has the dates and numbers that `process` or a validator has made of texts, and lists that look like a saved date', async () => {
    const storage = memoryStorage();
    const given = {
      id: '1',
      due: new Date(5),
      never: new Date(Number.NaN),
      odd: ['\0', 5, ['\0', '\0', { at: new Date(6) }], ['\0', 'NaN']],
      most: Infinity,
      mean: [NaN, -Infinity],
      text: '\0',
    };
    const first = await start({ storage });
    first.store.write(Todo, given);
    first.store.write(undefined, { at: new Date(7) }, { args: [new Date(8)], resultKey: 'GET /time' });
    await first.persist.flush();
    const { store } = await start({ storage });
    expect(store.row('Todo', '1')).toEqual(given);
    expect(store.result('GET /time')).toMatchObject({ stored: { at: new Date(7) }, args: [new Date(8)] });
  });

  test('restores its records, lists and answers', async () => {
    const { store, events } = await start({ storage: await kept() });
    expect(store.get(todos, {})).toMatchObject([{ title: 'a', owner: { name: 'x' } }, { title: 'b' }]);
    expect((store.get(Todo, '1') as Todo).owner).toBe(store.get(User, 'u'));
    expect(store.resultView('GET /todos', todos).current()).toBe(store.get(todos, {}));
    expect(events).toEqual([{ type: 'restored', rows: 4, results: 1, milliseconds: expect.any(Number) }]);
  });

  test('restores the age of answers', async () => {
    const { store } = await start({ storage: await kept() });
    const { stamp } = store.result('GET /todos') ?? {};
    expect(stamp).toMatchObject({ issue: 0 });
    expect(Number(stamp?.expiresAt) - Number(stamp?.fetchedAt)).toBeLessThanOrEqual(1000);
  });

  test('restores which records were deleted', async () => {
    const storage = await kept();
    const { persist, store } = await start({ storage });
    store.invalidate(Todo, '1');
    await persist.flush();
    const later = await start({ storage });
    expect(later.store.row('Todo', '1')).toBe(INVALID);
    expect(later.store.get(todos, {})).toMatchObject([{ id: '2' }]);
  });

  test('restores no optimistic value, and no answer that was invalidated, has expired, or must not be stored', async () => {
    const storage = await kept();
    const { controller, persist, store } = await start({ storage });
    addGuess(store, () => ({ schema: Todo, response: { id: '1', title: 'guess' } }));
    store.note('GET /todos', { isInvalidated: true, since: 0, edits: 0 });
    store.dropResult('GET /todos');
    store.write(Todo, { id: '2' }, { resultKey: 'secret' });
    store.note('secret', { isNoStore: true, since: 0, edits: 0 });
    store.write(Todo, { id: '2' }, { resultKey: 'expired' });
    store.note('expired', { isExpired: true, since: 0, edits: 0 });
    await persist.flush();
    controller.dispose();
    const later = await start({ storage });
    expect(later.store.row('Todo', '1')).toMatchObject({ title: 'a' });
    expect(Array.from(later.store.results(), ([key, { stamp }]) => [key, stamp.expiresAt])).toEqual([['expired', 0]]);
  });

  test('restores that a request was invalidated, so that no other data answers it', async () => {
    const storage = await kept();
    const getTodo = new RestEndpoint({ path: '/todos/:id', schema: Todo });
    const first = await start({ storage });
    await first.controller.invalidate(getTodo, { id: '1' });
    await first.persist.flush();
    first.controller.dispose();
    const later = await start({ storage });
    expect(later.store.row('Todo', '1')).toMatchObject({ title: 'a' });
    const { data, expiryStatus } = later.controller.getResponse(getTodo, { id: '1' }, later.controller.getState());
    expect([data, expiryStatus]).toEqual([undefined, ExpiryStatus.Invalid]);
  });

  test('restores records that were collected to save memory', async () => {
    const storage = await kept();
    const { persist, store } = await start({ storage });
    store.write(todos, list, { ...all, expiresAt: 0 });
    store.reset;
    Array.from(store.collect());
    await persist.flush();
    expect(Object.keys(rowsOf((await start({ storage })).store))).toHaveLength(4);
  });

  test('restores the pks that replaced temporary pks', async () => {
    const storage = await kept();
    const { persist, store } = await start({ storage });
    const layer = addGuess(store, () => ({ schema: todos.push, response: { title: 'new' }, args: [{}] }));
    const temporary = layer.created[0]?.pk ?? '';
    layer.confirm(todos.push, { id: '7', title: 'new' }, { args: [{}] });
    await persist.flush();
    expect((await start({ storage })).store.pkOf('Todo', temporary)).toBe('7');
  });

  test('prefers the data that a server has sent with the page', async () => {
    const storage = await kept();
    const { persist, store } = begin({ storage });
    store.write(Todo, { id: '1', title: 'server' });
    await persist.restored;
    expect(store.row('Todo', '1')).toEqual({ id: '1', title: 'server' });
  });

  test('makes components wait until the data is restored', async () => {
    const { controller } = begin({ storage: await kept() });
    expect(controller.ready).toBeDefined();
    await controller.ready;
    expect(controller.ready).toBeUndefined();
  });
});

describe('a write', () => {
  test('contains the changes of a commit, and the data about the whole store', async () => {
    const { storage, writes } = counted(await kept());
    const { persist, store } = await start({ storage });
    store.write(Todo, { id: '2', title: 'c' });
    await persist.flush();
    expect(writes).toEqual([['row ["Todo","2"]', 'about']]);
    await persist.flush();
    expect(writes).toHaveLength(1);
  });

  test('collects several commits, and starts without a call of flush()', async () => {
    const { storage, writes } = counted(memoryStorage());
    const { store } = await start({ storage });
    for (let id = 1; id < 50; id++) store.write(Todo, { id: String(id) });
    await expect.poll(() => writes.length).toBe(1);
    expect(writes[0]).toHaveLength(50);
  });

  test('leaves the state at its end on the disk, also when more commits come during the write', async () => {
    const storage = memoryStorage();
    let time = Date.now();
    // Each read of the clock ends a slice of work, and only flush() writes.
    const platform = {
      now: () => (time += 100),
      setTimeout: (run: () => void, milliseconds: number) => milliseconds === 0 && setImmediate(run),
      clearTimeout: () => {},
    };
    const { persist, store } = await start({ storage, platform });
    const write = (title: string): void =>
      void store.write(
        [Todo],
        Array.from({ length: 500 }, (_, id) => ({ id: String(id), title })),
      );
    write('a');
    const flushed = persist.flush();
    await new Promise((resolve) => setImmediate(resolve));
    write('b');
    await flushed;
    const titles = Object.values(rowsOf((await start({ storage })).store)).map((row) => (row as Todo).title);
    expect(new Set(titles)).toEqual(new Set(['b']));
  });

  test('that a subscriber makes while data is restored is saved, and the restored data is not written again', async () => {
    const storage = await kept();
    const { storage: watched, writes } = counted(storage);
    const { persist, store } = begin({ storage: watched });
    const notes: unknown[] = [];
    store.query(todos, [{}]).subscribe(() => {
      if (notes.push(0) > 1) return;
      store.write(User, { id: 'n', name: 'noted' });
      store.write(Todo, { id: '2', done: true });
    });
    await persist.flush();
    expect(writes).toEqual([[rowKey('User', 'n'), rowKey('Todo', '2'), 'about']]);
    const { store: next } = await start({ storage });
    expect([next.row('User', 'n'), next.row('Todo', '2')]).toEqual([
      { id: 'n', name: 'noted' },
      { id: '2', title: 'b', done: true },
    ]);
  });

  test('contains only the parts that `include` returns', async () => {
    const storage = memoryStorage();
    const { persist, store } = await start({
      storage,
      include: (row, table) => (table === 'User' ? undefined : { ...row, title: undefined }),
    });
    store.write([Todo], list);
    await persist.flush();
    expect([...(await entriesIn(storage)).values()].join()).not.toMatch(/"a"|"x"/);
  });

  test.each<[string, PersistOptions['include'], unknown]>([
    [
      'a field',
      untitled,
      [
        ['1', ''],
        ['2', ''],
      ],
    ],
    ['a record', (row) => ((row as { id?: string }).id === '2' ? undefined : row), [['1', 'a']]],
    [
      'a record that JSON cannot represent',
      (row) => ((row as { id?: string }).id === '2' ? { ...row, big: 1n } : row),
      [['1', 'a']],
    ],
  ])('without %s restores a list as stale until it is fetched again', async (_what, include, due) => {
    const storage = await kept({ ...(include && { include }) });
    const freshness = async (): Promise<unknown> => {
      const { controller, persist, store } = await start({ storage });
      const { stamp } = store.result('GET /todos') ?? {};
      const shown = store.get(todos, {}) as Todo[] | undefined;
      await persist.flush();
      controller.dispose();
      return [shown?.map(({ id, title }) => [id, title]), Number(stamp?.expiresAt) > Date.now()];
    };
    expect([await freshness(), await freshness()]).toEqual([
      [due, false],
      [due, false],
    ]);
    // An answer of the same millisecond as a start may be from before the start.
    vi.spyOn(Date, 'now').mockReturnValue(Date.now() + 1);
    await kept({ storage });
    expect(await freshness()).toEqual([
      [
        ['1', 'a'],
        ['2', 'b'],
      ],
      true,
    ]);
  });

  test('of which `include` leaves nothing out restores a list as fresh', async () => {
    const storage = await kept({ include: (row) => ({ ...row }) });
    const { store } = await start({ storage });
    expect(store.result('GET /todos')?.stamp.expiresAt).toBeGreaterThan(Date.now());
    expect(store.get(todos, {})).toHaveLength(2);
  });

  test('is made when the page is hidden or left', async () => {
    const { storage, writes } = counted(memoryStorage());
    const page = new EventTarget();
    Object.assign(globalThis, {
      addEventListener: page.addEventListener.bind(page),
      removeEventListener: page.removeEventListener.bind(page),
    });
    const { controller, store } = await start({ storage });
    store.write(Todo, { id: '1' });
    page.dispatchEvent(new Event('pagehide'));
    for (let turn = 0; turn < 20; turn++) await Promise.resolve();
    expect(writes).toHaveLength(1);
    controller.dispose();
    Reflect.deleteProperty(globalThis, 'addEventListener');
    Reflect.deleteProperty(globalThis, 'removeEventListener');
  });
});

describe('users', () => {
  test('do not see the saved data of another user', async () => {
    const storage = await kept({ user: 'anna' });
    const { store, events } = await start({ storage, user: 'berta' });
    expect(rowsOf(store)).toEqual({});
    expect(events).toEqual([]);
    expect(rowsOf((await start({ storage, user: 'anna' })).store)).not.toEqual({});
  });

  test('saved data is deleted before a logout ends', async () => {
    const storage = await kept({ user: 'anna' });
    const { controller } = await start({ storage, user: 'anna' });
    await controller.resetEntireStore();
    expect(await keysIn(storage, 'app user anna')).toEqual(['session']);
  });

  test('a logout while data is restored deletes all of it', async () => {
    const storage = await kept();
    const { controller, persist, store } = begin({ storage });
    const reset = controller.resetEntireStore();
    await Promise.all([reset, persist.restored, persist.flush()]);
    expect(rowsOf(store)).toEqual({});
    expect(await keysIn(storage)).toEqual(['session']);
  });

  test('data that a tab writes before it knows of a logout is never restored', async () => {
    const storage = await kept();
    const [here, other] = [await start({ storage }), await start({ storage })];
    await here.controller.resetEntireStore();
    other.store.write(Todo, { id: '3', title: 'old' });
    await other.persist.flush();
    expect(rowsOf((await start({ storage })).store)).toEqual({});
    here.store.write(Todo, { id: '4', title: 'new' });
    await here.persist.flush();
    await other.controller.resetEntireStore();
    other.store.write(Todo, { id: '5', title: 'newer' });
    await other.persist.flush();
    expect(rowsOf((await start({ storage })).store)).toEqual({
      'Todo 4': { id: '4', title: 'new' },
      'Todo 5': { id: '5', title: 'newer' },
    });
  });

  test('data that a tab has written before it knew of a logout is deleted when it learns of the logout', async () => {
    const storage = await kept();
    const [here, other] = [await start({ storage }), await start({ storage })];
    await here.controller.resetEntireStore();
    other.store.write(Todo, { id: '3', title: 'old' });
    await other.persist.flush();
    await other.controller.resetEntireStore();
    expect(await keysIn(storage)).toEqual(['about', 'session']);
  });

  test('the pks of records that a tab has created before it knew of a logout are not restored', async () => {
    const storage = await kept();
    const [here, other] = [await start({ storage }), await start({ storage })];
    const layer = addGuess(other.store, () => ({ schema: todos.push, response: { title: 'a' }, args: [{}] }));
    layer.confirm(todos.push, { id: '9', title: 'a' }, { args: [{}] });
    expect(dehydrate(other.store).aliases).toHaveLength(1);
    await here.controller.resetEntireStore();
    await other.persist.flush();
    expect(dehydrate((await start({ storage })).store)).not.toHaveProperty('aliases');
  });

  test.each(['x', '-1', '[]', '1e400'])(
    'no data is restored if the number of the session is damaged (%s), because the data may be from before a logout, and later data is restored',
    async (text) => {
      const storage = await kept();
      await (await storage.open('app')).write(new Map([['session', text]]));
      const { events, store, persist } = await start({ storage });
      expect([rowsOf(store), events]).toEqual([{}, [{ type: 'dropped', reason: 'damage', entries: 6 }]]);
      store.write(Todo, { id: '4', title: 'new' });
      await persist.flush();
      expect(rowsOf((await start({ storage })).store)).toEqual({ 'Todo 4': { id: '4', title: 'new' } });
    },
  );

  test('data that is written after a logout is saved', async () => {
    const storage = await kept();
    const { controller, persist, store } = await start({ storage });
    store.write(Todo, { id: '3', title: 'old' });
    await controller.resetEntireStore();
    store.write(Todo, { id: '4', title: 'new' });
    await persist.flush();
    expect(rowsOf((await start({ storage })).store)).toEqual({ 'Todo 4': { id: '4', title: 'new' } });
  });
});

describe('data that is not restored', () => {
  test('includes data that another version of the application has saved', async () => {
    const storage = await kept({ version: 1 });
    const { store, events, persist } = await start({ storage, version: 2 });
    expect(rowsOf(store)).toEqual({});
    expect(events).toEqual([{ type: 'dropped', reason: 'version', entries: 5 }]);
    await persist.flush();
    expect((await start({ storage, version: 2 })).events).toEqual([]);
  });

  test('includes rows that a tab of another version has written meanwhile', async () => {
    const storage = memoryStorage();
    const later = await start({ storage, version: 2 });
    const earlier = await start({ storage, version: 1 });
    earlier.store.write(todos, [{ id: '1', title: 'of 1' }], all);
    await earlier.persist.flush();
    later.store.write(Todo, { id: '2', title: 'of 2' });
    await later.persist.flush();
    const { events, store, persist } = await start({ storage, version: 2 });
    expect(rowsOf(store)).toEqual({ 'Todo 2': { id: '2', title: 'of 2' } });
    expect([...store.results()]).toEqual([]);
    expect(events).toMatchObject([
      { type: 'dropped', reason: 'version' },
      { type: 'restored', rows: 1, results: 0 },
    ]);
    await persist.flush();
    const migrate = (row: object): object => ({ ...row, title: 'migrated' });
    expect(rowsOf((await start({ storage, version: 3, migrate })).store)).toEqual({
      'Todo 2': { id: '2', title: 'migrated' },
    });
  });

  test('does not include rows of another version that `migrate` returns', async () => {
    const storage = await kept({ version: 1 });
    const migrate = (row: object, table: string, from: string): object | undefined => {
      if (table === 'User') throw new TypeError('cannot');
      return table === 'Todo' ? { ...row, title: `${(row as Todo).title} of ${from}` } : row;
    };
    const { store, events, persist } = await start({ storage, version: 2, migrate });
    expect(store.get(todos, {})).toMatchObject([{ title: 'a of 1' }, { title: 'b of 1' }]);
    expect(events).toMatchObject([
      { type: 'dropped', reason: 'version', entries: 1 },
      { type: 'restored', rows: 3 },
    ]);
    await persist.flush();
    expect((await start({ storage, version: 2 })).store.row('Todo', '1')).toMatchObject({ title: 'a of 1' });
  });

  test('includes answers that are too old, and all data if nothing was written for that time', async () => {
    const storage = await kept();
    const inTime = (now: number) => ({ setTimeout, clearTimeout, now: () => now });
    const { persist, store, events } = await start({ storage, maxAge: 1000, platform: inTime(Date.now() + 999_999) });
    expect(rowsOf(store)).toEqual({});
    expect(events).toEqual([{ type: 'dropped', reason: 'age', entries: 5 }]);
    await persist.flush();
    expect(await keysIn(storage)).toEqual(['session']);
  });

  test('includes the oldest rows if there are more than the limit', async () => {
    const storage = memoryStorage();
    const { persist, store } = await start({ storage });
    store.write(todos, [], { args: [{}] });
    for (let id = 1; id <= 5; id++)
      restore(
        store.writer,
        [{ table: 'Todo', pk: String(id), row: { id }, stamp: { issue: 0, fetchedAt: id, date: id, expiresAt: id } }],
        [],
      );
    await persist.flush();
    const later = await start({ storage, maxRows: 3 });
    expect(Object.keys(rowsOf(later.store)).sort()).toEqual(['Todo 4', 'Todo 5', '[Todo] {}']);
    expect(later.events).toContainEqual({ type: 'dropped', reason: 'size', entries: 3 });
    await later.persist.flush();
    expect(await keysIn(storage)).toEqual([
      'about',
      'row ["Todo","4"]',
      'row ["Todo","5"]',
      'row ["[Todo]","{}"]',
      'stale',
    ]);
  });
});

test('makes a list stale at each later start if a row of the list was dropped', async () => {
  const storage = memoryStorage();
  const { persist, store } = await start({ storage });
  store.write(todos, [{ id: '1' }, { id: '2' }], { ...all, expiresAt: Date.now() + 99_999 });
  await persist.flush();
  await (await storage.open('app')).write(new Map([['row ["Todo","2"]', '["Todo"']]));
  const isFresh = async (): Promise<boolean> => {
    const later = await start({ storage });
    await later.persist.flush();
    expect(later.store.get(todos, {})).toHaveLength(1);
    return later.store.result('GET /todos')?.stamp.expiresAt !== 0;
  };
  expect(await isFresh()).toBe(false);
  expect(await isFresh()).toBe(false);
});

describe('a row that cannot be stored', () => {
  const rows = [
    { id: '1', title: 'a' },
    { id: '2', title: 'b' },
    { id: '3', title: 'c' },
  ];

  test.each([
    ['because include throws', undefined],
    ['because JSON has no form for a value', 5n],
  ])('%s, is reported, and the others are stored', async (_why, done) => {
    const storage = memoryStorage();
    const include = (row: object): object => {
      if (done === undefined && (row as Todo).id === '2') throw new TypeError('bad row');
      return row;
    };
    const { events, persist, store } = await start({ storage, include });
    store.write([Todo], rows.map((row) => (row.id === '2' ? { ...row, done } : row))); // prettier-ignore
    await persist.flush();
    store.write(Todo, { id: '4', title: 'd' });
    await persist.flush();
    expect(events).toEqual([{ type: 'skipped', error: expect.any(TypeError) }]);
    expect(Object.keys(rowsOf((await start({ storage })).store))).toEqual(['Todo 1', 'Todo 3', 'Todo 4']);
  });
});

test('an answer that JSON cannot represent, such as a file, is fetched again, and all other data is restored as fresh', async () => {
  const storage = await kept();
  const { events, persist, store } = await start({ storage });
  store.write(undefined, { blob: new Blob(['text']), filename: 'a.txt' }, { args: [{}], resultKey: 'GET /file' });
  await persist.flush();
  expect(events).toMatchObject([{ type: 'restored' }, { type: 'skipped', error: expect.any(TypeError) as TypeError }]);
  const next = await start({ storage });
  expect(next.store.result('GET /file')).toBeUndefined();
  expect(next.store.result('GET /todos')?.stamp.expiresAt).not.toBe(0);
});

test.each([new Map([['a', 1]]), new Set([1]), new Uint8Array(2)])(
  'a row with a value that JSON would make another one of is not stored: %s',
  async (title) => {
    const storage = memoryStorage();
    const { events, persist, store } = await start({ storage });
    store.write([Todo], [{ id: '1', title }, { id: '2' }]);
    await persist.flush();
    expect(events).toEqual([{ type: 'skipped', error: expect.any(TypeError) as TypeError }]);
    expect(Object.keys(rowsOf((await start({ storage })).store))).toEqual(['Todo 2']);
  },
);

describe('data of a later version', () => {
  const content = async (storage: TextStorage): Promise<unknown> => (await (await storage.open('app')).read()).entries;

  test.each([
    ['1', '2'],
    ['1.9.1', '1.10'],
    ['', '0.1'],
  ])('of the application stays as it is: version %j runs without the data of %j', async (version, later) => {
    const storage = await kept({ version: later });
    const before = await content(storage);
    const { controller, events, persist, store } = await start({ storage, version, migrate: (row) => row });
    expect(rowsOf(store)).toEqual({});
    store.write(Todo, { id: '9', title: 'mine' });
    await persist.flush();
    expect(events).toMatchObject([{ type: 'memory', error: { code: 'storage-later' } }]);
    expect(await content(storage)).toEqual(before);
    expect((await start({ storage, version: later })).events).toMatchObject([{ type: 'restored', rows: 4 }]);
    await controller.resetEntireStore();
    expect(await content(storage)).toEqual([['session', '1']]);
  });

  test('of this library stays as it is', async () => {
    const storage = await kept();
    const opened = await storage.open('app');
    await opened.write(new Map([['about', '{"format":"rejoin","version":2,"data":5}']]));
    const before = await content(storage);
    const { events, persist, store } = await start({ storage });
    store.write(Todo, { id: '9', title: 'mine' });
    await persist.flush();
    expect(events).toMatchObject([{ type: 'memory', error: { code: 'storage-later' } }]);
    expect(await content(storage)).toEqual(before);
  });

  test.each(['b', '1.x'])(
    'is dropped like an earlier one if the versions are no numbers, such as %j',
    async (later) => {
      const storage = await kept({ version: later });
      expect((await start({ storage, version: '1' })).events).toMatchObject([{ type: 'dropped', reason: 'version' }]);
    },
  );

  test('is restored although a tab of an earlier version has saved data since', async () => {
    const storage = memoryStorage();
    const earlier = await start({ storage, version: 1 });
    const later = await start({ storage, version: 2 });
    later.store.write(Todo, { id: '2', title: 'of 2' });
    await later.persist.flush();
    earlier.store.write(Todo, { id: '1', title: 'of 1' });
    await earlier.persist.flush();
    const { events, persist, store } = await start({ storage, version: 2 });
    expect(rowsOf(store)).toEqual({ 'Todo 2': { id: '2', title: 'of 2' } });
    expect(events).toMatchObject([
      { type: 'dropped', reason: 'version', entries: 1 },
      { type: 'restored', rows: 1 },
    ]);
    await persist.flush();
    expect((await start({ storage, version: 2 })).events).toMatchObject([{ type: 'restored', rows: 1 }]);
  });
});

describe('data of tabs of several versions', () => {
  const migrate = (row: object, _table: string, from: string): object => ({
    ...row,
    title: `${(row as Todo).title} of ${from}`,
  });

  /** An application of version 2 takes over what a tab of version 1 has written. That tab stays open. */
  async function migrated(): Promise<{ readonly storage: TextStorage; readonly earlier: Run; readonly later: Run }> {
    const storage = memoryStorage();
    const earlier = await start({ storage, version: 1 });
    earlier.store.write(todos, list, { ...all, expiresAt: Date.now() + 100_000 });
    await earlier.persist.flush();
    const later = await start({ storage, version: 2, migrate });
    await later.persist.flush();
    return { storage, earlier, later };
  }

  test('a row that a tab of an earlier version saves does not replace a row that was migrated, and all is stale then', async () => {
    const { storage, earlier } = await migrated();
    earlier.store.write(Todo, { id: '1', title: 'late' });
    await earlier.persist.flush();
    const { events, persist, store } = await start({ storage, version: 2, migrate });
    expect(store.get(todos, {})).toMatchObject([{ title: 'a of 1' }, { title: 'b of 1' }]);
    expect(Number(store.result('GET /todos')?.stamp.expiresAt)).toBe(0);
    expect(events).toMatchObject([
      { type: 'dropped', reason: 'version', entries: 1 },
      { type: 'restored', rows: 4, results: 1 },
    ]);
    await persist.flush();
    expect((await start({ storage, version: 2, migrate })).events).toMatchObject([{ type: 'restored', rows: 4 }]);
  });

  test('a third version migrates the data of the second, also if a tab of the first has saved data last', async () => {
    const { storage, earlier, later } = await migrated();
    later.store.write(Todo, { id: '2', title: 'two' });
    await later.persist.flush();
    earlier.store.write(Todo, { id: '1', title: 'late' });
    await earlier.persist.flush();
    const third = await start({ storage, version: 3, migrate });
    expect(third.store.get(todos, {})).toMatchObject([{ title: 'a of 1 of 2' }, { title: 'two of 2' }]);
    await third.persist.flush();
    later.store.write(Todo, { id: '2', title: 'late' });
    await later.persist.flush();
    const { store } = await start({ storage, version: 3, migrate });
    expect(store.get(todos, {})).toMatchObject([{ title: 'a of 1 of 2' }, { title: 'two of 2' }]);
  });

  test('a start that is killed at any operation of its migration leaves all data to the next start', async () => {
    for (let operations = 0; operations < 6; operations++) {
      const storage = await kept({ version: 1 }); // oxlint-disable-line no-await-in-loop -- one case after another
      let left = operations;
      const killed: TextStorage = {
        open: async (name) => {
          const opened = await storage.open(name);
          const run = <Value>(work: () => Promise<Value>): Promise<Value> =>
            left-- > 0 ? work() : new Promise<never>(() => {});
          return {
            read: () => run(() => opened.read()),
            write: (changes) => run(() => opened.write(changes)),
            clear: () => run(() => opened.clear()),
            close: () => run(() => opened.close()),
          };
        },
      };
      begin({ storage: killed, version: 2, migrate });
      for (let turn = 0; turn < 20; turn++) await new Promise(setImmediate); // oxlint-disable-line no-await-in-loop -- turns
      const { events, persist, store } = await start({ storage, version: 2, migrate }); // oxlint-disable-line no-await-in-loop -- one case after another
      expect(store.get(todos, {})).toMatchObject([{ title: 'a of 1' }, { title: 'b of 1' }]);
      expect(events).toMatchObject([{ type: 'restored', rows: 4, results: 1 }]);
      await persist.flush(); // oxlint-disable-line no-await-in-loop -- one case after another
      const { size } = await entriesIn(storage); // oxlint-disable-line no-await-in-loop -- one case after another
      expect(size).toBe(6);
    }
  });
});

describe('damage', () => {
  const change = async (storage: TextStorage, key: string, value: string | undefined): Promise<void> =>
    (await storage.open('app')).write(new Map([[key, value]]));

  test.each([
    ['cut off', 'row ["Todo","1"]', '["Todo","1",{"id":"1","tit'],
    ['of another kind', 'row ["Todo","1"]', '{}'],
    ['a row that is none', 'row ["Todo","1"]', '["Todo","1",5,1,1,1]'],
    ['a row without times', 'row ["Todo","1"]', '["Todo","1",{"id":"1"}]'],
    ['an answer that is none', 'result GET /todos', '["GET /todos",1]'],
    ['of something foreign', 'other', '[]'],
  ])('an entry that is %s is dropped, and the others are restored', async (_what, key, value) => {
    const storage = await kept();
    await change(storage, key, value);
    const { store, events, persist } = await start({ storage });
    expect(store.row('Todo', '2')).toMatchObject({ title: 'b' });
    expect(events).toMatchObject([{ type: 'dropped', reason: 'damage', entries: 1 }, { type: 'restored' }]);
    await persist.flush();
    expect((await start({ storage })).events).toMatchObject([{ type: 'restored' }]);
  });

  test.each([
    ['missing', undefined, 'damage'],
    ['no JSON', 'x', 'damage'],
    ['foreign', '{"format":"other"}', 'damage'],
    ['hostile', '{"__proto__":{"format":"rejoin"},"version":1}', 'damage'],
  ])('if the entry about all others is %s, none is restored, with one event', async (_what, about, reason) => {
    const storage = await kept();
    await change(storage, 'about', about);
    const { store, events, persist } = await start({ storage });
    expect(rowsOf(store)).toEqual({});
    expect(events).toEqual([{ type: 'dropped', reason, entries: 5 }]);
    await persist.flush();
    expect((await start({ storage })).events).toEqual([]);
  });

  test('of the time of the last doubt makes all data stale', async () => {
    const storage = await kept();
    await change(storage, 'stale', 'x');
    const { store } = await start({ storage });
    expect(store.result('GET /todos')?.stamp.expiresAt).toBe(0);
  });

  test('invalid relations are dropped, and the rows are restored', async () => {
    const storage = await kept();
    await change(storage, 'about', `{"format":"rejoin","version":1,"model":"","savedAt":${Date.now()},"relations":5}`);
    const { events } = await start({ storage });
    expect(events).toMatchObject([
      { type: 'dropped', reason: 'damage', entries: 1 },
      { type: 'restored', rows: 4 },
    ]);
  });

  test('a storage that reports damage leads to an event', async () => {
    const storage = await kept();
    const damaged: TextStorage = {
      open: async (name) => {
        const opened = await storage.open(name);
        return { ...opened, read: async () => ({ ...(await opened.read()), damaged: 1 }) };
      },
    };
    expect((await start({ storage: damaged })).events).toMatchObject([{ reason: 'damage' }, { type: 'restored' }]);
  });
});
