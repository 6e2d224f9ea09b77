import { Controller, dehydrate, hydrate, type Platform, platform as realPlatform, Store } from '../../src/index.ts';
import { Demands } from '../../src/control/view/demands.ts';
import { RequestView } from '../../src/control/view/request-view.ts';
import { Random } from '../oracle/random.ts';
import { type Appointment, Clock, settled } from '../reliability/network/clock.ts';
import { type Model, modelOf, type ModelSetting, type Search, type ShownDeal } from './model.ts';
import { Server } from './server.ts';

export interface LifeSetting extends ModelSetting {
  readonly seed: number;
  readonly mutations: number;
  readonly isFlaky: boolean;
  readonly searches: readonly Search[];
  /** The first state of the store comes from a server that has rendered the page. */
  readonly isHydrated?: boolean;
  /** The frequency of each of these events in a history. */
  readonly resets?: number;
  readonly replacements?: number;
  readonly collections?: number;
  readonly visits?: number;
  /** The length of a history, in milliseconds. */
  readonly length?: number;
}

interface Shown {
  readonly view: RequestView;
  readonly stop: () => void;
}

/** Lists that are shown and hidden, restored, forgotten, collected and read by other classes, while their records change. */
export class Life {
  readonly #server = new Server();
  readonly #clock = new Clock();
  readonly #store = new Store({ now: () => this.#now() });
  readonly #setting: LifeSetting;
  readonly #random: Random;
  readonly #platform: Platform;
  readonly #controller: Controller;
  readonly #demands: Demands;
  #model: Model;
  readonly #shown = new Map<string, Shown>();
  readonly #log: string[] = [];
  requests = 0;

