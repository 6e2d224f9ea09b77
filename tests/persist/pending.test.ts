import { afterEach, describe, expect, test, vi } from 'vitest';
import { Endpoint } from 'rejoin';
import { memoryStorage, type TextStorage } from 'rejoin/persist';
import { Todo } from '../model.ts';
import { type Run, start, todos } from './app.ts';
import { turns } from './turns.ts';
import { FakeBrowser } from '../tabs/browser.ts';

afterEach(() => void vi.unstubAllGlobals());

const all = { args: [{}], resultKey: 'GET /todos' };
const soon = (): number => Date.now() + 60_000;

/** The endpoint of a mutation whose answer waits for a promise. */
function rename(answer: Promise<unknown>) {
  return new Endpoint((_args: { id: string }, _body: object) => answer, {
    name: 'rename',
    schema: Todo,
    sideEffect: true,
  });
}

const never = new Promise<unknown>(() => {});

/** Waits until all work is done that needs only turns of the event loop. */
async function turned(): Promise<void> {
  for (let turn = 0; turn < 30; turn++) await new Promise(setImmediate); // oxlint-disable-line no-await-in-loop -- one turn after another
}

function answered(): { readonly promise: Promise<unknown>; readonly resolve: (answer: unknown) => void } {
  let resolve: (answer: unknown) => void = () => {};
  const promise = new Promise<unknown>((settle) => (resolve = settle));
  return { promise, resolve };
}

/** A disk with a list that is fresh, and the run that has saved it. Where nothing ends the run, it was killed. */
async function saved(options: Parameters<typeof start>[0] = {}): Promise<Run & { readonly storage: TextStorage }> {
  const { storage = memoryStorage() } = options;
  const run = await start({ ...options, storage });
  run.store.write(todos, [{ id: '1', title: 'a' }], { ...all, expiresAt: soon() });
  await run.persist.flush();
  return { ...run, storage };
}

async function isFresh(storage: TextStorage, options: Parameters<typeof start>[0] = {}): Promise<boolean> {
  const { controller, store } = await start({ storage, ...options });
  const { stamp } = store.result('GET /todos') ?? {};
  controller.dispose();
  return Number(stamp?.expiresAt) > Date.now();
}

