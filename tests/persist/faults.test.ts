import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import * as fc from 'fast-check';
import { memoryStorage, type PersistEvent, type TextStorage } from 'rejoin/persist';
import { Todo } from '../model.ts';
import { deferred } from '../../src/std/deferred.ts';
import { begin, rowsOf, start, todos } from './app.ts';
import { type Fault, FaultyStorage } from './storage.ts';
import { turns } from './turns.ts';

const FAULTS: readonly Fault[] = ['throws', 'rejects', 'hangs', 'is full', 'is cut off', 'closes'];
const unhandled: unknown[] = [];
const note = (error: unknown): void => void unhandled.push(error);

beforeEach(() => void process.on('unhandledRejection', note));
afterEach(() => void process.off('unhandledRejection', note));

interface Life {
  /** The states that were reported as saved. */
  readonly kept: object[];
  /** All states of the application. */
  readonly existed: object[];
  readonly events: readonly PersistEvent[];
}

/** An application that runs twice, with a logout. */
async function live(storage: TextStorage): Promise<Life> {
  const kept: object[] = [{}];
  const existed: object[] = [{}];
  const events: PersistEvent[] = [];
  for (const title of ['a', 'b']) {
    // oxlint-disable-next-line no-await-in-loop -- one run after another
    const run = await start({ storage, platform: turns, onEvent: (event) => events.push(event) });
    const { controller, persist, store } = run;
    existed.push(rowsOf(store));
    const flush = async (): Promise<void> => {
      existed.push(rowsOf(store));
      await persist.flush();
      if (!events.some(({ type }) => type === 'memory' || type === 'full')) kept.splice(0, kept.length, rowsOf(store));
    };
    store.write(
      todos,
      [
        { id: '1', title },
        { id: '2', title },
      ],
      { args: [{}], resultKey: 'k' },
    );
    await flush(); // oxlint-disable-line no-await-in-loop -- one after another
    store.write(Todo, { id: '1', title: `${title} later` });
    await flush(); // oxlint-disable-line no-await-in-loop -- one after another
    if (title === 'a') {
      await controller.resetEntireStore(); // oxlint-disable-line no-await-in-loop -- one after another
      store.write(Todo, { id: '3', title: 'next' });
    } else store.invalidate(Todo, '2');
    await flush(); // oxlint-disable-line no-await-in-loop -- one after another
    expect(store.row('Todo', '3') ?? store.row('Todo', '1')).toMatchObject({ title: expect.any(String) as string });
    controller.dispose();
    await persist.flush(); // oxlint-disable-line no-await-in-loop -- one after another
    for (let turn = 0; turn < 5; turn++) await new Promise(setImmediate); // oxlint-disable-line no-await-in-loop -- turns
  }
  return { kept, existed, events };
}

const storageOf = (fault: Fault, at: number, isLasting: boolean): { inner: TextStorage; storage: FaultyStorage } => {
  const inner = memoryStorage();
  return { inner, storage: new FaultyStorage(inner, fault, at, isLasting) };
};

describe.each(FAULTS)('a storage that %s', (fault) => {
  test.each([
    ['once', false],
    ['for ever', true],
  ])('%s, at any of its operations, loses no saved data, and the application continues', async (_what, isLasting) => {
    const sound = storageOf(fault, Number.POSITIVE_INFINITY, false);
    await live(sound.storage);
    expect(sound.storage.count).toBeGreaterThan(8);
    for (let at = 1; at <= sound.storage.count + 2; at++) {
      const { inner, storage } = storageOf(fault, at, isLasting);
      const { kept, existed, events } = await live(storage); // oxlint-disable-line no-await-in-loop -- one after another
      const later = await start({ storage: inner, platform: turns }); // oxlint-disable-line no-await-in-loop -- one after another
      const restored = rowsOf(later.store);
      const isTold = events.some(({ type }) => type !== 'restored');
      expect(isTold ? existed : kept).toContainEqual(restored);
      // One event for each run that can save nothing more, and one if data could not be deleted.
      expect(events.filter(({ type }) => type === 'memory' || type === 'full').length).toBeLessThanOrEqual(2);
      if (isLasting && at <= sound.storage.count - 2) expect(isTold).toBe(true);
      later.controller.dispose();
      await later.persist.flush(); // oxlint-disable-line no-await-in-loop -- one after another
    }
    expect(unhandled).toEqual([]);
  });
});

