/** A server renders pages for two users at once. A browser hydrates one of them while its user clicks and data changes. */
import { hydrateRoot } from 'react-dom/client';
import { onTestFinished, test, vi } from 'vitest';
import { Controller, getDefaultManagers, type Platform } from 'rejoin';
import { memoryStorage, PersistManager } from 'rejoin/persist';
import { fromScriptJson, takeOver, type TakenOver } from 'rejoin/ssr';
import type { PagePart } from '../../../src/adapters/ssr/page-part.ts';
import { Page } from '../../ssr/browser.ts';
import { seen, show } from '../harness.tsx';
import { type Random, random } from '../random.ts';
import { DeviceWorld, expectWorld } from './device-world.ts';
import { Process } from './device.ts';
import { Network, turns } from './network.ts';
import { clickAny, freshText } from './page.ts';
import { App, type AppProps, modelOf, type renderPage, Task } from './rendered-app.tsx';
import { RenderedServer, type UserName, USERS } from './rendered-server.ts';

const network = new Network();
/** Decides when React interrupts its work. */
let interruptions: Random = random(1);

interface OnServer {
  readonly modelOf: typeof modelOf;
  readonly renderPage: typeof renderPage;
}

class RenderedWorld extends DeviceWorld {
  readonly #onServer: OnServer;
  readonly #server: RenderedServer;
  /** Decides what does not depend on the steps. */
  readonly #chance: Random;
  readonly #page = new Page();
  readonly #disk = memoryStorage();
  readonly #process = new Process(network, this.#disk);
  readonly #platform: Platform = { ...network.platform, fetch: (url, init) => this.#fetch(url, init) };
  readonly #model = modelOf(this.#platform, 'Ada');
  readonly #isStrict: boolean;
  /** By request key: until when the data that came with the page is fresh. */
  readonly #sent = new Map<string, number>();
  #taken: TakenOver | undefined;
  #unmount = (): void => {};
  #abort = (): void => {};
  #arrived: Promise<void> | undefined;
  #lastArrival = 0;
  #isOver = false;
  #at = 'home';
  /** Data was changed elsewhere, or an answer was lost, and the page has not been told. */
  #isBehind = false;
  /** The user has changed or refreshed data. */
  #isChanged = false;
  /** The data in the rest of the page may be of another user, so it is not read, and React renders that part again. */
  #isReset = false;
  /** How many rests are left out at the beginning. */
  #restless: number;