  constructor(setting: LifeSetting) {
    this.#setting = setting;
    this.#random = new Random(setting.seed);
    this.#platform = {
      ...realPlatform,
      fetch: (url, init) => this.#send(url, init),
      now: () => this.#now(),
      setTimeout: (run, delay) => this.#clock.in(delay, 'timer', run),
      clearTimeout: (timer) => {
        if (timer !== undefined) (timer as Appointment).run = undefined;
      },
    };
    this.#model = modelOf(setting, this.#platform);
    this.#controller = new Controller({ store: this.#store, now: () => this.#now() });
    this.#demands = new Demands(this.#controller, this.#platform);
  }

  #now(): number {
    return 1_000_000 + this.#clock.now;
  }

  async run(): Promise<string | undefined> {
    const { collections = 0, length = 20_000, mutations, replacements = 0, resets = 0, visits = 0 } = this.#setting;
    if (this.#setting.isHydrated === true) await this.#hydrate();
    for (const search of this.#setting.searches) if (this.#random.chance(0.7)) this.#show(search);
    await this.#rest();
    this.requests = 0;
    const plan = (count: number, what: string, run: () => void): void => {
      for (let at = 0; at < count; at++)
        this.#clock.in(this.#random.next() * length, what, () => {
          this.#note(what);
          run();
        });
    };
    plan(mutations, 'change', () => this.#change());
    plan(visits, 'visit', () => this.#visit());
    plan(resets, 'reset', () => void this.#controller.resetEntireStore());
    plan(replacements, 'replace', () => this.#replace());
    plan(collections, 'collect', () => void [...this.#controller.collect()]);
    await this.#rest();
    for (const search of this.#setting.searches) if (!this.#shown.has(nameOf(search))) this.#show(search);
    await this.#rest();
    const wrong = this.#wrong();
    this.#controller.dispose();
    return wrong && `seed ${this.#setting.seed}: ${wrong}\n${this.#log.join('\n')}`;
  }

  /** A server renders the page, and sends its state with the page. */
  async #hydrate(): Promise<void> {
    const { deals } = modelOf(this.#setting, this.#platform);
    const there = new Controller({ now: () => this.#now() });
    for (const search of this.#setting.searches)
      if (this.#random.chance(0.7)) void there.fetch(deals.getList, search).catch(() => {});
    await this.#rest();
    hydrate(this.#store, JSON.parse(JSON.stringify(dehydrate(there.store))));
    there.dispose();
  }

  #show(search: Search): void {
    const view = new RequestView(this.#controller, this.#demands, this.#model.deals.getList, [search]);
    view.current();
    // A reader on the screen fetches the data that a reset has removed.
    const stop = view.subscribe(() => {
      if (view.current().status === 'missing') view.shown();
    });
    view.shown();
    this.#shown.set(nameOf(search), { view, stop });
  }

  #visit(): void {
    const search = this.#random.pick(this.#setting.searches);
    const shown = this.#shown.get(nameOf(search));
    this.#note(`  ${shown === undefined ? 'show' : 'hide'} ${nameOf(search)}`);
    if (shown === undefined) return this.#show(search);
    shown.stop();
    this.#shown.delete(nameOf(search));
  }

  /** The modules of the application are replaced, with the state kept: everything is rendered again. */
  #replace(): void {
    this.#model = modelOf(this.#setting, this.#platform);
    const all = this.#setting.searches.filter((search) => this.#shown.has(nameOf(search)));
    for (const { stop } of this.#shown.values()) stop();
    this.#shown.clear();
    for (const search of all) this.#show(search);
  }

  async #rest(): Promise<void> {
    await settled();
    for (let next = this.#clock.next(); next !== undefined; next = this.#clock.next()) {
      next.run?.();
      // oxlint-disable-next-line no-await-in-loop -- one event after another
      await settled();
    }
  }

  #note(what: string): void {
    this.#log.push(`${Math.round(this.#clock.now)} ${what}`);
  }

  #send(url: string, { body, method = 'GET', signal }: RequestInit): Promise<Response> {
    const [there, back, luck] = [this.#random.next() * 400, this.#random.next() * 400, this.#random.next()];
    const isChange = method !== 'GET';
    if (!isChange) this.requests++;
    return new Promise((resolve, reject) => {
      signal?.addEventListener('abort', () => reject(signal.reason as Error));
      this.#clock.in(there, 'arrival', () => {
        const isRefused = this.#setting.isFlaky && isChange && luck < 0.1;
        const isLost = this.#setting.isFlaky && isChange && luck > 0.85;
        const sent: unknown = typeof body === 'string' ? JSON.parse(body) : undefined;
        const response = isRefused ? new Response(null, { status: 422 }) : this.#server.answer(method, url, sent);
        this.#note(`${method} ${url} ${typeof body === 'string' ? body : ''} ${response.status}`);
        this.#clock.in(back, 'answer', () => {
          this.#note(`  ${isLost ? 'lost' : 'received'} ${method} ${url}`);
          if (isLost) reject(new TypeError('Failed to fetch'));
          else resolve(response);
        });
      });
    });
  }

  #change(): void {
    const controller = this.#controller;
    const { create, partialUpdate, delete: remove } = this.#model.deals;
    const id = this.#random.pick(this.#server.deals.map((deal) => deal.id));
    const stage = this.#random.pick(['lead', 'won', 'lost']);
    const owner = this.#random.below(3) + 1;
    const title = `deal ${this.#random.below(4)}`;
    const run = this.#random.pick<() => Promise<unknown>>([
      () => controller.fetch(partialUpdate, { id }, { stage }),
      () => controller.fetch(partialUpdate, { id }, { stage }),
      () => controller.fetch(partialUpdate, { id }, { owner_id: owner }),
      () => controller.fetch(partialUpdate, { id }, { title }),
      () => controller.fetch(create, { title, stage, owner_id: owner }),
      () => controller.fetch(remove, { id }),
    ]);
    run().catch(() => {});
  }

  #wrong(): string | undefined {
    for (const search of this.#setting.searches) {
      const asked = Object.fromEntries(Object.entries(search).map(([name, value]) => [name, String(value)]));
      const { items, total } = this.#server.list(asked);
      const answer = this.#shown.get(nameOf(search))?.view.current();
      const data = Object(answer && 'value' in answer ? answer.value : undefined) as {
        readonly items?: readonly ShownDeal[];
        readonly total?: number;
      };
      const due = { items: items.map(textOf), total };
      const found = { items: data.items?.map(textOf), total: data.total };
      if (JSON.stringify(found) !== JSON.stringify(due))
        return `${nameOf(search)} shows (${answer?.status})\n${JSON.stringify(found)}, due\n${JSON.stringify(due)}`;
    }
    return undefined;
  }
}

function nameOf(search: Search): string {
  return JSON.stringify(search);
}

function textOf({ id, owner, stage, title }: ShownDeal): string {
  return `${id} ${title} ${stage} ${owner?.id} ${owner?.name}`;
}
