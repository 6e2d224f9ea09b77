import {
  Collection,
  Controller,
  type EndpointInterface,
  Entity,
  type Platform,
  platform as realPlatform,
  resource,
  Store,
} from '../../src/index.ts';
import { Random } from '../oracle/random.ts';
import { Clock, settled } from '../reliability/network/clock.ts';
import {
  compareDeals,
  cursorOf,
  type DealSearch,
  type DealServing,
  FollowedServer,
  type KeptDeal,
  storeMessage,
} from './followed-server.ts';

class Deal extends Entity {
  id = 0;
  stage = '';
  rank = 0;
  static override key = 'Deal';
}

export interface Following extends DealServing {
  /** Whether the order is declared, so that records may move. */
  readonly isOrdered: boolean;
  readonly isPaged: boolean;
  /** Whether further pages are requested. */
  readonly hasMore: boolean;
  readonly mutations: 'none' | 'plain' | 'optimistic';
}

const SIZE = 3;
const STAGES = ['lead', 'won', 'lost'] as const;

/** A client that shows lists of a server, follows its messages, and changes records. */
export class FollowedWorld {
  readonly #following: Following;
  readonly #random: Random;
  readonly #clock = new Clock();
  readonly #server: FollowedServer;
  readonly #controller: Controller;
  readonly #list: Collection<readonly [typeof Deal]>;
  readonly #getList: EndpointInterface & { readonly getPage: EndpointInterface };
  readonly #changes: Readonly<Record<'create' | 'delete' | 'partialUpdate', EndpointInterface>>;
  readonly #shown = new Map<string, DealSearch>();

