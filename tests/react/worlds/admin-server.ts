/** The server of a table: pages with totals, filters, orders, and changes of many rows at once. */
import type { Random } from '../random.ts';
import type { Call, Fields, Network, Reply } from './network.ts';

/** The order of rows. */
export function compare(one: Fields, other: Fields, sort = 'id'): number {
  const field = sort.replace('-', '');
  const sign = sort.startsWith('-') ? -1 : 1;
  const [a, b] = [one[field], other[field]];
  const order = typeof a === 'string' && typeof b === 'string' ? a.localeCompare(b) : Number(a) - Number(b);
  return sign * order || Number(one['id']) - Number(other['id']);
}

interface Kept extends Fields {
  readonly id: number;
  readonly name: string;
  readonly role: string;
  readonly active: boolean;
}

export class AdminServer {
  readonly #network: Network;
  #rows: readonly Kept[] = [];
  #last = 0;

  constructor(network: Network) {
    this.#network = network;
    for (let at = 0; at < 9; at++) this.#create({});
  }

  other(choice: Random): string {
    const row = choice.pick(this.#rows);
    switch (choice.pick(['create', 'rename', 'role', 'delete'])) {
      case 'create':
        return `creates ${this.#create({}).id}`;
      case 'rename':
        this.#change(row.id, { name: `t${this.#network.next() % 7}x${this.#network.next()}` });
        return `renames ${row.id}`;
      case 'role':
        this.#change(row.id, { role: row.role === 'a' ? 'b' : 'a' });
        return `changes the role of ${row.id}`;
      default:
        this.#rows = this.#rows.filter((one) => one !== row);
        return `deletes ${row.id}`;
    }
  }

  answer({ body, method, path: [, id = ''], search }: Call): Reply {
    if (id === 'bulk') {
      const ids = body['ids'] as readonly number[];
      const known = ids.filter((one) => this.#rows.some((row) => row.id === one));
      return { body: { rows: known.map((one) => this.#change(one, body['changes'] as Fields)) } };
    }
    if (id === '' && method === 'POST') return { status: 201, body: this.#create(body) };
    if (id === '') return { body: this.#list(search) };
    const row = this.#rows.find((one) => one.id === Number(id));
    if (row === undefined) return { status: 404 };
    if (method === 'GET') return { body: row };
    if (method === 'PATCH') return { body: this.#change(row.id, body) };
    this.#rows = this.#rows.filter((one) => one !== row);
    return { status: 204 };
  }

  #list({ active, page, per_page: size, q, role, sort }: Call['search']): Fields {
    const found = this.#rows
      .filter((row) => role === undefined || row.role === role)
      .filter((row) => active === undefined || String(row.active) === active)
      .filter((row) => q === undefined || row.name.includes(q))
      .sort((one, other) => compare(one, other, sort));
    const start = (Number(page) - 1) * Number(size);
    return { rows: found.slice(start, start + Number(size)), total: found.length };
  }

  #create(fields: Fields): Kept {
    const at = ++this.#last;
    const row = {
      name: `t${at % 5}`,
      role: at % 2 ? 'a' : 'b',
      active: at % 3 > 0,
      score: at % 4,
      ...fields,
      id: at,
    } as Kept;
    this.#rows = [...this.#rows, row];
    return row;
  }

  #change(id: number, changes: Fields): Kept {
    this.#rows = this.#rows.map((one) => (one.id === id ? { ...one, ...changes } : one));
    return this.#rows.find((one) => one.id === id) as Kept;
  }
}
