import type { Random } from '../oracle/random.ts';
import type { Clock } from '../reliability/network/clock.ts';

/** A record of the server. */
export interface KeptDeal {
  readonly id: number;
  readonly stage: string;
  readonly rank: number;
}

export interface DealSearch {
  readonly stage?: string | undefined;
  readonly limit?: number | undefined;
  readonly cursor?: string | undefined;
}

/** What a server says of a change. */
export interface DealMessage {
  readonly change: 'create' | 'edit' | 'delete';
  readonly deal: KeptDeal;
}

export interface DealServing {
  readonly isNewestFirst: boolean;
  /** What comes beside a list. */
  readonly beside: 'nothing' | 'cursor';
  /** Whether some mutations are refused, and the answers of others are lost. */
  readonly isFlaky: boolean;
}

/** Compares two records in the order of every list. */
export function compareDeals(one: Pick<KeptDeal, 'rank' | 'id'>, other: Pick<KeptDeal, 'rank' | 'id'>): number {
  return one.rank - other.rank || one.id - other.id;
}

export function cursorOf({ id, rank }: Pick<KeptDeal, 'rank' | 'id'>): string {
  return `${rank}_${id}`;
}

/** A naive server with one table, which answers after a random time, and tells each change after another one. Messages come in the order of the changes. */
export class FollowedServer {
  readonly log: string[] = [];
  /** Called with each message. */
  tell: (message: DealMessage) => void = () => {};
  deals: readonly KeptDeal[] = [];
  readonly #serving: DealServing;
  readonly #random: Random;
  readonly #clock: Clock;
  #made = 0;
  #lastDelivery = 0;

  constructor(serving: DealServing, random: Random, clock: Clock) {
    this.#serving = serving;
    this.#random = random;
    this.#clock = clock;
  }

  readonly fetch = (url: string, { method = 'GET', body }: RequestInit): Promise<Response> => {
    const [there, back, luck] = [this.#random.next() * 400, this.#random.next() * 400, this.#random.next()];
    const isFlaky = this.#serving.isFlaky && method !== 'GET';
    const sent = typeof body === 'string' ? (JSON.parse(body) as Partial<KeptDeal>) : {};
    const name = `${method} ${url} ${JSON.stringify(sent)}`;
    this.#note(`sent ${name}`);
    return new Promise((resolve, reject) => {
      this.#clock.in(there, 'arrival', () => {
        const response =
          isFlaky && luck < 0.15 ? new Response(null, { status: 422 }) : this.#answer(method, url, sent, name);
        this.#clock.in(back, 'answer', () => {
          this.#note(`arrived ${name}`);
          if (isFlaky && luck > 0.85) reject(new TypeError('Failed to fetch'));
          else resolve(response);
        });
      });
    });
  };

  create({ stage = '' }: Partial<KeptDeal>): KeptDeal {
    const id = ++this.#made;
    const deal = { id, stage, rank: this.#serving.isNewestFirst ? -id : id };
    this.deals = [...this.deals, deal].toSorted(compareDeals);
    return this.#say('create', deal);
  }

  edit(id: number, changes: Partial<KeptDeal>): KeptDeal | undefined {
    const known = this.deals.find((deal) => deal.id === id);
    if (known === undefined) return undefined;
    const deal = { ...known, ...changes };
    this.deals = this.deals.map((one) => (one === known ? deal : one)).toSorted(compareDeals);
    return this.#say('edit', deal);
  }

  remove(id: number): KeptDeal | undefined {
    const known = this.deals.find((deal) => deal.id === id);
    this.deals = this.deals.filter((deal) => deal !== known);
    return known && this.#say('delete', known);
  }

  /** The whole list of a search. */
  list({ stage }: DealSearch): readonly KeptDeal[] {
    return this.deals.filter((deal) => stage === undefined || deal.stage === stage);
  }

  #say(change: DealMessage['change'], deal: KeptDeal): KeptDeal {
    this.#note(`${change} ${JSON.stringify(deal)}`);
    this.#lastDelivery = Math.max(this.#lastDelivery, this.#clock.now + this.#random.next() * 300);
    this.#clock.in(this.#lastDelivery - this.#clock.now, 'message', () => {
      this.#note(`message of ${change} ${deal.id}`);
      this.tell({ change, deal });
    });
    return deal;
  }

  #answer(method: string, url: string, sent: Partial<KeptDeal>, name: string): Response {
    const { pathname, searchParams } = new URL(url, 'http://here');
    const id = Number(pathname.split('/')[2]);
    if (method === 'GET') {
      const page = this.#page(Object.fromEntries(searchParams));
      this.#note(`answers ${name}: ${JSON.stringify(page)}`);
      return Response.json(page);
    }
    if (method === 'POST') return Response.json(this.create(sent));
    const changed = method === 'DELETE' ? this.remove(id) : this.edit(id, sent);
    if (changed === undefined) return new Response(null, { status: 404 });
    return method === 'DELETE' ? new Response(null, { status: 204 }) : Response.json(changed);
  }

  #page({ cursor, limit, stage }: Readonly<Record<string, string>>): unknown {
    const [rank = 0, id = 0] = cursor?.split('_').map(Number) ?? [];
    const all = this.list({ stage });
    const behind = cursor === undefined ? all : all.filter((deal) => compareDeals(deal, { rank, id }) > 0);
    const items = limit === undefined ? behind : behind.slice(0, Number(limit));
    if (this.#serving.beside === 'nothing') return items;
    const last = items.at(-1);
    return { items, next: last !== undefined && behind.length > items.length ? cursorOf(last) : '' };
  }

  #note(what: string): void {
    this.log.push(`${Math.round(this.#clock.now)} ${what}`);
  }
}