  constructor(seed: number, onServer: OnServer) {
    super(seed, network);
    this.#onServer = onServer;
    interruptions = random(seed + 0.75);
    this.#chance = random(seed + 0.25);
    this.#restless = this.choice.below(8);
    this.#isStrict = this.choice.isLucky(0.3);
    network.begin(seed, (call) => this.#server.answer(call));
    this.#server = new RenderedServer(network, this.choice);
    for (const name of ['warn', 'error'] as const)
      vi.mocked(console[name]).mockImplementation(
        (...args) => void (this.#isReset || this.faults.push(`${name} ${args.map(String).join(' ')}`)),
      );
  }

  async #begin(): Promise<void> {
    const visitor = this.choice.pick([undefined, 'Ada', 'Ben'] as const);
    if (visitor !== undefined) await this.#visit(visitor);
    const skew = this.choice.pick([0, -600_000, 600_000]);
    const isForm = this.choice.isLucky(0.3);
    this.#isBehind ||= isForm && visitor === 'Ada';
    for (const user of USERS) this.#render(user, skew, isForm);
    for (let tries = 0; this.#arrived === undefined && tries < 2000; tries++) await network.pass(10); // oxlint-disable-line no-await-in-loop -- until it has arrived
    await this.#arrived;
  }

  /** An earlier visit on the same device. */
  async #visit(user: UserName): Promise<void> {
    const model = modelOf(network.platform, user);
    const controller = new Controller({ managers: [this.#persist(user), ...getDefaultManagers()], now: network.now });
    await network.pass(100);
    for (const list of [{}, { projectId: 'p1' }]) void controller.fetch(model.tasks.getList, list);
    void controller.fetch(model.getCount);
    await network.rest();
    await network.pass(this.choice.pick([0, 0, 100_000]));
    controller.dispose();
    await network.rest();
    if (this.choice.isLucky(0.5)) this.#other(this.choice);
  }

  #persist(user: UserName): PersistManager {
    return new PersistManager({ name: 'app', user, storage: this.#process.storage, platform: network.platform });
  }

  #render(user: UserName, skew: number, isForm: boolean): void {
    const now = (): number => network.now() + skew;
    const platform: Platform = {
      ...network.platform,
      now,
      fetch: async (url, init) => {
        const hasFailed = init.method === 'GET' && this.#chance.isLucky(0.1);
        await new Promise<void>((resolve) => network.later(resolve, network.now() + this.#chance.below(300)));
        const response = await network.platform.fetch(url, init);
        await new Promise<void>((resolve) => network.later(resolve, network.now() + this.#chance.below(300)));
        if (hasFailed) throw new TypeError('Failed to fetch');
        return response;
      },
    };
    const model = this.#onServer.modelOf(platform, user);
    const { tasks } = model;
    const isPrepared = this.choice.isLucky(0.3);
    const isInvalid = this.choice.isLucky(0.3);
    const prepare = async (controller: Controller): Promise<void> => {
      if (isPrepared) await controller.fetch(tasks.getList, {});
      if (isForm) await controller.fetch(tasks.getList.push, { title: `${user}-new`, projectId: 'p1' });
      if (isInvalid) await controller.invalidate(tasks.getList, {});
    };
    const send = (html?: string): void => {
      if (html?.includes(user === 'Ada' ? 'Ben' : 'Ada'))
        this.faults.push(`${user} gets data of another user: ${html}`);
      if (user === 'Ben' || this.#isOver) return;
      const isFirst = this.#lastArrival === 0;
      const due = network.now() + this.#chance.below(100);
      this.#lastArrival = network.later(() => this.#arrive(html), Math.max(this.#lastArrival + 1, due));
      if (isFirst) network.later(() => this.#boot(), this.#lastArrival + this.#chance.below(150));
    };
    const abort = this.#onServer.renderPage(this.#props(model), { now }, prepare, send);
    if (user === 'Ada') this.#abort = abort;
  }

  #props(model: AppProps['model']): AppProps {
    return {
      model,
      first: this.#at,
      isStrict: this.#isStrict,
      text: () => `Ada${network.next()}`,
      onGo: (page) => (this.#at = page),
      onRefresh: () => (this.#isBehind = false),
      onEdit: (done) => void done.catch(() => (this.#isBehind = true)),
    };
  }

  #arrive(html: string | undefined): void {
    if (this.#isOver) return;
    this.note(html === undefined ? 'the page ends' : `arrives ${html.length}`);
    if (html === undefined) return this.#page.end();
    for (const [, json = ''] of html.matchAll(/<script type="application\/json"[^>]*>([^<]*)<\/script>/g)) {
      const { now, states } = fromScriptJson(json) as PagePart;
      for (const [key, , , , , expiresAt] of states.flatMap(({ results }) => results))
        this.#sent.set(key, (expiresAt ?? Infinity) - now + network.now());
    }
    this.#arrived = this.#page.arrive(html);
  }

  #boot(): void {
    if (this.#isOver) return;
    const managers = [this.#persist('Ada'), ...getDefaultManagers()];
    const onError = (error: unknown): void => void this.faults.push(`not read: ${String(error)}`);
    this.#taken = takeOver({ managers, now: network.now, onError });
    const wait = this.#chance.pick([0, 0, 50]);
    if (wait > 0) void this.#taken.controller.fetchIfStale(this.#model.tasks.getList, {});
    network.later(() => this.#hydrate(), network.now() + wait);
  }

  #hydrate(): void {
    if (this.#isOver || this.#taken === undefined) return;
    this.note('hydrates');
    const root = hydrateRoot(this.#page.root, <App {...this.#props(this.#model)} {...this.#taken} />, {
      onRecoverableError: (error) => {
        if (!this.#isReset && /hydrat|Text content|#4(?:18|2[1235])/i.test(String(error)))
          this.faults.push(`recovered: ${String(error)}`);
      },
      onCaughtError: () => {},
    });
    this.#unmount = () => root.unmount();
  }

  #fetch(url: string, init: RequestInit): Promise<Response> {
    const { method = 'GET' } = init;
    const until = this.#sent.get(`${method} ${url}`) ?? 0;
    if (until > network.now() && !this.#isChanged) this.faults.push(`asks again for ${url}`);
    return network.platform.fetch(url, init);
  }

  #other(choice: Random): void {
    this.#isBehind = true;
    this.note(`other: ${this.#server.other('Ada', choice)}`);
  }

  act(choice: Random, without: ReadonlySet<string>): void {
    const what = choice.pick(['click', 'click', 'click', 'edit', 'edit', 'message', 'prefetch', 'other', 'rare']);
    const { controller } = this.#taken ?? {};
    if (without.has(what) || controller === undefined) return;
    if (what === 'other') this.#other(choice);
    else if (what === 'rare') this.#doRarely(choice, controller);
    else if (what === 'message' || what === 'edit') {
      const headers = new Headers({ Authorization: 'Ada' });
      const { body } = this.#server.answer({ method: 'GET', path: ['tasks'], search: {}, body: {}, headers });
      const task = choice.pick(body as readonly Task[]);
      if (task === undefined) return;
      this.note(`${what} ${task.id}`);
      if (what === 'message') void controller.set(Task, { id: task.id }, task);
      else this.#edit(choice, controller, task.id);
    } else if (what === 'prefetch') {
      this.note('prefetches');
      void controller.fetchIfStale(this.#model.projects.getList);
    } else if (what === 'click') {
      const clicked = clickAny({ container: this.#page.root }, choice) ?? '';
      this.note(`clicks ${clicked}`);
      if (!clicked.startsWith('go ')) this.#isChanged = true;
    }
  }

  #doRarely({ isLucky, pick }: Random, controller: Controller): void {
    if (!isLucky(0.3)) return;
    const what = pick(['abort', 'reset']);
    this.note(what);
    if (what === 'abort') return this.#abort();
    this.#isChanged = this.#isReset = true;
    this.#isBehind = false;
    void controller.resetEntireStore();
  }

  /** The user edits with the keyboard, also before the page is hydrated. */
  #edit({ pick }: Random, controller: Controller, id: string): void {
    this.#isChanged = true;
    const { tasks } = this.#model;
    const { onEdit, text } = this.#props(this.#model);
    const projectId = pick(['p1', 'p2']);
    switch (pick(['add', 'delete', 'move', 'done'])) {
      case 'add':
        return onEdit(controller.fetch(tasks.getList.push, { title: text(), projectId }));
      case 'delete':
        return onEdit(controller.fetch(tasks.delete, { id }));
      case 'move':
        return onEdit(controller.fetch(tasks.partialUpdate, { id }, { projectId }));
      default:
        return onEdit(controller.fetch(tasks.partialUpdate, { id }, { done: true }));
    }
  }

  async settle(): Promise<void> {
    if (this.#arrived === undefined) return this.#begin();
    if (this.#restless-- > 0) return network.pass(20);
    await network.rest();
    const isHydrated = (): boolean =>
      [...this.#page.root.querySelectorAll('button')].every((one) => Object.keys(one).length > 0);
    // oxlint-disable-next-line no-await-in-loop -- until React, which is interrupted, has hydrated the page
    for (let tries = 0; tries < 2000 && !isHydrated(); tries++) await turns(1);
    if (!isHydrated()) this.faults.push('is not hydrated');
    await turns(50);
    if (!(await network.rest())) this.faults.push('never comes to rest');
    if (this.#taken === undefined) this.faults.push('never begins');
    if (this.#taken === undefined || this.faults.length > 0) return;
    await this.#taken.whenComplete;
    const { controller } = this.#taken;
    for (const task of controller.getResponse(this.#model.tasks.getList, {}).data ?? [])
      if (task !== controller.get(Task, { id: task.id })) this.faults.push(`two objects of ${task.id}`);
    if (!this.#isBehind) await this.#compare();
    if (seen(this.#page.root).includes('Ben')) this.faults.push('Ada sees data of Ben');
  }

  async #compare(): Promise<void> {
    const props = this.#props(modelOf(network.platform, 'Ada'));
    const due = await freshText(network, (controller) =>
      show(<App {...props} controller={controller} />, { isStrict: false }),
    );
    const found = (): string => seen(this.#page.root);
    // oxlint-disable-next-line no-await-in-loop -- until the screen is right
    for (let tries = 0; tries < 400 && found() !== due; tries++) await turns(1);
    if (found() !== due) this.faults.push(`shows\n${found()}, due\n${due}`);
  }

  async finish(): Promise<void> {
    this.#restless = 0;
    await this.settle();
    if (this.faults.length > 0) return;
    this.note('refreshes');
    this.#isChanged = true;
    this.#isBehind = false;
    void this.#taken?.controller.expireAll({ testKey: () => true });
    await this.settle();
  }

  end(): void {
    this.#isOver = true;
    this.#unmount();
    this.#taken?.controller.dispose();
    this.#process.isDead = true;
  }
}

/** Loads the application as a server does, without a document. */
async function loadOnServer(): Promise<OnServer> {
  const { document: page } = globalThis;
  vi.resetModules();
  vi.stubGlobal('document', undefined);
  try {
    return await import('./rendered-app.tsx');
  } finally {
    vi.stubGlobal('document', page);
    vi.resetModules();
  }
}

/** React and the library have the time of the world, so that a history is the same each time. */
function fakeTime(): void {
  let time = 0;
  let ticking = setImmediate(function tick() {
    // React shows content at most three times a second.
    time += 400;
    ticking = setImmediate(tick);
  });
  const now = vi.spyOn(performance, 'now').mockImplementation(() => (time += interruptions.isLucky(0.03) ? 6 : 0.01));
  vi.stubGlobal('setTimeout', (run: () => void, delay = 0) => network.platform.setTimeout(run, delay));
  vi.stubGlobal('clearTimeout', (timer: unknown) => network.platform.clearTimeout(timer));
  onTestFinished(() => {
    clearImmediate(ticking);
    now.mockRestore();
    vi.unstubAllGlobals();
    Reflect.deleteProperty(document, 'readyState');
  });
}

test(
  'a page of a server shows what the server has, whatever arrives and is clicked while it is hydrated',
  { timeout: 3_600_000 },
  async () => {
    const onServer = await loadOnServer();
    fakeTime();
    await expectWorld(12, (seed) => new RenderedWorld(seed, onServer));
  },
);
