import { type Random } from '../oracle/random.ts';
import { turn } from './harness.tsx';

/** How a page names the next one: by a number, by the cursor in its answer, or by its last item. `both`: its answer also has a cursor of the page before it. */
export type Paging = 'page' | 'offset' | 'cursor' | 'after' | 'both';

export interface KeptDeal {
  readonly id: number;
  readonly title: string;
  readonly stage: string;
}

export interface Listing {
  readonly paging: Paging;
  readonly isNewestFirst: boolean;
}

export const PAGE_SIZE = 4;

/** A naive server with one list in pages, which answers after a random time. */
export class PagedServer {
  deals: readonly KeptDeal[] = [];
  readonly log: string[] = [];
  /** The number of requests in flight. */
  open = 0;
  #last = 0;
  readonly #listing: Listing;
  readonly #random: Random;

  constructor(listing: Listing, random: Random) {
    this.#listing = listing;
    this.#random = random;
    for (let at = 0; at < 22; at++) this.#create({ title: `deal ${at}`, stage: at % 3 === 0 ? 'won' : 'lead' });
  }

  readonly fetch = async (url: string, { method = 'GET', body }: RequestInit = {}): Promise<Response> => {
    this.open++;
    await this.#pass();
    const said = this.#answer(method, url, typeof body === 'string' ? JSON.parse(body) : undefined);
    this.log.push(`${method} ${url} ${typeof body === 'string' ? body : ''} ${JSON.stringify(said)}`);
    await this.#pass();
    this.open--;
    return said === undefined ? new Response(null, { status: 204 }) : Response.json(said);
  };

  /** The whole list. */
  list(stage: string | undefined): readonly KeptDeal[] {
    const found = this.deals.filter((deal) => stage === undefined || deal.stage === stage);
    return this.#listing.isNewestFirst ? found.toReversed() : found;
  }

  /** Another client changes a record. */
  change(id: number, changes: Partial<KeptDeal>): void {
    this.deals = this.deals.map((one) => (one.id === id ? { ...one, ...changes } : one));
  }

  async #pass(): Promise<void> {
    // oxlint-disable-next-line no-await-in-loop -- one turn after another
    for (let turns = this.#random.below(3); turns > 0; turns--) await turn();
  }

  #answer(method: string, url: string, body: unknown): unknown {
    const { pathname, searchParams } = new URL(url, 'http://here');
    const sent = Object(body) as object;
    if (method === 'POST') return this.#create(sent);
    if (method === 'GET') return this.#page(searchParams);
    const deal = this.deals.find(({ id }) => id === Number(pathname.split('/')[2]));
    if (deal === undefined || method === 'DELETE') {
      this.deals = this.deals.filter((one) => one !== deal);
      return undefined;
    }
    this.change(deal.id, sent);
    return { ...deal, ...sent };
  }

  #create(sent: object): KeptDeal {
    const deal = { id: ++this.#last, title: '', stage: 'lead', ...sent };
    this.deals = [...this.deals, deal];
    return deal;
  }

  #page(search: URLSearchParams): unknown {
    const found = this.list(search.get('stage') ?? undefined);
    const { paging } = this.#listing;
    const before = search.get('before');
    const end = before === null ? undefined : this.#after(Number(before), found, true);
    const start = end === undefined ? this.#startOf(search, found) : Math.max(0, end - PAGE_SIZE);
    const items = found.slice(start, end ?? start + PAGE_SIZE);
    if (paging === 'after') return items;
    const isMore = start + items.length < found.length;
    return {
      items,
      ...(isMore && { next: String(items.at(-1)?.id ?? before) }),
      ...(paging === 'both' && start > 0 && { previous: String(items[0]?.id ?? search.get('cursor')) }),
    };
  }

  #startOf(search: URLSearchParams, found: readonly KeptDeal[]): number {
    const { paging } = this.#listing;
    const value = search.get(paging === 'both' ? 'cursor' : paging);
    if (value === null) return 0;
    if (paging === 'page') return (Number(value) - 1) * PAGE_SIZE;
    return paging === 'offset' ? Number(value) : this.#after(Number(value), found);
  }

  /** The index of the first item after the place of an id, which may have been deleted, or of the item with this id. */
  #after(id: number, found: readonly KeptDeal[], isIncluded = false): number {
    const distance = (deal: KeptDeal): number => (this.#listing.isNewestFirst ? id - deal.id : deal.id - id);
    const at = found.findIndex((deal) => distance(deal) > 0 || (isIncluded && deal.id === id));
    return at < 0 ? found.length : at;
  }
}
