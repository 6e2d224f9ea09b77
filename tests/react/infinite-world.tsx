import { Suspense } from 'react';
import type { Root } from 'react-dom/client';
import { Collection, Controller, type EndpointInterface, platform as realPlatform, resource, Store } from 'rejoin';
import { DataProvider } from 'rejoin/react';
import {
  compareDeals,
  cursorOf,
  type DealSearch,
  FollowedServer,
  type KeptDeal,
  storeMessage,
} from '../lists/followed-server.ts';
import { Random } from '../oracle/random.ts';
import { Clock, settled } from '../reliability/network/clock.ts';
import { Deal, List, type Paging, type Slot, textOf } from './infinite-list.tsx';

export interface InfiniteSetting {
  readonly paging: Paging;
  readonly isNewestFirst: boolean;
  readonly isOrdered: boolean;
  readonly isOptimistic: boolean;
  readonly isFlaky: boolean;
  /** Whether reads of further pages fail at times. */
  readonly isFailing: boolean;
  /** Whether a stream tells the changes. Otherwise the client knows only its own. */
  readonly hasStream: boolean;
  readonly delay: number;
}

const STAGES = ['lead', 'won'] as const;

/** A page with some infinite lists, beside a stream, polls and own mutations. */
export class InfiniteWorld {
  readonly #setting: InfiniteSetting;
  readonly #random: Random;
  readonly #clock = new Clock();
  readonly #server: FollowedServer;
  readonly #controller: Controller;
  readonly #list: Collection<readonly [typeof Deal]>;
  readonly #getList: EndpointInterface;
  readonly #changes: Readonly<Record<'create' | 'delete' | 'partialUpdate', EndpointInterface>>;
  readonly #root: Pick<Root, 'render'>;
  #slots: readonly Slot[] = [];
  #made = 0;
  /** Why pages have to be fetched again before they are right. */
  readonly #behind = new Set<string>();
  #causes = 0;
  #events = 0;