test('a storage that can never be used is reported once, also if the manager is started again at once', async () => {
  const storage = new FaultyStorage(memoryStorage(), 'rejects', 1, true);
  const { controller, events, persist } = begin({ storage, platform: turns });
  persist.init();
  await controller.ready;
  await persist.flush();
  expect(events).toMatchObject([{ type: 'memory' }]);
  controller.dispose();
});

test('a storage that cannot be read is not used until the next start, which reads it', async () => {
  const inner = memoryStorage();
  const first = await start({ storage: inner });
  first.store.write(Todo, { id: '1' });
  await first.persist.flush();
  let isCleared = false;
  const storage: TextStorage = {
    open: async (name) => {
      const opened = await inner.open(name);
      const read = (): ReturnType<typeof opened.read> =>
        isCleared ? opened.read() : Promise.reject(new DOMException('corrupt', 'UnknownError'));
      return { ...opened, read, clear: () => opened.clear().then(() => void (isCleared = true)) };
    },
  };
  const { store, events, persist } = await start({ storage });
  expect(events).toEqual([{ type: 'dropped', reason: 'damage', entries: 0 }]);
  store.write(Todo, { id: '2' });
  await persist.flush();
  expect(rowsOf((await start({ storage })).store)).toEqual({ 'Todo 2': { id: '2' } });
});

describe('a storage whose connections the browser closes', () => {
  /** An application with a saved row, and another row that could not be written, because the connection was closed twice. */
  async function closed() {
    const inner = memoryStorage();
    const state = { isClosed: false };
    const storage: TextStorage = {
      open: async (name) => {
        const opened = await inner.open(name);
        const write: typeof opened.write = (changes) =>
          state.isClosed ? Promise.reject(new DOMException('closing', 'InvalidStateError')) : opened.write(changes);
        return { ...opened, write };
      },
    };
    const timers = new Map<object, { readonly run: () => void; readonly milliseconds: number }>();
    const platform = {
      now: () => Date.now(),
      setTimeout: (run: () => void, milliseconds: number) => {
        const timer = {};
        timers.set(timer, { run, milliseconds });
        return timer;
      },
      clearTimeout: (timer: unknown) => void timers.delete(timer as object),
    };
    const app = await start({ storage, platform });
    app.store.write(Todo, { id: '1', title: 'a' });
    app.store.write(Todo, { id: '2', title: 'a' });
    await app.persist.flush();
    state.isClosed = true;
    app.store.write(Todo, { id: '1', title: 'b' });
    app.store.invalidate(Todo, '2');
    await app.persist.flush();
    app.store.write(Todo, { id: '3', title: 'c' });
    await app.persist.flush();
    const restored = async (): Promise<object> => rowsOf((await start({ storage: inner })).store);
    /** Waits for the timers. Returns their times. */
    const retry = async (): Promise<readonly number[]> => {
      const ended = [...timers.values()];
      timers.clear();
      for (const { run } of ended) run();
      for (let turn = 0; turn < 20; turn++) await new Promise(setImmediate); // oxlint-disable-line no-await-in-loop -- turns
      return ended.map(({ milliseconds }) => milliseconds);
    };
    return { ...app, state, restored, retry };
  }

  test('gets all changes as soon as it can be opened again, with one event', async () => {
    const { events, restored, retry, state, store } = await closed();
    expect(await restored()).toEqual({ 'Todo 1': { id: '1', title: 'a' }, 'Todo 2': { id: '2', title: 'a' } });
    state.isClosed = false;
    await retry();
    expect(await restored()).toEqual(rowsOf(store));
    expect(events).toMatchObject([{ type: 'memory', error: { name: 'InvalidStateError' } }]);
    store.write(Todo, { id: '4', title: 'd' });
    await retry();
    expect(await restored()).toEqual(rowsOf(store));
  });

  test('is tried some times, each time later, and not used any more then', async () => {
    const { events, restored, retry, state, store } = await closed();
    const delays: (readonly number[])[] = [];
    for (let times = 0; times < 5; times++) {
      delays.push(await retry()); // oxlint-disable-line no-await-in-loop -- one after another
      store.write(Todo, { id: '3', title: `try ${times}` });
    }
    // The second of the writes that have failed was made by flush().
    expect(delays).toEqual([[2000], [4000], [8000], [16_000], []]);
    state.isClosed = false;
    store.write(Todo, { id: '4', title: 'd' });
    await retry();
    expect(Object.keys(await restored())).toEqual(['Todo 1', 'Todo 2']);
    expect(events).toMatchObject([{ type: 'memory' }]);
  });

  test('gets nothing from before a logout when it can be opened again', async () => {
    const { controller, restored, retry, state, store } = await closed();
    state.isClosed = false;
    const isReset = controller.resetEntireStore();
    store.write(Todo, { id: '9', title: 'next' });
    await isReset;
    await retry();
    expect(await restored()).toEqual({ 'Todo 9': { id: '9', title: 'next' } });
  });
});

