import { describe, expect, test } from 'vitest';
import { memoryStorage, type TextStorage } from 'rejoin/persist';
import { type Run, start, todos } from './app.ts';
import { DeletedStorage } from './storage.ts';
import { turns } from './turns.ts';

/** A disk that can be full: then it has space for one short entry. */
class SmallStorage implements TextStorage {
  readonly #inner = memoryStorage();
  isFull = false;

  async open(name: string): ReturnType<TextStorage['open']> {
    const opened = await this.#inner.open(name);
    const write: typeof opened.write = async (changes) => {
      if (this.isFull && changes.size > 1) throw new DOMException('full', 'QuotaExceededError');
      await opened.write(changes);
    };
    return { ...opened, write };
  }
}

async function save({ persist, store }: Run, title: string): Promise<void> {
  const expiresAt = Date.now() + 60_000;
  store.write(todos, [{ id: '1', title }], { args: [{}], resultKey: 'GET /todos', expiresAt });
  await persist.flush();
}

async function end({ controller, persist }: Run): Promise<void> {
  controller.dispose();
  await persist.flush();
  for (let turn = 0; turn < 30; turn++) await new Promise(setImmediate); // oxlint-disable-line no-await-in-loop -- one turn after another
}

/** What the next start of an application finds. */
async function found(storage: TextStorage) {
  const run = await start({ storage, platform: turns });
  const title: unknown = Reflect.get(Object(run.store.row('Todo', '1')) as object, 'title');
  const isFresh = Number(run.store.result('GET /todos')?.stamp.expiresAt) > Date.now();
  await end(run);
  return { title, isFresh, events: run.events.map(({ type }) => type) };
}

describe('data that was saved', () => {
  test('is stale at the next start if the disk was full for later data', async () => {
    const storage = new SmallStorage();
    const run = await start({ storage, platform: turns });
    await save(run, 'a');
    storage.isFull = true;
    await save(run, 'b');
    await end(run);
    storage.isFull = false;
    expect(run.events).toMatchObject([{ type: 'full' }]);
    expect(await found(storage)).toEqual({ title: 'a', isFresh: false, events: ['restored'] });
  });

  test('is stale after a start that could not read it in time', async () => {
    const storage = new DeletedStorage();
    const first = await start({ storage, platform: turns });
    await save(first, 'a');
    await end(first);
    storage.hanging.add('read');
    const second = await start({ storage, platform: turns });
    await save(second, 'b');
    await end(second);
    storage.hanging.clear();
    expect(second.events).toMatchObject([{ type: 'memory', error: { code: 'storage-timeout' } }]);
    expect(await found(storage)).toEqual({ title: 'a', isFresh: false, events: ['restored'] });
  });
});

test('a start after one whose disk was full from the beginning finds nothing, and no damage', async () => {
  const storage = new SmallStorage();
  storage.isFull = true;
  const run = await start({ storage, platform: turns });
  await save(run, 'a');
  await end(run);
  storage.isFull = false;
  expect(await found(storage)).toEqual({ title: undefined, isFresh: false, events: [] });
});
