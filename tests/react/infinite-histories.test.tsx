import { type ReactNode, Suspense } from 'react';
import { afterEach, expect, test, vi } from 'vitest';
import { Collection, Controller, Entity, platform as realPlatform, resource } from 'rejoin';
import { DataProvider, type Infinite, useInfinite } from 'rejoin/react';
import { Random } from '../oracle/random.ts';
import { Catch, rest, show, turn } from './harness.tsx';
import { type KeptDeal, type Listing, PAGE_SIZE, PagedServer, type Paging } from './infinite-server.ts';

const log = vi.spyOn(console, 'warn').mockImplementation(() => undefined);
afterEach(() => void log.mockClear());

const seed = Number(process.env['SEED'] ?? 1);
const runs = Number(process.env['RUNS'] ?? 3);

class Deal extends Entity {
  id = 0;
  title = '';
  stage = '';
  static override key = 'Deal';
}

interface Setting extends Listing {
  readonly stage: string | undefined;
  readonly isOrdered: boolean;
  readonly isOptimistic: boolean;
  readonly maxPages: number | undefined;
}

type Search = Readonly<Record<string, string | number>>;
type Page = readonly Deal[] | { readonly items: readonly Deal[]; readonly next?: string; readonly previous?: string };

/** A server, and a screen with the first pages of its list. */
class Feed {
  readonly #setting: Setting;
  readonly #random: Random;
  readonly #server: PagedServer;
  readonly #controller = new Controller();
  readonly #deals;
  #shown: Infinite<Page> | undefined;
  #isChangedElsewhere = false;