describe('an application that was killed', () => {
  test('has fresh data at its next start if no mutation was pending', async () => {
    const { storage } = await saved();
    expect(await isFresh(storage)).toBe(true);
  });

  test('shows its data as stale if a mutation was pending, because the server may have carried it out', async () => {
    const { controller, persist, storage } = await saved();
    controller.fetch(rename(never), { id: '1' }, {}).catch(() => {});
    await persist.flush();
    expect(await isFresh(storage)).toBe(false);
  });

  test('shows its data as stale if a mutation was answered, and the answer was not saved yet', async () => {
    const { controller, persist, storage, store } = await saved({ platform: { ...turns, setTimeout: () => ({}) } });
    const answer = answered();
    const done = controller.fetch(rename(answer.promise), { id: '1' }, {});
    await persist.flush();
    answer.resolve({ id: '1', title: 'b' });
    await done;
    expect(store.row('Todo', '1')).toMatchObject({ title: 'b' });
    expect(await isFresh(storage)).toBe(false);
  });

  test('has the answer of a mutation if it was killed after the turn in which the answer came, and no other mutation was pending', async () => {
    const setTimeout = (run: () => void, milliseconds: number): object =>
      milliseconds === 0 ? turns.setTimeout(run, 0) : {};
    const { controller, persist, storage } = await saved({ platform: { ...turns, setTimeout } });
    const answer = answered();
    const done = controller.fetch(rename(answer.promise), { id: '1' }, {});
    await persist.flush();
    answer.resolve({ id: '1', title: 'b' });
    await done;
    await turned();
    const { controller: later, store } = await start({ storage });
    expect(store.row('Todo', '1')).toMatchObject({ title: 'b' });
    later.dispose();
    expect(await isFresh(storage)).toBe(true);
  });

  test('has fresh data if the answer of the mutation was saved, or the mutation was refused', async () => {
    for (const answer of [
      () => Promise.resolve({ id: '1', title: 'b' }),
      () => Promise.reject(Object.assign(new Error(), { status: 400 })),
    ]) {
      const { controller, persist, storage } = await saved(); // oxlint-disable-line no-await-in-loop -- one after another
      await controller.fetch(rename(answer()), { id: '1' }, {}).catch(() => {}); // oxlint-disable-line no-await-in-loop
      await persist.flush(); // oxlint-disable-line no-await-in-loop
      expect(await isFresh(storage)).toBe(true); // oxlint-disable-line no-await-in-loop
    }
  });

  test('shows that data as stale at each later start, until it is fetched again', async () => {
    const { controller, persist, storage } = await saved();
    controller.fetch(rename(never), { id: '1' }, {}).catch(() => {});
    await persist.flush();
    expect(await isFresh(storage)).toBe(false);
    expect(await isFresh(storage)).toBe(false);
    await new Promise((resolve) => void setTimeout(resolve, 2));
    await saved({ storage });
    expect(await isFresh(storage)).toBe(true);
  });

  test('notes on its disk that a mutation is pending until its answer is saved, whenever it is killed', async () => {
    const inner = memoryStorage();
    const states: Map<string, string>[] = [];
    const storage: TextStorage = {
      open: async (name) => {
        const opened = await inner.open(name);
        const write: typeof opened.write = async (changes) => {
          await opened.write(changes);
          states.push(new Map((await opened.read()).entries));
        };
        return { ...opened, write };
      },
    };
    const { controller, persist } = await saved({ storage, platform: turns });
    const answers = [answered(), answered()];
    const begun = states.length;
    const done = answers.map(({ promise }) => controller.fetch(rename(promise), { id: '1' }, {}));
    await persist.flush();
    for (const [at, { resolve }] of answers.entries()) {
      resolve({ id: '1', title: `title ${at}` });
      await done[at]; // oxlint-disable-line no-await-in-loop -- one after another
      await persist.flush(); // oxlint-disable-line no-await-in-loop
    }
    const seen = states.slice(begun).map((state) => ({
      isPending: [...state.keys()].some((key) => key.startsWith('pending ')),
      title: /title \d|"a"/.exec(state.get('row ["Todo","1"]') ?? '')?.[0],
    }));
    expect(seen).toEqual([
      { isPending: true, title: '"a"' },
      { isPending: true, title: 'title 0' },
      { isPending: false, title: 'title 1' },
    ]);
  });

  test('shows its data as stale if it has saved answers since another tab was opened, and its mutation was still pending', async () => {
    const { controller, persist, storage, store } = await saved({ platform: turns });
    controller.fetch(rename(never), { id: '1' }, {}).catch(() => {});
    await persist.flush();
    await start({ storage });
    await new Promise((resolve) => void setTimeout(resolve, 2));
    store.write(todos, [{ id: '1', title: 'fetched' }], { ...all, expiresAt: soon() });
    await persist.flush();
    expect(await isFresh(storage)).toBe(false);
  });

  test('shows data as stale that another tab has fetched while its mutation was pending, also if that tab was opened since', async () => {
    const fake = new FakeBrowser();
    const tabs = [fake.tab(), fake.tab(), fake.tab()];
    /** Whether a tab that is opened has fresh data, when another tab with a pending mutation is alive, and when that tab is killed. */
    const seen: boolean[] = [];
    vi.stubGlobal('navigator', tabs[0]);
    const { controller, storage } = await saved({ platform: turns });
    controller.fetch(rename(never), { id: '1' }, {}).catch(() => {});
    await turned();
    vi.stubGlobal('navigator', tabs[1]);
    const opened = await start({ storage });
    await opened.persist.flush();
    const fetchIn = async ({ persist: disk, store }: Run): Promise<void> => {
      await new Promise((resolve) => void setTimeout(resolve, 2));
      store.write(todos, [{ id: '1', title: 'fetched' }], { ...all, expiresAt: soon() });
      await disk.flush();
    };
    await fetchIn(opened);
    seen.push(await isFresh(storage));
    await fetchIn(opened);
    tabs[0]?.close();
    seen.push(await isFresh(storage));
    await fetchIn(opened);
    seen.push(await isFresh(storage));
    expect(seen).toEqual([false, false, true]);
  });

  test('holds no lock after the answer of its mutation was saved, or after it has ended', async () => {
    const fake = new FakeBrowser();
    vi.stubGlobal('navigator', fake.tab());
    const { controller, persist } = await saved({ platform: turns });
    const answer = answered();
    const done = controller.fetch(rename(answer.promise), { id: '1' }, {});
    await turned();
    expect(fake.heldLocks).toHaveLength(1);
    answer.resolve({ id: '1' });
    await done;
    await persist.flush();
    await turned();
    expect(fake.heldLocks).toEqual([]);
    controller.fetch(rename(never), { id: '1' }, {}).catch(() => {});
    await turned();
    expect(fake.heldLocks).toHaveLength(1);
    controller.dispose();
    await turned();
    expect(fake.heldLocks).toEqual([]);
  });

  test.each([
    ['refuses locks', { request: () => Promise.reject(new Error('no')), query: () => Promise.reject(new Error('no')) }],
    ['has no locks', undefined],
    ['has null as its locks, as happy-dom', null],
  ])('saves that a mutation is pending if the browser %s', async (_what, locks) => {
    vi.stubGlobal('navigator', { locks });
    const { controller, storage } = await saved({ platform: turns });
    controller.fetch(rename(never), { id: '1' }, {}).catch(() => {});
    await turned();
    const { entries } = await (await storage.open('app')).read();
    expect(Array.from(entries, ([key]) => key.slice(0, 8))).toContain('pending ');
    expect(await isFresh(storage)).toBe(false);
  });

  test('shows data as stale that was saved at a later time, because its clock was set back', async () => {
    const { storage } = await saved();
    const hourAgo = { ...turns, now: () => Date.now() - 3_600_000 };
    expect(await isFresh(storage, { platform: hourAgo })).toBe(false);
  });
});