test('a logout during a write that never ends reports once that the data of the user is not deleted', async () => {
  const inner = memoryStorage();
  let hangs = false;
  const storage: TextStorage = {
    open: async (name) => {
      const opened = await inner.open(name);
      const unlessHanging = <Value>(run: () => Promise<Value>): Promise<Value> =>
        hangs ? new Promise(() => {}) : run();
      return {
        ...opened,
        read: () => unlessHanging(opened.read),
        write: (changes) => unlessHanging(() => opened.write(changes)),
      };
    },
  };
  const { controller, events, persist, store } = await start({ storage, platform: turns });
  store.write(Todo, { id: '1' });
  await persist.flush();
  hangs = true;
  store.write(Todo, { id: '2' });
  void persist.flush();
  await new Promise(setImmediate);
  await controller.resetEntireStore();
  expect(events).toEqual([{ type: 'uncleared', error: expect.objectContaining({ code: 'storage-timeout' }) }]);
  await persist.flush();
  expect(events.map(({ type }) => type)).toEqual(['uncleared', 'memory']);
});

test('data of the next session is saved, even if the data of the session before could be deleted only at the second try', async () => {
  const inner = memoryStorage();
  let isFailing = false;
  const unlessFailing = async <Value>(run: () => Promise<Value>): Promise<Value> => {
    if (isFailing) throw new Error('The storage is busy.');
    return run();
  };
  const storage: TextStorage = {
    open: async (name) => {
      const opened = await unlessFailing(() => inner.open(name));
      return { ...opened, clear: () => unlessFailing(opened.clear) };
    },
  };
  const { controller, events, persist, store } = await start({ storage });
  store.write(Todo, { id: '1' });
  await persist.flush();
  isFailing = true;
  await controller.resetEntireStore();
  isFailing = false;
  store.write(Todo, { id: '2' });
  await persist.flush();
  expect(events).toMatchObject([{ type: 'uncleared' }]);
  expect(rowsOf((await start({ storage })).store)).toEqual({ 'Todo 2': { id: '2' } });
});

describe('a logout in a start that has not read the storage', () => {
  test.each(['while it is read', 'after it could not be read in time', 'after it could not be read'])(
    'deletes the data of the user (%s)',
    async (moment) => {
      const inner = memoryStorage();
      const first = await start({ storage: inner });
      await first.controller.resetEntireStore();
      first.store.write(Todo, { id: '1' });
      await first.persist.flush();
      let isFailing = true;
      const read = deferred();
      const storage: TextStorage = {
        open: async (name) => {
          if (isFailing && moment === 'after it could not be read') throw new Error('The storage cannot be opened.');
          const opened = await inner.open(name);
          return { ...opened, read: () => (isFailing ? read.promise : Promise.resolve()).then(() => opened.read()) };
        },
      };
      const { controller, persist } = begin({ storage, platform: turns });
      await (moment === 'while it is read' ? new Promise(setImmediate) : persist.restored);
      isFailing = false;
      read.resolve();
      await controller.resetEntireStore();
      expect(rowsOf((await start({ storage: inner })).store)).toEqual({});
    },
  );
});