  constructor(setting: InfiniteSetting, seed: number, root: Pick<Root, 'render'>) {
    this.#setting = setting;
    this.#root = root;
    this.#random = new Random(seed);
    const { isNewestFirst, isOrdered, isOptimistic, paging } = setting;
    const beside = paging === 'last' ? 'nothing' : paging === 'cursors' ? 'cursors' : 'cursor';
    this.#server = new FollowedServer({ ...setting, beside }, this.#random, this.#clock);
    const page = ['limit', 'page', 'offset', 'cursor', 'before'];
    this.#list = new Collection(
      [Deal],
      isOrdered ? { page, orderBy: compareDeals } : { page, create: isNewestFirst ? 'first' : 'last' },
    );
    const search: DealSearch | undefined = {};
    const body: Partial<KeptDeal> = {};
    const deals = resource({
      path: '/deals/:id',
      schema: Deal,
      searchParams: search,
      body,
      optimistic: isOptimistic,
      platform: { ...realPlatform, fetch: this.#server.fetch },
    });
    this.#changes = deals;
    const schema = {
      nothing: this.#list,
      cursor: { items: this.#list, next: '' },
      cursors: { items: this.#list, next: '', previous: '' },
    }[beside];
    this.#getList = deals.extend({ getList: { schema: schema as never } }).getList;
    const now = (): number => 1_000_000 + this.#clock.now;
    this.#controller = new Controller({ store: new Store({ now }), now });
    for (let at = 0; at < 20; at++) this.#server.create({ stage: STAGES[at % 3 === 2 ? 1 : 0] });
  }

  /** Runs a history of random steps. Returns the fault after it, if there is one. */
  async run(steps: number): Promise<string | undefined> {
    const wrong = await this.#run(steps);
    this.#root.render(null);
    await this.#rest();
    this.#controller.dispose();
    return wrong && [wrong, ...this.#server.log].join('\n');
  }

  async #run(steps: number): Promise<string | undefined> {
    await this.#rest();
    if (this.#setting.hasStream)
      this.#server.tell = (message) => storeMessage(this.#controller, [Deal, this.#list.push], message);
    this.#mount();
    await this.#rest();
    for (let round = 0; round < 3; round++) {
      for (let at = 0; at < steps; at++) this.#clock.in(this.#random.next() * 300 * steps, 'step', () => this.#step());
      await this.#rest();
      if (this.#server.failed > 0) this.#behind.add('a page could not be loaded');
      this.#server.failed = 0;
      let wrong = this.#behind.size === 0 ? this.#wrong('after its causes') : undefined;
      this.#server.isFailing = false;
      // Everything is fetched again, as when the user comes back.
      this.#server.log.push(`--- expire all, because of ${[...this.#behind].join()}`);
      this.#behind.clear();
      void this.#controller.expireAll(this.#getList);
      this.#causes += this.#pages;
      await this.#rest();
      wrong ??= this.#wrong('after it was fetched again');
      if (wrong !== undefined) return wrong;
      this.#server.isFailing = this.#setting.isFailing;
    }
    return undefined;
  }

  async #rest(): Promise<void> {
    const settle = async (): Promise<void> => {
      // React renders in several turns.
      // oxlint-disable-next-line no-await-in-loop -- one turn after another
      for (let at = 0; at < 8; at++) await settled();
    };
    await settle();
    for (let next = this.#clock.next(); next !== undefined; next = this.#clock.next()) {
      if (this.#events++ > 5000) throw new Error(`no rest\n${this.#server.log.slice(-60).join('\n')}`);
      next.run?.();
      // oxlint-disable-next-line no-await-in-loop -- one event after another
      await settle();
    }
  }

  get #pages(): number {
    return this.#slots.reduce((sum, { shown }) => sum + (shown?.pages.length ?? 1), 0);
  }

  #note(text: string): void {
    this.#server.log.push(`${Math.round(this.#clock.now)} * ${text}`);
  }

  #step(): void {
    const { isOrdered } = this.#setting;
    const step = this.#random.weighted({
      more: 5,
      earlier: this.#setting.paging === 'cursors' ? 3 : 0,
      mount: 1,
      unmount: 1,
      again: 1,
      poll: 1,
      refetch: 1,
      create: 1,
      move: 1,
      rank: isOrdered ? 1 : 0,
      title: 1,
      remove: 1,
      ownCreate: 1,
      ownEdit: 1,
      ownMove: 1,
      ownRank: isOrdered ? 1 : 0,
      ownRemove: 1,
    });
    const { id, rank } = this.#random.pick(this.#server.deals);
    const stage = this.#random.pick(STAGES);
    const slot = this.#slots.length === 0 ? undefined : this.#random.pick(this.#slots);
    const newRank = rank + 4.5 - 9 * this.#random.next();
    this.#note(`${step} ${step === 'more' || step === 'earlier' ? slot?.name : ''}`);
    this.#causes++;
    if (step === 'more') void slot?.shown?.fetchNext();
    else if (step === 'earlier') void slot?.shown?.fetchPrevious();
    else if (step === 'mount') this.#mount();
    else if (step === 'unmount') this.#unmount();
    else if (step === 'again') {
      this.#causes += this.#pages;
      void this.#controller.expireAll(this.#getList);
    } else if (step === 'poll') this.#poll();
    else if (step === 'refetch') void slot?.shown?.refetch(this.#random.below(3)).catch(() => {});
    else if (step.startsWith('own')) this.#mutate(step, id, stage, newRank);
    else this.#changeElsewhere(step, id, stage, newRank);
  }

  #poll(): void {
    this.#causes += this.#pages;
    for (const { endpoint, args } of this.#controller.shown()) this.#fetch(endpoint, ...args);
  }

