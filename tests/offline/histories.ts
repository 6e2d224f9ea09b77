import * as fc from 'fast-check';
import { dehydrate } from 'rejoin';
import { memoryStorage } from 'rejoin/persist';
import { FakeBrowser } from '../tabs/browser.ts';
import { type OfflineTab, openTab } from './app.ts';
import { TaskServer } from './server.ts';

async function after(count: number): Promise<void> {
  // oxlint-disable-next-line no-await-in-loop -- one turn after another
  for (let turn = 0; turn < count; turn++) await new Promise((resolve) => setImmediate(resolve));
}

const step = fc.record({
  what: fc.constantFrom(
    ...(['fetch', 'patch', 'patch', 'create', 'create', 'delete', 'open', 'kill', 'kill'] as const),
    ...(['network', 'network', 'logout'] as const),
  ),
  tab: fc.nat(4),
  at: fc.nat(5),
  pause: fc.constantFrom(0, 0, 1, 3, 40),
});
const history = fc.tuple(
  fc.array(step, { minLength: 4, maxLength: 25 }),
  fc.infiniteStream(fc.nat(6)),
  fc.infiniteStream(fc.nat(14)),
  fc.infiniteStream(fc.noShrink(fc.noBias(fc.nat(2 ** 30 - 1)))),
  fc.infiniteStream(fc.constantFrom(0, 0, 0, 1, 30)),
);
type History = typeof history extends fc.Arbitrary<infer Value> ? Value : never;

type UserName = 'Ada' | 'Ben';

/** The state after a history, and the expected state. */
interface Outcome {
  readonly found: unknown;
  readonly due: unknown;
}

/** A browser in which one user after another works, with everything that is kept when tabs end. */
class World {
  readonly servers: Readonly<Record<UserName, TaskServer>> = { Ada: new TaskServer('Ada'), Ben: new TaskServer('Ben') };
  readonly disk = memoryStorage();
  readonly #fake = new FakeBrowser();
  readonly #drawn: History;
  readonly #timers: Parameters<typeof openTab>[3];
  isOnline = true;
  isOver = false;
  time = 0;
  user: UserName = 'Ada';
  open: OfflineTab[] = [];
  /** The texts that the users have written, and the number of their deletions. */
  readonly expected: Record<UserName, string[]> = { Ada: [], Ben: [] };
  readonly deletes: Record<UserName, number> = { Ada: 0, Ben: 0 };
  logouts = 0;

  constructor(drawn: History) {
    this.#drawn = drawn;
    this.#timers = {
      ...this.#fake.platform,
      random: () => drawn[3].next().value / 2 ** 30,
      now: () => (this.time += drawn[4].next().value),
    };
  }

  async #fetch(user: UserName, url: string, init: RequestInit): Promise<Response> {
    const [, delays, outcomes] = this.#drawn;
    await after(delays.next().value);
    init.signal?.throwIfAborted();
    // 0 loses the request, 1 its answer.
    const outcome = this.isOver ? 2 : outcomes.next().value;
    if (!this.isOnline || outcome === 0) throw new TypeError('Failed to fetch');
    const response = this.servers[user].answer(url, init);
    if (outcome === 1) throw new TypeError('Failed to fetch');
    await after(delays.next().value);
    return response;
  }

  async add(): Promise<void> {
    const { user } = this;
    const tab = openTab(this.#fake, this.disk, (url, init) => this.#fetch(user, url, init), this.#timers, user);
    this.open.push(tab);
    await tab.controller.ready;
    tab.controller.view(tab.tasks.getList).subscribe(() => {});
    this.show(tab);
  }

  show({ controller, tasks }: OfflineTab): void {
    Promise.resolve(controller.fetchIfStale(tasks.getList)).catch(() => {});
  }

  /** Ends the tabs in which the user has logged out, and opens one for the next user. */
  async leave(): Promise<void> {
    const out = this.open.filter(({ isOut, user }) => isOut || user !== this.user);
    if (out.length === 0) return;
    this.open = this.open.filter((tab) => !out.includes(tab));
    for (const { controller } of out) controller.dispose();
    if (this.open.length === 0) await this.add();
  }

  async logout(tab: OfflineTab): Promise<void> {
    tab.isOut = true;
    this.logouts++;
    await tab.controller.resetEntireStore();
    this.user = tab.user === 'Ada' ? 'Ben' : 'Ada';
  }

  async kill(tab: OfflineTab): Promise<void> {
    await tab.outbox.flush();
    tab.kill();
    this.open = this.open.filter((one) => one !== tab);
    if (this.open.length === 0) await this.add();
  }

  edit({ controller, isOut, tasks, user }: OfflineTab, what: 'patch' | 'create' | 'delete', at: number): void {
    if (isOut) return;
    const [writer] = (['Ada', 'Ben'] as const).filter((name) => name === user);
    if (writer === undefined) return;
    const title = `${user} ${what} ${this.expected[writer].length}`;
    const shown = controller.getResponse(tasks.getList).data ?? [];
    const id = shown[at % (shown.length || 1)]?.id;
    const give = (edit: Promise<unknown>): void => void edit.catch(() => {});
    if (what === 'create') {
      this.expected[writer].push(title);
      give(controller.fetch(tasks.getList.push, { title }));
    } else if (id !== undefined && what === 'patch') {
      this.expected[writer].push(title);
      give(controller.fetch(tasks.partialUpdate, { id }, { title }));
    } else if (id !== undefined) {
      this.deletes[writer]++;
      give(controller.fetch(tasks.delete, { id }));
    }
  }

  /** Neither a tab nor its disk may have data of another user. */
  look(): void {
    for (const { controller, outbox, user } of this.open) {
      const text = JSON.stringify([dehydrate(controller.store), outbox.entries()]);
      if (text.includes(user === 'Ada' ? 'Ben' : 'Ada')) throw new Error(`${user} has data of another user: ${text}`);
    }
  }

  /** Waits until everything has settled for the present user. Returns the state then, and the expected state. */
  async settle(): Promise<Outcome> {
    /* oxlint-disable no-await-in-loop -- one round after another */
    await this.leave();
    // Takes over the edits of tabs that were killed.
    await this.add();
    for (let round = 0; round < 8; round++) {
      for (const { outbox } of this.open) {
        for (const { id, error, state } of outbox.entries())
          if (state === 'stopped' && (error as { status?: number }).status === 404) outbox.discard(id);
        outbox.retry();
      }
      await after(150);
    }
    /* oxlint-enable no-await-in-loop */
    for (const tab of this.open) this.show(tab);
    await after(150);
    this.look();
    const { deletes, effects, refused, tasks } = this.servers[this.user];
    return {
      found: {
        waiting: this.open.flatMap(({ outbox }) => outbox.entries()),
        // A refused edit that is tried again is refused again.
        edits: [...effects, ...new Set(refused)].toSorted(),
        deletes,
        shown: this.open.map((tab) => tab.titles()),
      },
      due: {
        waiting: [],
        edits: this.expected[this.user].toSorted(),
        deletes: this.deletes[this.user],
        shown: this.open.map(() => tasks.map(({ title }) => title)),
      },
    };
  }
}