test('an event listener that throws does not affect the storage', async () => {
  const thrown: unknown[] = [];
  const catchIt = (error: unknown): void => void thrown.push(error);
  const before = process.listeners('uncaughtException');
  process.removeAllListeners('uncaughtException');
  process.on('uncaughtException', catchIt);
  const { store } = await start({
    storage: { open: () => Promise.reject(new Error('no')) },
    onEvent: () => {
      throw new TypeError('mine');
    },
  });
  await new Promise(setImmediate);
  process.off('uncaughtException', catchIt);
  for (const listener of before) process.on('uncaughtException', listener);
  store.write(Todo, { id: '1' });
  expect(thrown).toMatchObject([{ message: 'mine' }]);
});

type Step = readonly [kind: 'write' | 'delete' | 'list' | 'flush' | 'turn' | 'logout' | 'kill' | 'begin', pk: number];

const step: fc.Arbitrary<Step> = fc.tuple(
  fc.constantFrom('write', 'write', 'delete', 'list', 'flush', 'turn', 'turn', 'turn', 'logout', 'kill', 'begin'),
  fc.nat(5),
);

/** A storage that loses its application by a kill: operations that have not ended then never happen. */
function killable(inner: TextStorage): { storage: TextStorage; kill: () => void } {
  let isDead = false;
  const whileAlive = async <Value>(run: () => Promise<Value>): Promise<Value> => {
    for (let turn = 0; turn < 3; turn++) await new Promise(setImmediate); // oxlint-disable-line no-await-in-loop -- turns
    return isDead ? new Promise<never>(() => undefined) : run();
  };
  const storage: TextStorage = {
    open: async (name) => {
      const opened = await inner.open(name);
      return {
        read: () => whileAlive(() => opened.read()),
        write: (changes) => whileAlive(() => opened.write(changes)),
        clear: () => whileAlive(() => opened.clear()),
        close: async () => undefined,
      };
    },
  };
  return { storage, kill: () => (isDead = true) };
}

test(
  'after random steps and a kill, an application restores a state that existed, and no state that is older than the last saved one',
  { timeout: 600_000 },
  async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(step, { minLength: 3, maxLength: 40 }), async (steps) => {
        const inner = memoryStorage();
        let { storage, kill } = killable(inner);
        let run = await start({ storage, platform: turns });
        let count = 0; // Of the write, so that half of one would be seen.
        /** Every state since the last that is known to be kept. */
        let possible: object[] = [{}];
        for (const [kind, pk] of steps) {
          const { store, persist, controller } = run;
          count++;
          if (kind === 'write')
            store.write(
              [Todo],
              [0, 1, 2].map((at) => ({ id: String(pk + at), title: `${count}` })),
            );
          if (kind === 'delete') store.invalidate(Todo, pk);
          if (kind === 'list')
            store.write(todos, [{ id: String(pk), title: `${count}` }], { args: [{ pk }], resultKey: `${pk}` });
          if (kind === 'logout') store.reset();
          possible.push(rowsOf(store));
          if (kind === 'flush') await persist.flush();
          if (kind === 'flush') possible = [rowsOf(store)];
          if (kind === 'turn') for (let turn = 0; turn < pk; turn++) await new Promise(setImmediate);
          if (kind === 'begin') void persist.flush();
          if (kind !== 'kill') continue;
          kill();
          controller.dispose();
          ({ storage, kill } = killable(inner));
          run = await start({ storage, platform: turns });
          expect(possible).toContainEqual(rowsOf(run.store));
          possible = [rowsOf(run.store)];
        }
        kill();
      }),
      { numRuns: 1000 },
    );
  },
);