  #changeElsewhere(step: string, id: number, stage: string, rank: number): void {
    const { hasStream, isNewestFirst, paging } = this.#setting;
    const isNumbered = paging === 'page' || paging === 'offset';
    if (!hasStream) this.#behind.add('no stream');
    if (step === 'create') this.#server.create({ stage });
    else if (step === 'remove') this.#server.remove(id);
    else if (step === 'title') this.#server.edit(id, { note: this.#random.next() } as never);
    else if (step === 'move') this.#server.edit(id, { stage });
    else this.#server.edit(id, { rank });
    if (step !== 'title' && isNumbered) this.#behind.add('a message, and pages with numbers');
    if (step === 'remove' && paging === 'last') this.#behind.add('a message makes a page shorter');
    if (step === 'create' && !isNewestFirst) this.#behind.add('a message adds a record to the last page');
    const isFromMiddle = this.#slots.some(({ from }) => from !== undefined);
    if (step === 'create' && isNewestFirst && isFromMiddle)
      this.#behind.add('a message adds a record before a page that names no other');
    if (step === 'rank' || step === 'move') this.#behind.add('a message moves a record to another page');
  }

  #mutate(step: string, id: number, stage: string, rank: number): void {
    const { create, delete: remove, partialUpdate } = this.#changes;
    this.#causes += this.#pages;
    const guessed = this.#setting.isNewestFirst ? -1e6 : 1e6;
    if (step === 'ownCreate') this.#fetch(create, { stage, rank: guessed });
    else if (step === 'ownRemove') this.#fetch(remove, { id });
    else if (step === 'ownMove') this.#fetch(partialUpdate, { id }, { stage });
    else if (step === 'ownRank') this.#fetch(partialUpdate, { id }, { rank });
    else this.#fetch(partialUpdate, { id }, { note: this.#random.next() });
  }

  #fetch(endpoint: EndpointInterface, ...args: readonly unknown[]): void {
    this.#controller.fetch(endpoint, ...args).catch(() => {});
  }

  #mount(): void {
    if (this.#slots.length > 2) return;
    const { isFailing, paging } = this.#setting;
    const middle = this.#server.deals[8];
    const slot = {
      name: ++this.#made,
      stage: this.#random.pick([undefined, 'lead']),
      maxPages: this.#random.pick([undefined, undefined, 1, 2]),
      from: paging === 'cursors' && !isFailing && middle && this.#random.chance(0.5) ? cursorOf(middle) : undefined,
    };
    this.#note(`mounts ${JSON.stringify(slot)}`);
    this.#slots = [...this.#slots, slot];
    this.#render();
  }

  #unmount(): void {
    const slot = this.#slots.length > 1 ? this.#random.pick(this.#slots) : undefined;
    this.#slots = this.#slots.filter((one) => one !== slot);
    this.#render();
  }

  #render(): void {
    this.#root.render(
      <DataProvider controller={this.#controller}>
        {this.#slots.map((slot) => (
          <Suspense key={slot.name} fallback="loading">
            <List slot={slot} paging={this.#setting.paging} endpoint={this.#getList} />
          </Suspense>
        ))}
      </DataProvider>,
    );
  }

  #wrong(when: string): string | undefined {
    for (const slot of this.#slots) {
      const wrong = this.#wrongIn(slot);
      if (wrong !== undefined) return `slot ${slot.name} ${when}: ${wrong}`;
    }
    const most = this.#causes * 3 + 20;
    return this.#server.reads > most ? `${this.#server.reads} reads, and not at most ${most}` : undefined;
  }

  #wrongIn({ maxPages, from, shown, stage }: Slot): string | undefined {
    if (shown === undefined) return 'shows nothing';
    const all = this.#server.list({ stage }).map(textOf);
    const items = shown.items.map(textOf);
    const isPart = from !== undefined || maxPages !== undefined;
    // All records of the only page were deleted.
    if (isPart && items.length === 0) return undefined;
    const start = isPart && items[0] !== undefined ? Math.max(0, all.indexOf(items[0])) : 0;
    const due = all.slice(start, start + items.length);
    if (JSON.stringify(items) !== JSON.stringify(due))
      return `items\n${JSON.stringify(items)}, due\n${JSON.stringify(due)} of\n${JSON.stringify(all)}`;
    const hasNext = start + items.length < all.length;
    // A full page without a cursor may be followed by another page.
    const isNextRight = shown.hasNext === hasNext || (this.#setting.paging === 'last' && shown.hasNext);
    if (!isNextRight) return `hasNext ${shown.hasNext} after ${start + items.length} of ${all.length}`;
    if (this.#setting.paging === 'cursors' && shown.hasPrevious !== start > 0)
      return `hasPrevious ${shown.hasPrevious} of those from ${start}`;
    return shown.isFetchingNext || shown.isFetchingPrevious ? 'is fetching' : undefined;
  }
}
