import { type Random } from '../oracle/random.ts';
import { turn } from './harness.tsx';

/** How a page names the next one: by a number, by the cursor in its answer, or by its last item. */
export type Paging = 'page' | 'offset' | 'cursor' | 'after';

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
    const changed = { ...deal, ...sent };
    this.deals = this.deals.map((one) => (one === deal ? changed : one));
    return changed;
  }

  #create(sent: object): KeptDeal {
    const deal = { id: ++this.#last, title: '', stage: 'lead', ...sent };
    this.deals = [...this.deals, deal];
    return deal;
  }

  #page(search: URLSearchParams): unknown {
    const found = this.list(search.get('stage') ?? undefined);
    const start = this.#startOf(search, found);
    const items = found.slice(start, start + PAGE_SIZE);
    if (this.#listing.paging === 'after') return items;
    const isMore = start + PAGE_SIZE < found.length;
    return { items, ...(isMore && { next: String(items.at(-1)?.id) }) };
  }

  #startOf(search: URLSearchParams, found: readonly KeptDeal[]): number {
    const { isNewestFirst, paging } = this.#listing;
    const value = search.get(paging);
    if (value === null) return 0;
    if (paging === 'page') return (Number(value) - 1) * PAGE_SIZE;
    if (paging === 'offset') return Number(value);
    const at = found.findIndex(({ id }) => (isNewestFirst ? id < Number(value) : id > Number(value)));
    return at < 0 ? found.length : at;
  }
}
