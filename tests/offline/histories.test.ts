import * as fc from 'fast-check';
import { memoryStorage } from 'rejoin/persist';
import { expect, test } from 'vitest';
import { FakeBrowser } from '../tabs/browser.ts';
import { type OfflineTab, openTab } from './app.ts';

/** How many histories. `RUNS=2000` for a night. */
const RUNS = Number(process.env['RUNS'] ?? 400);

async function after(count: number): Promise<void> {
  // oxlint-disable-next-line no-await-in-loop -- one turn after another
  for (let turn = 0; turn < count; turn++) await new Promise((resolve) => setImmediate(resolve));
}

const step = fc.record({
  what: fc.constantFrom('fetch', 'patch', 'patch', 'create', 'create', 'open', 'kill', 'kill', 'network', 'network'),
  tab: fc.nat(4),
  at: fc.nat(5),
  pause: fc.constantFrom(0, 0, 1, 3, 40),
});

/** A server with a list of tasks, which carries out each idempotency key once. */
class Server {
  tasks: readonly { readonly id: string; readonly title: string }[] = [
    { id: '1', title: 'a' },
    { id: '2', title: 'b' },
  ];
  isOnline = true;
  /** What was carried out, as the titles that were written. */
  readonly effects: string[] = [];
  readonly #answers = new Map<string, unknown>();

  /** `outcome`: 0 loses the request, 1 its answer. */
  answer(url: string, { body, headers, method = 'GET' }: RequestInit, outcome: number): Response {
    if (!this.isOnline || outcome === 0) throw new TypeError('Failed to fetch');
    const key = new Headers(headers).get('idempotency-key') ?? '';
    const answer = this.#answers.get(key) ?? this.#carryOut(url, method, body);
    if (method !== 'GET') this.#answers.set(key, answer);
    if (outcome === 1) throw new TypeError('Failed to fetch');
    return Response.json(answer);
  }

  #carryOut(url: string, method: string, body: RequestInit['body']): unknown {
    if (method === 'GET') return this.tasks;
    const { title } = JSON.parse(String(body)) as { readonly title: string };
    const id = method === 'POST' ? String(this.tasks.length + 1) : decodeURIComponent(url.split('/').at(-1) ?? '');
    if (method !== 'POST' && !this.tasks.some((task) => task.id === id))
      this.effects.push(`no task ${id} for ${title}`);
    this.effects.push(title);
    const made = { id, title };
    this.tasks = method === 'POST' ? [...this.tasks, made] : this.tasks.map((task) => (task.id === id ? made : task));
    return made;
  }
}

test(
  'with a disk, an outbox and other tabs, each edit has one effect and all tabs show what the server has when everything has settled',
  { timeout: 60_000 + RUNS * 500 },
  async () => {
    const ticks = fc.infiniteStream(fc.constantFrom(0, 0, 0, 1, 30));
    const randoms = fc.infiniteStream(fc.noShrink(fc.noBias(fc.nat(2 ** 30 - 1))));
    const history = fc.tuple(
      fc.array(step, { minLength: 4, maxLength: 25 }),
      fc.infiniteStream(fc.nat(6)),
      fc.infiniteStream(fc.nat(14)),
      randoms,
      ticks,
    );
    let open: OfflineTab[] = [];
    const settled = fc.asyncProperty(history, async ([steps, delays, outcomes, drawn, milliseconds]) => {
      const server = new Server();
      const fake = new FakeBrowser();
      const disk = memoryStorage();
      let time = 0;
      let isOver = false;
      const timers = {
        ...fake.platform,
        random: () => drawn.next().value / 2 ** 30,
        now: () => (time += milliseconds.next().value),
      };
      const fetch = async (url: string, init: RequestInit): Promise<Response> => {
        await after(delays.next().value);
        init.signal?.throwIfAborted();
        const outcome = isOver ? 2 : outcomes.next().value;
        const response = server.answer(url, init, outcome);
        await after(delays.next().value);
        return response;
      };
      const show = (tab: OfflineTab): unknown =>
        Promise.resolve(tab.controller.fetchIfStale(tab.tasks.getList)).catch(() => {});
      const add = async (): Promise<void> => {
        const tab = openTab(fake, disk, fetch, timers);
        open.push(tab);
        await tab.controller.ready;
        tab.controller.view(tab.tasks.getList).subscribe(() => {});
        void show(tab);
      };
      const expected: string[] = [];
      await add();
      for (const { what, tab: number, at, pause } of steps) {
        const tab = open[number % open.length] as OfflineTab;
        const { controller, outbox, tasks } = tab;
        const title = `${what} ${expected.length}`;
        if (what === 'fetch') controller.fetch(tasks.getList).catch(() => {});
        if (what === 'patch') {
          const shown = controller.getResponse(tasks.getList).data ?? [];
          const task = shown[at % (shown.length || 1)];
          if (task === undefined) continue;
          expected.push(title);
          controller.fetch(tasks.partialUpdate, { id: task.id }, { title }).catch(() => {});
        }
        if (what === 'create') {
          expected.push(title);
          controller.fetch(tasks.getList.push, { title }).catch(() => {});
        }
        /* oxlint-disable no-await-in-loop -- one step after another */
        if (what === 'open' && open.length < 3) await add();
        if (what === 'kill') {
          await outbox.flush();
          tab.kill();
          open = open.filter((one) => one !== tab);
          if (open.length === 0) await add();
        }
        if (what === 'network') server.isOnline = !server.isOnline;
        await after(pause);
      }
      isOver = true;
      server.isOnline = true;
      // Takes over what is left of tabs that were killed.
      await add();
      for (let round = 0; round < 6; round++) {
        for (const { outbox } of open) outbox.retry();
        await after(150);
      }
      /* oxlint-enable no-await-in-loop */
      // What a killed tab had no time to save, the next one may show without until it has expired.
      time += 120_000;
      for (const tab of open) void show(tab);
      await after(150);
      const titles = server.tasks.map(({ title }) => title);
      expect(open.flatMap(({ outbox }) => outbox.entries())).toEqual([]);
      expect(server.effects.toSorted()).toEqual(expected.toSorted());
      expect(open.map((tab) => tab.titles())).toEqual(open.map(() => titles));
    });
    await fc.assert(
      settled.afterEach(() => {
        const ended = open;
        open = [];
        for (const tab of ended) tab.kill();
      }),
      { numRuns: RUNS, seed: Number(process.env['SEED'] ?? 1) },
    );
  },
);
