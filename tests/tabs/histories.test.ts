import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { seedsInTurn } from '../turn.ts';
import { FakeBrowser, openTab, type Tab, TaskServer } from './browser.ts';

/** 400 histories. One run of `npm test` plays half of them. Use `RUNS=2000` for a long run. */
const { seed, runs } = seedsInTurn(400, 2);

/** A connection that delivers requests and answers after some turns, and no requests of a closed tab. */
function connection(server: TaskServer, delay: () => number): Pick<TaskServer, 'fetch'> & { isClosed: boolean } {
  const made = {
    isClosed: false,
    fetch: async (url: string, init: RequestInit): Promise<Response> => {
      await after(delay());
      if (made.isClosed) return new Promise(() => {});
      const response = await server.fetch(url, init);
      await after(delay());
      return response;
    },
  };
  return made;
}

async function after(count: number): Promise<void> {
  // oxlint-disable-next-line no-await-in-loop -- one turn after another
  for (let turn = 0; turn < count; turn++) await new Promise((resolve) => setImmediate(resolve));
}

const step = fc.record({
  what: fc.constantFrom('fetch', 'fetch', 'patch', 'patch', 'patch', 'create', 'open', 'close', 'logout'),
  tab: fc.nat(4),
  pk: fc.integer({ min: 1, max: 2 }),
  pause: fc.constantFrom(0, 0, 1, 3, 40),
});

test(
  'after random actions in several tabs, all tabs show the data of the server when all requests have ended',
  { timeout: 60_000 + runs * 500 },
  async () => {
    const randoms = fc
      .infiniteStream(fc.noShrink(fc.noBias(fc.nat(2 ** 30 - 1))))
      .map((stream) => stream.map((value) => value / 2 ** 30));
    const ticks = fc.infiniteStream(fc.constantFrom(0, 0, 0, 1, 30));
    const history = fc.tuple(
      fc.array(step, { minLength: 4, maxLength: 25 }),
      fc.infiniteStream(fc.nat(6)),
      randoms,
      ticks,
    );
    let open: Tab[] = [];
    const settled = fc.asyncProperty(history, async ([steps, delays, randomNumbers, milliseconds]) => {
      const server = new TaskServer();
      const fake = new FakeBrowser();
      let time = 0;
      const now = (): number => (time += milliseconds.next().value);
      const platform = { ...fake.platform, random: () => randomNumbers.next().value, now };
      const connections = new Map<Tab, ReturnType<typeof connection>>();
      const add = (): void => {
        const connected = connection(server, () => delays.next().value);
        const tab = openTab(fake, connected, { platform, timeout: 5000 });
        connections.set(tab, connected);
        const view = tab.controller.view(tab.tasks.getList);
        view.subscribe(() => {});
        open.push(tab);
        // As a component that is mounted after the data of the other tabs has arrived.
        void Promise.resolve(tab.tabs.ready).then(() => show(tab));
      };
      const show = (tab: Tab): unknown =>
        Promise.resolve(tab.controller.fetchIfStale(tab.tasks.getList)).catch(() => open.includes(tab) && show(tab));
      add();
      add();
      let turn = 0;
      for (const { what, tab: at, pk, pause } of steps) {
        const tab = open[at % open.length] as Tab;
        const { controller, tasks } = tab;
        const title = `${what} ${turn++}`;
        if (what === 'fetch') controller.fetch(tasks.getList).catch(() => {});
        if (what === 'patch') controller.fetch(tasks.partialUpdate, { id: String(pk) }, { title }).catch(() => {});
        if (what === 'create') controller.fetch(tasks.getList.push, { title }).catch(() => {});
        if (what === 'open' && open.length < 4) add();
        if (what === 'close' && open.length > 1) {
          open = open.filter((one) => one !== tab);
          (connections.get(tab) as ReturnType<typeof connection>).isClosed = true;
          tab.end();
        }
        if (what === 'logout') {
          void controller.resetEntireStore();
          for (const one of open) void show(one);
        }
        // oxlint-disable-next-line no-await-in-loop -- one step after another
        await after(pause);
      }
      await after(300);
      for (const tab of open) void show(tab);
      await after(100);
      const titles = server.tasks.map(({ title }) => title);
      expect(open.map((tab) => tab.titles())).toEqual(open.map(() => titles));
    });
    await fc.assert(
      settled.afterEach(() => {
        const ended = open;
        open = [];
        for (const tab of ended) tab.end();
      }),
      { numRuns: runs, seed },
    );
  },
);
