import { actionTypes, type Controller, type Entity, Invalidate } from '../../src/index.ts';
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
  readonly before?: string | undefined;
  readonly page?: number | undefined;
  readonly offset?: number | undefined;
}

/** What a server says of a change. */
export interface DealMessage {
  readonly change: 'create' | 'edit' | 'delete';
  readonly deal: KeptDeal;
}

export interface DealServing {
  readonly isNewestFirst: boolean;
  /** What comes beside a list. */
  readonly beside: 'nothing' | 'cursor' | 'cursors';
  /** Whether some mutations are refused, and the answers of others are lost. */
  readonly isFlaky: boolean;
  /** The longest time between a change and its message. Default: 300 ms. */
  readonly delay?: number;
}

/** Compares two records in the order of every list. */
export function compareDeals(one: Pick<KeptDeal, 'rank' | 'id'>, other: Pick<KeptDeal, 'rank' | 'id'>): number {
  return one.rank - other.rank || one.id - other.id;
}

export function cursorOf({ id, rank }: Pick<KeptDeal, 'rank' | 'id'>): string {
  return `${rank}_${id}`;
}

/** Stores a message as a `StreamManager` does. `push`: adds a created record to its lists. */
export function storeMessage(
  controller: Controller,
  [entity, push]: readonly [entity: typeof Entity, push: unknown],
  { change, deal }: DealMessage,
): void {
  const schema = { create: push, edit: entity, delete: new Invalidate(entity) }[change] as typeof Entity;
  const ticket = controller.store.begin();
  void controller.dispatch({ type: actionTypes.SET, schema, args: [], value: deal, ticket });
}

/** A naive server with one table, which answers after a random time, and tells each change after another one. Messages come in the order of the changes. */
export class FollowedServer {
  readonly log: string[] = [];
  /** Called with each message. */
  tell: (message: DealMessage) => void = () => {};
  deals: readonly KeptDeal[] = [];
  /** Whether reads of further pages fail at times. */
  isFailing = false;
  /** How many have failed. */
  failed = 0;
  /** How many lists and pages were requested. */
  reads = 0;
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
    const isFailing = this.isFailing && url.includes('cursor=') && luck < 0.3;
    if (method === 'GET') this.reads++;
    if (isFailing) this.failed++;
    const sent = typeof body === 'string' ? (JSON.parse(body) as Partial<KeptDeal>) : {};
    const name = `${method} ${url} ${JSON.stringify(sent)}`;
    this.#note(`sent ${name}`);
    return new Promise((resolve, reject) => {
      this.#clock.in(there, 'arrival', () => {
        const response = isFailing
          ? new Response(null, { status: 503 })
          : isFlaky && luck < 0.15
            ? new Response(null, { status: 422 })
            : this.#answer(method, url, sent, name);
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
    this.#lastDelivery = Math.max(
      this.#lastDelivery,
      this.#clock.now + this.#random.next() * (this.#serving.delay ?? 300),
    );
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

  #page({ limit, stage, ...place }: Readonly<Record<string, string>>): unknown {
    const all = this.list({ stage });
    const size = limit === undefined ? all.length : Number(limit);
    const [start, end] = rangeOf(all, size, place);
    const items = all.slice(start, end);
    if (this.#serving.beside === 'nothing') return items;
    const [first, last] = [items[0], items.at(-1)];
    const next = last !== undefined && end < all.length ? cursorOf(last) : '';
    if (this.#serving.beside === 'cursor') return { items, next };
    return { items, next, previous: first !== undefined && start > 0 ? cursorOf(first) : '' };
  }

  #note(what: string): void {
    this.log.push(`${Math.round(this.#clock.now)} ${what}`);
  }
}

/** Returns the part of a list that a page has. */
function rangeOf(
  all: readonly KeptDeal[],
  size: number,
  { before, cursor, offset, page = '1' }: Readonly<Record<string, string>>,
): readonly [start: number, end: number] {
  const [rank = 0, id = 0] = (before ?? cursor)?.split('_').map(Number) ?? [];
  const isBefore = (order: number): boolean => (before === undefined ? order <= 0 : order < 0);
  const place = all.filter((deal) => isBefore(compareDeals(deal, { rank, id }))).length;
  if (before !== undefined) return [Math.max(0, place - size), place];
  const start = cursor === undefined ? Number(offset ?? (Number(page) - 1) * size) : place;
  return [start, start + size];
}
