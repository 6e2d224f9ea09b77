import {
  Collection,
  Controller,
  Entity,
  type Platform,
  platform as realPlatform,
  resource,
  Store,
  undecidable,
} from '../../src/index.ts';
import { Random } from '../oracle/random.ts';
import { Clock, settled } from '../reliability/network/clock.ts';
import { Server } from './server.ts';

class Owner extends Entity {
  id = 0;
  name = '';
  static override key = 'Owner';
}

class Deal extends Entity {
  id: number | string = 0;
  title = '';
  stage = '';
  owner: Owner | null = null;
  static override key = 'Deal';
  static override schema = { owner: Owner };
}

/** The order of the server. */
function orderBy(one: Deal, other: Deal, { sort }: { readonly sort?: string }): number {
  return (sort === undefined ? 0 : one.title.localeCompare(other.title)) || Number(one.id) - Number(other.id);
}

type Search = Readonly<Record<string, string | number>>;

export interface Setting {
  readonly seed: number;
  readonly mutations: number;
  readonly isOptimistic: boolean;
  /** The order of the lists is declared. */
  readonly isOrdered: boolean;
  /** Some mutations are refused, and the answers of some others are lost after the server has carried them out. */
  readonly isFlaky: boolean;
  /** Answers contain only the id of an owner, except lists that are selected by the name of an owner. */
  readonly isPartial: boolean;
  readonly searches: readonly Search[];
  /** The number of controllers that share the store. Each shows some of the lists, and each may change records. Default: 1. */
  readonly controllers?: number;
}

/** A screen with lists, one server, and a clock that jumps from event to event. */
export class World {
  readonly #server = new Server();
  readonly #clock = new Clock();
  readonly #store = new Store({ now: () => 1_000_000 + this.#clock.now });
  readonly #controllers: readonly Controller[];
  readonly #setting: Setting;
  readonly #random: Random;
  readonly #deals;
  readonly #owners;
  readonly #log: string[] = [];
  /** The number of lists that were requested after the first load. */
  requests = 0;

