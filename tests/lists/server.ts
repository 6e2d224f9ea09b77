/** A deal in the database of the server. */
export interface Kept {
  readonly id: number;
  readonly title: string;
  readonly stage: string;
  readonly owner: Owner | null;
}

export interface Owner {
  readonly id: number;
  readonly name: string;
}

type Fields = Readonly<Record<string, unknown>>;

/** A naive server with an array, filters and pages. It stores exactly the sent fields. */
export class Server {
  deals: readonly Kept[] = [];
  #owners: readonly Owner[] = [1, 2, 3].map((id) => ({ id, name: id === 2 ? 'ann' : 'bob' }));
  #last = 0;

  constructor() {
    for (let at = 0; at < 9; at++)
      this.#create({ title: `deal ${at % 4}`, stage: at % 2 === 0 ? 'lead' : 'won', owner_id: (at % 3) + 1 });
  }

  answer(method: string, url: string, body: unknown): Response {
    const { pathname, searchParams } = new URL(url, 'http://here');
    const sent = Object(body) as Fields;
    if (pathname === '/deals')
      return Response.json(method === 'POST' ? this.#create(sent) : this.list(Object.fromEntries(searchParams)));
    const id = Number(pathname.split('/').at(-1));
    if (pathname.startsWith('/owners')) return Response.json(this.#rename(id, sent));
    const deal = this.deals.find((one) => one.id === id);
    if (deal === undefined) return new Response(null, { status: 404 });
    if (method === 'DELETE') {
      this.deals = this.deals.filter((one) => one !== deal);
      return new Response(null, { status: 204 });
    }
    const changed = { ...deal, ...this.#stored(sent) };
    this.deals = this.deals.map((one) => (one === deal ? changed : one));
    return Response.json(changed);
  }

  /** The answer to a fresh GET of a list. */
  list(search: Fields): { readonly items: readonly Kept[]; readonly total: number } {
    const {
      stage,
      owner_id: owner,
      owner_name: name,
      q,
      cursor = '0',
      page = '1',
      limit,
      sort,
    } = search as Readonly<Record<string, string | undefined>>;
    const found = this.deals
      .filter((deal) => stage === undefined || deal.stage === stage)
      .filter((deal) => owner === undefined || String(deal.owner?.id) === owner)
      .filter((deal) => name === undefined || deal.owner?.name === name)
      .filter((deal) => q === undefined || deal.title.includes(q));
    if (sort === 'owner.name')
      found.sort((one, other) => nameOf(one).localeCompare(nameOf(other)) || one.id - other.id);
    if (sort === 'title') found.sort((one, other) => one.title.localeCompare(other.title) || one.id - other.id);
    const size = limit === undefined ? found.length : Number(limit);
    const start = (Number(page) - 1) * size;
    const behind = found.filter(({ id }) => id > Number(cursor));
    return { items: behind.slice(start, start + size), total: found.length };
  }

  #create(sent: Fields): Kept {
    const deal = { id: ++this.#last, title: '', stage: 'lead', owner: null, ...this.#stored(sent) };
    this.deals = [...this.deals, deal];
    return deal;
  }

  #rename(id: number, sent: Fields): Owner {
    const owner = { id, name: String(sent['name']) };
    this.#owners = this.#owners.map((one) => (one.id === id ? owner : one));
    this.deals = this.deals.map((deal) => (deal.owner?.id === id ? { ...deal, owner } : deal));
    return owner;
  }

  #stored({ owner_id: id, ...sent }: Fields): Partial<Kept> {
    const owner = this.#owners.find((one) => one.id === Number(id));
    return { ...sent, ...(owner !== undefined && { owner }) };
  }
}

function nameOf({ owner }: Kept): string {
  return owner?.name ?? '';
}