  constructor(following: Following, seed: number) {
    this.#following = following;
    this.#random = new Random(seed);
    this.#server = new FollowedServer(following, this.#random, this.#clock);
    const platform: Platform = { ...realPlatform, fetch: this.#server.fetch };
    const { beside, isNewestFirst, isOrdered, mutations } = following;
    this.#list = new Collection(
      [Deal],
      isOrdered ? { orderBy: compareDeals } : isNewestFirst ? { create: 'first' } : {},
    );
    const search: DealSearch | undefined = {};
    const body: Partial<KeptDeal> = {};
    const deals = resource({
      path: '/deals/:id',
      schema: Deal,
      searchParams: search,
      paginationField: 'cursor',
      body,
      optimistic: mutations === 'optimistic',
      platform,
    });
    this.#changes = deals;
    this.#getList =
      beside === 'nothing'
        ? deals.extend({ getList: { schema: this.#list } }).getList
        : deals.extend({ getList: { schema: { items: this.#list, next: '' } } }).getList;
    const now = (): number => 1_000_000 + this.#clock.now;
    this.#controller = new Controller({ store: new Store({ now }), now });
    const count = following.hasMore ? 36 : 12;
    for (let at = 0; at < count; at++) this.#server.create({ stage: STAGES[at % 4 === 3 ? 0 : at % 3] ?? '' });
  }

  /** Runs a history of random steps. Returns the fault after it, if there is one. */
  async run(steps: number): Promise<string | undefined> {
    await this.#rest();
    this.#server.tell = (message) => storeMessage(this.#controller, [Deal, this.#list.push], message);
    this.#show({});
    this.#show(this.#searchFor('lead'));
    await this.#rest();
    for (let at = 0; at < steps; at++) this.#clock.in(this.#random.next() * 3000, 'step', () => this.#step());
    await this.#rest();
    for (const stage of STAGES) this.#show(this.#searchFor(stage));
    await this.#rest();
    const wrong = this.#wrong() ?? (this.#following.hasMore ? await this.#wrongAfterLastPage() : undefined);
    this.#controller.dispose();
    return wrong && [wrong, ...this.#server.log].join('\n');
  }

  async #rest(): Promise<void> {
    await settled();
    for (let next = this.#clock.next(); next !== undefined; next = this.#clock.next()) {
      next.run?.();
      // oxlint-disable-next-line no-await-in-loop -- one event after another
      await settled();
    }
  }

  #searchFor(stage: string): DealSearch {
    return { stage, ...(this.#following.isPaged && { limit: SIZE }) };
  }

  #step(): void {
    const { hasMore, isOrdered, mutations } = this.#following;
    const own = mutations === 'none' ? 0 : 1;
    const step = this.#random.weighted({
      create: 2,
      move: isOrdered ? 2 : 0,
      rank: isOrdered ? 1 : 0,
      remove: 2,
      ownCreate: own,
      ownEdit: own,
      ownMove: isOrdered ? own : 0,
      ownRemove: own,
      more: hasMore ? 4 : 0,
      again: 1,
      first: 1,
    });
    const { id, rank } = this.#random.pick(this.#server.deals);
    const stage = this.#random.pick(STAGES);
    if (step === 'create') this.#server.create({ stage });
    else if (step === 'remove') this.#server.remove(id);
    else if (step === 'move') this.#server.edit(id, { stage });
    else if (step === 'rank') this.#server.edit(id, { rank: rank + 4.5 - 9 * this.#random.next() });
    else if (step === 'again') this.#fetch(this.#getList, this.#searchFor(stage));
    else if (step === 'first') this.#show(this.#searchFor(stage));
    else if (step === 'more') this.#more(this.#random.pick([...this.#shown.values()]));
    else this.#mutate(step, id, stage);
  }

  #mutate(step: 'ownCreate' | 'ownEdit' | 'ownMove' | 'ownRemove', id: number, stage: string): void {
    const { create, delete: remove, partialUpdate } = this.#changes;
    // A guess of a create is at the end of its list.
    const rank = this.#following.isNewestFirst ? -1e6 : 1e6;
    if (step === 'ownCreate') this.#fetch(create, { stage, rank });
    else if (this.#controller.get(Deal, { id }) === undefined) return;
    else if (step === 'ownRemove') this.#fetch(remove, { id });
    else this.#fetch(partialUpdate, { id }, step === 'ownMove' ? { stage } : { note: this.#random.next() });
  }

  #show(search: DealSearch): void {
    const key = JSON.stringify(search);
    if (this.#shown.has(key)) return;
    this.#shown.set(key, search);
    this.#fetch(this.#getList, search);
    this.#controller.watch(this.#getList, search, () => {});
  }

  #fetch(endpoint: EndpointInterface, ...args: readonly unknown[]): void {
    this.#controller.fetch(endpoint, ...args).catch(() => {});
  }

  #more(search: DealSearch): void {
    const last = this.#items(search).at(-1);
    // A record that is still being created has no place on the server.
    if (search.limit === undefined || typeof last?.id !== 'number') return;
    const { next = cursorOf(last) } = this.#data(search);
    if (next !== '') this.#fetch(this.#getList.getPage, { ...search, cursor: next });
  }

  #data(search: DealSearch): { readonly items?: readonly Deal[]; readonly next?: string } {
    const data: unknown = this.#controller.getResponse(this.#getList, search).data;
    return Array.isArray(data) ? { items: data as readonly Deal[] } : Object(data);
  }

  #items(search: DealSearch): readonly Deal[] {
    return this.#data(search).items ?? [];
  }

  /** Loads the further pages of each list, and compares all records. */
  async #wrongAfterLastPage(): Promise<string | undefined> {
    for (const search of this.#shown.values()) {
      const all = this.#server.list(search);
      while (this.#hasNext(search, all.length)) {
        // A page that was requested before its list was fetched again joins the list, and leaves the cursor of the list. Then it is fetched again.
        const before = this.#place(search);
        this.#more(search);
        // oxlint-disable-next-line no-await-in-loop -- one page after another
        await this.#rest();
        if (this.#place(search) === before) return `${JSON.stringify(search)} has no page after ${before}`;
      }
      const shown = this.#items(search);
      if (shown.length < all.length) return `${JSON.stringify(search)} has no next page after ${shown.length} records`;
    }
    return this.#wrong();
  }

  #hasNext(search: DealSearch, count: number): boolean {
    const { items = [], next } = this.#data(search);
    return (
      this.#following.hasMore && search.limit !== undefined && (next === undefined ? items.length < count : next !== '')
    );
  }

  /** Where a list ends, and its cursor. */
  #place(search: DealSearch): string {
    return `${this.#items(search).length} ${this.#data(search).next}`;
  }

  /** Compares each shown list with the list of the server. Of a list in pages, any number of records may be loaded. */
  #wrong(): string | undefined {
    for (const search of this.#shown.values()) {
      const all = this.#server.list(search).map(({ id }) => id);
      const shown = this.#items(search).map(({ id }) => id);
      const due = search.limit === undefined ? all : all.slice(0, shown.length);
      if (shown.join() !== due.join())
        return `${JSON.stringify(search)} shows ${shown.join()} instead of ${all.join()}`;
    }
    return undefined;
  }
}