  constructor(setting: Setting) {
    this.#setting = setting;
    this.#random = new Random(setting.seed);
    this.#controllers = Array.from(
      { length: setting.controllers ?? 1 },
      () => new Controller({ store: this.#store, now: () => 1_000_000 + this.#clock.now }),
    );
    const platform: Platform = { ...realPlatform, fetch: (url, init) => this.#send(url, init) };
    const search: Search | undefined = {};
    const sent: Partial<{ title: string; stage: string; owner_id: number }> = {};
    const list = new Collection([Deal], {
      where: {
        owner_id: (deal: Deal) => deal.owner?.id,
        owner_name: (deal: Deal) => deal.owner?.name,
        q: undecidable,
      },
      total: 'total',
      ...(setting.isOrdered && { orderBy }),
    });
    this.#deals = resource({
      path: '/deals/:id',
      schema: Deal,
      searchParams: search,
      body: sent,
      optimistic: setting.isOptimistic,
      platform,
    }).extend({ getList: { schema: { items: list, total: 0 } } });
    this.#owners = resource({
      path: '/owners/:id',
      schema: Owner,
      body: {} as { readonly name: string },
      optimistic: setting.isOptimistic,
      platform,
    });
  }

  /** Returns the fault after all requests have ended, if there is one. */
  async run(): Promise<string | undefined> {
    for (const [at, search] of this.#setting.searches.entries()) {
      const controller = this.#controllerAt(at);
      void controller.fetch(this.#deals.getList, search).catch(() => {});
      controller.watch(this.#deals.getList, search, () => {});
    }
    await this.#rest();
    this.requests = 0;
    for (let count = 0; count < this.#setting.mutations; count++)
      this.#clock.in(this.#random.next() * 20_000, 'change', () => this.#change());
    await this.#rest();
    const wrong = this.#wrong();
    for (const controller of this.#controllers) controller.dispose();
    return wrong && `seed ${this.#setting.seed}: ${wrong}\n${this.#log.join('\n')}`;
  }

  /** Advances the time until nothing more happens. */
  async #rest(): Promise<void> {
    await settled();
    for (let next = this.#clock.next(); next !== undefined; next = this.#clock.next()) {
      next.run?.();
      // oxlint-disable-next-line no-await-in-loop -- one event after another
      await settled();
    }
  }

  #send(url: string, { method = 'GET', body }: RequestInit): Promise<Response> {
    const [there, back, luck] = [this.#random.next() * 400, this.#random.next() * 400, this.#random.next()];
    const isChange = method !== 'GET';
    if (!isChange) this.requests++;
    return new Promise((resolve, reject) => {
      this.#clock.in(there, 'arrival', () => {
        const isRefused = this.#setting.isFlaky && isChange && luck < 0.1;
        const isLost = this.#setting.isFlaky && isChange && luck > 0.92;
        const sent: unknown = typeof body === 'string' ? JSON.parse(body) : undefined;
        const response = isRefused ? new Response(null, { status: 422 }) : this.#server.answer(method, url, sent);
        this.#log.push(
          `${Math.round(this.#clock.now)} ${method} ${url} ${typeof body === 'string' ? body : ''} ${response.status}`,
        );
        this.#clock.in(back, 'answer', () => {
          this.#log.push(`${Math.round(this.#clock.now)}   ${isLost ? 'lost' : 'received'} ${method} ${url}`);
          if (isLost) reject(new TypeError('Failed to fetch'));
          else if (response.ok && !url.includes('owner_name')) void this.#received(response).then(resolve);
          else resolve(response);
        });
      });
    });
  }

  /** The answer as the client receives it: of an owner, it may have only the id. */
  async #received(response: Response): Promise<Response> {
    if (!this.#setting.isPartial || response.status === 204) return response;
    const part = (name: string, value: unknown): unknown =>
      name === 'owner' ? value && { id: (value as Owner).id } : value;
    return Response.json(JSON.parse(await response.text(), part));
  }

  #controllerAt(at: number): Controller {
    return this.#controllers[at % this.#controllers.length] as Controller;
  }

  #change(): void {
    const { create, partialUpdate, delete: remove } = this.#deals;
    const known = this.#server.deals.map(({ id }) => id);
    const id = this.#random.pick(known);
    const stage = this.#random.pick(['lead', 'won', 'lost']);
    const owner = this.#random.below(3) + 1;
    const title = `deal ${this.#random.below(4)}`;
    const controller = this.#controllers.length > 1 ? this.#random.pick(this.#controllers) : this.#controllerAt(0);
    const run = this.#random.pick<() => Promise<unknown>>([
      () => controller.fetch(partialUpdate, { id }, { stage }),
      () => controller.fetch(partialUpdate, { id }, { stage }),
      () => controller.fetch(partialUpdate, { id }, { owner_id: owner }),
      () => controller.fetch(partialUpdate, { id }, { title }),
      () => controller.fetch(create, { title, stage, owner_id: owner }),
      () => controller.fetch(remove, { id }),
      ...(this.#setting.searches.some((search) => JSON.stringify(search).includes('name'))
        ? [
            () =>
              controller.fetch(
                this.#owners.partialUpdate,
                { id: owner },
                { name: title.at(-1) === '1' ? 'ann' : 'bob' },
              ),
          ]
        : []),
    ]);
    run().catch(() => {});
  }

  #wrong(): string | undefined {
    for (const search of this.#setting.searches) {
      const { items, total } = this.#server.list(
        Object.fromEntries(Object.entries(search).map(([name, value]) => [name, String(value)])),
      );
      const shown = this.#controllerAt(0).getResponse(this.#deals.getList, search).data as
        | { readonly items: readonly Deal[]; readonly total: number }
        | undefined;
      const due = { items: items.map((deal) => `${deal.id} ${deal.title} ${deal.stage} ${deal.owner?.id}`), total };
      const found = {
        items: shown?.items.map((deal) => `${deal.id} ${deal.title} ${deal.stage} ${deal.owner?.id}`),
        total: shown?.total,
      };
      if (JSON.stringify(found) !== JSON.stringify(due))
        return `${JSON.stringify(search)} shows\n${JSON.stringify(found)}, due\n${JSON.stringify(due)}`;
    }
    return undefined;
  }
}