async function runHistory(world: World, [steps]: History): Promise<readonly Outcome[]> {
  await world.add();
  /* oxlint-disable no-await-in-loop -- one step after another */
  for (const { what, tab: number, at, pause } of steps) {
    await world.leave();
    const tab = world.open[number % world.open.length] as OfflineTab;
    const { controller, tasks } = tab;
    if (what === 'fetch') controller.fetch(tasks.getList).catch(() => {});
    else if (what === 'open' && world.open.length < 3) await world.add();
    else if (what === 'kill') await world.kill(tab);
    else if (what === 'network') world.isOnline = !world.isOnline;
    else if (what === 'logout') await world.logout(tab);
    else if (what !== 'open') world.edit(tab, what, at);
    world.look();
    await after(pause);
  }
  world.isOver = true;
  world.isOnline = true;
  /* oxlint-enable no-await-in-loop */
  const first = await world.settle();
  const { user } = world;
  await world.logout(world.open[0] as OfflineTab);
  await after(60);
  const { entries } = await (await world.disk.open(`app user ${user}`)).read();
  return [first, { found: Array.from(entries, ([key]) => key), due: ['session'] }, await world.settle()];
}

/** The results of random histories. */
export interface OfflineHistories {
  readonly histories: number;
  readonly edits: number;
  readonly logouts: number;
  readonly wrong: string | undefined;
}

/** Runs random histories until one is wrong. */
export async function runOfflineHistories(runs: number, seed: number): Promise<OfflineHistories> {
  let [histories, edits, logouts] = [0, 0, 0];
  let world: World | undefined;
  const settled = fc.asyncProperty(history, async (drawn) => {
    world = new World(drawn);
    for (const { found, due } of await runHistory(world, drawn)) {
      const [seen, wanted] = [JSON.stringify(found), JSON.stringify(due)];
      if (seen !== wanted) throw new Error(`found ${seen}, due ${wanted}`);
    }
    histories++;
    edits += world.expected.Ada.length + world.expected.Ben.length + world.deletes.Ada + world.deletes.Ben;
    logouts += world.logouts;
  });
  const end = (): void => {
    for (const tab of world?.open ?? []) tab.kill();
  };
  const details = await fc.check(settled.afterEach(end), { numRuns: runs, seed });
  const wrong = details.failed ? `${String(details.errorInstance)}\n${fc.defaultReportMessage(details)}` : undefined;
  return { histories, edits, logouts, wrong };
}