  constructor(setting: Setting, random: Random) {
    this.#setting = setting;
    this.#random = random;
    this.#server = new PagedServer(setting, random);
    const list = new Collection([Deal], {
      ...(setting.isNewestFirst && { create: 'first' }),
      ...(setting.isOrdered && {
        orderBy: (one: Deal, other: Deal) => (setting.isNewestFirst ? other.id - one.id : one.id - other.id),
      }),
    });
    const search: Search | undefined = {};
    const sent: Partial<KeptDeal> = {};
    this.#deals = resource({
      path: '/deals/:id',
      schema: Deal,
      searchParams: search,
      body: sent,
      optimistic: setting.isOptimistic,
      platform: { ...realPlatform, fetch: this.#server.fetch },
    }).extend({ getList: { schema: setting.paging === 'after' ? list : { items: list, next: '', previous: '' } } });
  }

  /** Returns the fault after one of the steps, if there is one. */
  async run(): Promise<string | undefined> {
    const { unmount } = show(
      <DataProvider controller={this.#controller}>
        <Catch>
          <Suspense fallback="loading">{this.#list()}</Suspense>
        </Catch>
      </DataProvider>,
      { isStrict: false },
    );
    await this.#rest();
    for (let step = 0; step < 10; step++) {
      const count = this.#random.pick([1, 1, 3]);
      for (let at = 0; at < count; at++) this.#act(`${step}.${at}`);
      // oxlint-disable-next-line no-await-in-loop -- one step after another
      await this.#rest();
      if (this.#isChangedElsewhere) {
        this.#isChangedElsewhere = false;
        // Pages that were removed from the list may be added again.
        if (this.#setting.maxPages !== undefined) void this.#controller.expireAll(this.#deals.getList);
        // A RefetchManager does the same.
        for (const { endpoint, args } of this.#controller.shown()) void this.#controller.fetch(endpoint, ...args);
        // oxlint-disable-next-line no-await-in-loop -- as above
        await this.#rest();
      }
      const wrong = this.#wrong();
      if (wrong !== undefined) return wrong;
    }
    unmount();
    return undefined;
  }

  #list(): ReactNode {
    const { maxPages, paging, stage } = this.#setting;
    const first: Search = {
      limit: PAGE_SIZE,
      ...(stage !== undefined && { stage }),
      ...(paging === 'page' && { page: 1 }),
      ...(paging === 'offset' && { offset: 0 }),
      ...(paging === 'both' && { cursor: '11' }),
    };
    const shown = (value: Infinite<Page>): void => void (this.#shown = value);
    const { getList } = this.#deals;
    function List(): ReactNode {
      const infinite = useInfinite(getList as never, first as never, {
        next: nextOf(paging) as never,
        previous: previousOf as never,
        maxPages,
      });
      shown(infinite as never);
      return infinite.items.length;
    }
    return <List />;
  }

  /** Lets time pass until no request has been in flight for a while. */
  async #rest(): Promise<void> {
    for (let idle = 0; idle < 12; idle++) {
      // oxlint-disable-next-line no-await-in-loop -- one turn after another
      await turn();
      if (this.#server.open > 0) idle = 0;
    }
    await rest(2);
  }

  #act(step: string): void {
    const { create, delete: remove, partialUpdate } = this.#deals;
    const { id } = this.#random.pick(this.#server.deals);
    const stage = this.#random.pick(['lead', 'won']);
    const [name, act] = this.#random.pick<readonly [string, () => Promise<unknown> | undefined]>([
      ['more', () => this.#shown?.fetchNext()],
      this.#setting.paging === 'both'
        ? ['earlier', () => this.#shown?.fetchPrevious()]
        : ['more', () => this.#shown?.fetchNext()],
      ['create', () => this.#controller.fetch(create, { title: step, stage })],
      ['delete', () => this.#controller.fetch(remove, { id })],
      ['stage', () => this.#controller.fetch(partialUpdate, { id }, { stage })],
      ['elsewhere', () => this.#changeElsewhere(id, stage)],
      ['title', () => this.#controller.fetch(partialUpdate, { id }, { title: step })],
    ]);
    this.#server.log.push(`${step} ${name}`);
    act()?.catch(() => {});
  }

  #changeElsewhere(id: number, stage: string): undefined {
    this.#isChangedElsewhere = true;
    this.#server.change(id, { stage });
  }

  #wrong(): string | undefined {
    const all = this.#server.list(this.#setting.stage).map(textOf);
    const items = this.#shown?.items ?? [];
    // A list that began in the middle, or has lost its first page, is a part of the whole list.
    const isPart = this.#shown?.hasPrevious === true || this.#setting.maxPages !== undefined;
    const start = isPart && items[0] ? Math.max(0, all.indexOf(textOf(items[0]))) : 0;
    const due = { items: all.slice(start, start + items.length), hasNext: start + items.length < all.length };
    const found = { items: items.map(textOf), hasNext: this.#hasNext(due.hasNext) };
    if (JSON.stringify(found) === JSON.stringify(due)) return undefined;
    return `${JSON.stringify(found)}, due\n${JSON.stringify(due)}\n${this.#server.log.join('\n')}`;
  }

  /** A full last page without a cursor may be followed by another page. */
  #hasNext(isDue: boolean): boolean {
    const hasNext = this.#shown?.hasNext ?? false;
    return ['cursor', 'both'].includes(this.#setting.paging) ? hasNext : hasNext && isDue;
  }
}

function nextOf(paging: Paging) {
  return (page: Page, arg: Search): Search | undefined => {
    const { before: _before, ...others } = arg;
    if (!('items' in page)) return page.length < PAGE_SIZE ? undefined : { ...arg, after: Number(page.at(-1)?.id) };
    if (page.next === undefined || page.next === '') return undefined;
    if (paging === 'cursor' || paging === 'both') return { ...others, cursor: page.next };
    if (paging === 'page') return { ...arg, page: Number(arg['page']) + 1 };
    return { ...arg, offset: Number(arg['offset']) + PAGE_SIZE };
  };
}

function previousOf(page: Page, { cursor: _cursor, ...arg }: Search): Search | undefined {
  return 'items' in page && page.previous ? { ...arg, before: page.previous } : undefined;
}

function textOf({ id, stage, title }: KeptDeal | Deal): string {
  return `${id} ${title} ${stage}`;
}

const kinds = (['page', 'offset', 'cursor', 'after', 'both'] as const).flatMap((paging) =>
  [false, true].map((isNewestFirst) => ({ paging, isNewestFirst })),
);

test.each(kinds)(
  'after everything has settled, an infinite list is the beginning of the whole list: $paging, newest first $isNewestFirst',
  { timeout: 600_000 },
  async (kind) => {
    for (let at = seed; at < seed + runs; at++) {
      const random = new Random(at);
      const setting = {
        ...kind,
        stage: random.pick([undefined, 'lead']),
        isOrdered: random.chance(0.5),
        isOptimistic: random.chance(0.5),
        maxPages: [undefined, 2, 3][at % 3],
      };
      // oxlint-disable-next-line no-await-in-loop -- one history after another
      expect(await new Feed(setting, random).run(), `SEED=${at} RUNS=1 ${JSON.stringify(setting)}`).toBeUndefined();
    }
  },
);
