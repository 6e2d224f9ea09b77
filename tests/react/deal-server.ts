/** A simple server with deals, and lists of them with filters, orders and pages of every kind. */
import type { Random } from './random.ts';

export interface KeptDeal {
  readonly id: number;
  readonly title: string;
  readonly stage: string;
  readonly owner: KeptOwner;
  readonly version: number;
}

interface KeptOwner {
  readonly id: number;
  readonly name: string;
}

export type Search = Readonly<Record<string, string | number>>;
type Fields = Readonly<Record<string, unknown>>;

export interface Listing {
  readonly items: readonly KeptDeal[];
  readonly total: number;
  readonly next?: string;
}

export const STAGES: readonly string[] = ['lead', 'won', 'lost'];

/** The frequency of requests that are refused, of answers that are lost, and of reads that fail. */
export interface Troubles {
  readonly refused: number;
  readonly lost: number;
  readonly failing: number;
}

/** Waits for some turns of the event loop. Without a timer, because a timer takes at least a millisecond. */
export async function pass(turns = 1): Promise<void> {
  for (let at = 0; at < turns; at++)
    // oxlint-disable-next-line no-await-in-loop -- one turn after another
    await new Promise((resolve) => setImmediate(resolve));
}

function shortOf(answered: unknown): string {
  const { items, next, ...other } = Object(answered) as Partial<Listing>;
  if (items === undefined) return JSON.stringify(Object.values(other));
  return `[${items.map(({ id }) => id).join()}] of ${other.total}${next === undefined ? '' : `, next ${next}`}`;
}

export class DealServer {
  deals: readonly KeptDeal[] = [];
  readonly log: string[] = [];
  /** The number of requests in flight. */
  open = 0;
  /** The reads since the list was last emptied. */
  reads: string[] = [];
  troubles: Troubles = { refused: 0, lost: 0, failing: 0 };
  readonly #owners = new Map<number, string>([1, 2].map((id) => [id, `owner ${id}`]));
  readonly #random: Random;
  #last = 0;
  #version = 0;

  constructor(random: Random, count: number) {
    this.#random = random;
    for (let at = 0; at < count; at++)
      this.create({ title: `t${at % 5}`, stage: STAGES[at % 3], owner_id: (at % 2) + 1 });
  }

  readonly fetch = async (url: string, { body, method = 'GET', signal }: RequestInit = {}): Promise<Response> => {
    const { isLucky, below } = this.#random;
    this.open++;
    if (method === 'GET') this.reads.push(url);
    try {
      await pass(below(4));
      const name = `${method} ${url} ${typeof body === 'string' ? body : ''}`;
      if (isLucky(method === 'GET' ? this.troubles.failing : this.troubles.refused)) {
        this.log.push(`  ${name} refused`);
        return new Response(null, { status: method === 'GET' ? 503 : 422 });
      }
      const response = this.answer(method, url, typeof body === 'string' ? JSON.parse(body) : undefined);
      const isLost = isLucky(method === 'GET' ? this.troubles.failing / 2 : this.troubles.lost);
      const answered: unknown = response.status !== 200 ? undefined : await response.clone().json();
      this.log.push(`  ${name} ${response.status} ${shortOf(answered)}${isLost ? ' lost' : ''}`);
      await pass(below(4));
      this.log.push(`  received ${name}`);
      if (isLost) throw new TypeError('Failed to fetch');
      signal?.throwIfAborted();
      return response;
    } finally {
      this.open--;
    }
  };

  answer(method: string, url: string, body: unknown): Response {
    const { pathname, searchParams } = new URL(url, 'http://server');
    const sent = Object(body) as Fields;
    if (pathname === '/deals')
      return Response.json(method === 'POST' ? this.create(sent) : this.list(Object.fromEntries(searchParams)));
    const id = Number(pathname.split('/').at(-1));
    if (pathname.startsWith('/owners')) return Response.json(this.rename(id, String(sent['name'])));
    const deal = this.deals.find((one) => one.id === id);
    if (deal === undefined) return new Response(null, { status: 404 });
    if (method === 'GET') return Response.json(deal);
    if (method !== 'DELETE') return Response.json(this.change(deal, sent));
    this.delete(deal);
    return new Response(null, { status: 204 });
  }

  create(sent: Fields): KeptDeal {
    const deal = { id: ++this.#last, title: '', stage: 'lead', owner: this.#owner(1), ...this.#stored(sent) };
    this.deals = [...this.deals, deal];
    return deal;
  }

  change(deal: KeptDeal, sent: Fields): KeptDeal {
    const changed = { ...deal, ...this.#stored(sent) };
    this.deals = this.deals.map((one) => (one === deal ? changed : one));
    return changed;
  }

  delete(deal: KeptDeal): void {
    this.deals = this.deals.filter((one) => one !== deal);
  }

  rename(id: number, name: string): KeptOwner {
    this.#owners.set(id, name);
    const owner = this.#owner(id);
    this.deals = this.deals.map((deal) => (deal.owner.id === id ? { ...deal, owner } : deal));
    return owner;
  }

  /** The whole list, without its pages. */
  all({ owner_id: owner, q, sort, stage }: Fields): readonly KeptDeal[] {
    const found = this.deals
      .filter((deal) => stage === undefined || deal.stage === stage)
      .filter((deal) => owner === undefined || deal.owner.id === Number(owner))
      .filter((deal) => q === undefined || deal.title.includes(String(q)));
    if (sort === '-id') found.reverse();
    if (sort === 'title') found.sort((one, other) => one.title.localeCompare(other.title) || one.id - other.id);
    return found;
  }

  /** The answer to a GET of a list. */
  list(search: Fields): Listing {
    const found = this.all(search);
    const { limit, page, offset, cursor, sort } = search;
    const size = limit === undefined ? found.length : Number(limit);
    let start = page === undefined ? Number(offset ?? 0) : (Number(page) - 1) * size;
    if (cursor !== undefined) {
      const at = found.findIndex(({ id }) => (sort === '-id' ? id < Number(cursor) : id > Number(cursor)));
      start = at < 0 ? found.length : at;
    }
    const items = found.slice(start, start + size);
    return { items, total: found.length, ...(start + size < found.length && { next: String(items.at(-1)?.id) }) };
  }

  #owner(id: number): KeptOwner {
    return { id, name: this.#owners.get(id) ?? '' };
  }

  #stored({ owner_id: owner, ...sent }: Fields): Partial<KeptDeal> & { readonly version: number } {
    return { ...sent, ...(owner !== undefined && { owner: this.#owner(Number(owner)) }), version: ++this.#version };
  }
}
