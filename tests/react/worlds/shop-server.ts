/** The server of a shop: a cart, prices and stock that change, and a checkout that takes some time. */
import type { Random } from '../random.ts';
import type { Call, Fields, Network, Reply } from './network.ts';

interface KeptLine {
  readonly id: number;
  readonly product: string;
  quantity: number;
}

export class ShopServer {
  readonly #network: Network;
  readonly #prices = new Map([
    ['1', 10],
    ['2', 20],
    ['3', 30],
  ]);
  readonly #stock = new Map([
    ['1', 4],
    ['2', 3],
    ['3', 2],
  ]);
  readonly #jobs = new Map<string, string>();
  #orders: readonly Fields[] = [];
  #lines: readonly KeptLine[] = [];
  #last = 0;

  constructor(network: Network) {
    this.#network = network;
    this.#lines = [{ id: ++this.#last, product: '1', quantity: 2 }];
  }

  /** Prices and stock change. */
  other(choice: Random): string {
    const product = choice.pick(['1', '2', '3']);
    if (choice.isLucky(0.5)) {
      this.#stock.set(product, choice.below(6));
      return `stock of ${product} is ${this.#stock.get(product)}`;
    }
    this.#prices.set(product, ++this.#last * 10);
    return `price of ${product} is ${this.#prices.get(product)}`;
  }

  answer({ body, method, path }: Call): Reply {
    const [table, id = '', line, more] = path;
    if (table === 'products') return { body: [...this.#prices.keys()].map((one) => this.#product(one)) };
    if (table === 'orders') return { body: this.#orders };
    if (table === 'jobs') return { body: { id, state: this.#jobs.get(id) } };
    if (table === 'checkout') return this.#checkout();
    if (id === 'totals') return { body: this.#totals() };
    if (method === 'GET') return { body: this.#lines.map((one) => this.#read(one)) };
    if (line === undefined) return this.#add(body);
    const found = this.#lines.find((one) => one.id === Number(line));
    if (found === undefined) return { status: 404 };
    if (method === 'DELETE') {
      this.#lines = this.#lines.filter((one) => one !== found);
      return { status: 204 };
    }
    return this.#set(found, more === undefined ? Number(body['quantity']) : found.quantity + 1);
  }

  /** One product has one line. */
  #add({ product, quantity }: Fields): Reply {
    if (this.#lines.some((one) => one.product === product))
      return { status: 409, body: { message: 'It is in the cart.' } };
    const line = { id: ++this.#last, product: String(product), quantity: Number(quantity) };
    if ((this.#stock.get(line.product) ?? 0) < line.quantity)
      return { status: 422, body: { errors: { product: ['sold out'] } } };
    this.#lines = [...this.#lines, line];
    return { status: 201, body: this.#read(line) };
  }

  #set(line: KeptLine, quantity: number): Reply {
    const stock = this.#stock.get(line.product) ?? 0;
    if (quantity > stock) return { status: 422, body: { errors: { quantity: [`only ${stock} are left`] } } };
    line.quantity = quantity;
    return { body: this.#read(line) };
  }

  #checkout(): Reply {
    const id = `${++this.#last}`;
    this.#jobs.set(id, 'queued');
    this.#network.later(() => {
      this.#jobs.set(id, 'running');
      this.#network.later(() => this.#finish(id), this.#network.now() + 700);
    });
    return { status: 202, headers: { Location: `/jobs/${id}` } };
  }

  #finish(id: string): void {
    const isThere =
      this.#lines.length > 0 && this.#lines.every((one) => (this.#stock.get(one.product) ?? 0) >= one.quantity);
    this.#jobs.set(id, isThere ? 'done' : 'failed');
    if (!isThere) return;
    this.#orders = [...this.#orders, { id, paid: this.#totals().sum }];
    for (const { product, quantity } of this.#lines)
      this.#stock.set(product, (this.#stock.get(product) ?? 0) - quantity);
    this.#lines = [];
  }

  #totals(): { readonly pieces: number; readonly sum: number } {
    return this.#lines.reduce(
      ({ pieces, sum }, { product, quantity }) => ({
        pieces: pieces + quantity,
        sum: sum + quantity * (this.#prices.get(product) ?? 0),
      }),
      { pieces: 0, sum: 0 },
    );
  }

  #product(id: string): Fields {
    return { id, name: `product ${id}`, price: this.#prices.get(id) };
  }

  #read({ id, product, quantity }: KeptLine): Fields {
    return { id, quantity, product: this.#product(product) };
  }
}
