/** A line of an order. `place` is its name in a map of lines. */
interface Line {
  readonly id: string;
  readonly place: string;
  sku: string;
}

interface Order {
  readonly id: string;
  name: string;
  lines: readonly Line[];
}

export interface Request {
  readonly method: string;
  readonly url: string;
  readonly body: unknown;
}

export interface Answer {
  readonly status: number;
  readonly value?: unknown;
}

/** How the server answers. */
export interface Format {
  /** Lines come as a map instead of a list. */
  readonly isMap: boolean;
  /** Lines have the id of their order. */
  readonly hasOwner: boolean;
  /** The answer to an edit of an order contains its lines. */
  readonly isWhole: boolean;
}

interface Sent {
  readonly name?: string;
  readonly sku?: string;
  readonly lines?: object;
}

const NOT_FOUND: Answer = { status: 404, value: { message: 'not found' } };

/** A naive server of orders with lines. It assigns the pks. */
export class OrdersServer {
  readonly #orders = new Map<string, Order>();
  readonly #format: Format;
  #pks = 0;

  constructor(format: Format) {
    this.#format = format;
  }

  /** Carries out a request. */
  answer({ method, url, body }: Request): Answer {
    const [, , orderId, lines, lineId] = url.split('/');
    const sent = (body ?? {}) as Sent;
    if (orderId === undefined) return method === 'POST' ? this.#create(sent) : { status: 200, value: this.list() };
    const order = this.#orders.get(orderId);
    if (order === undefined) return NOT_FOUND;
    if (lines === undefined) return method === 'DELETE' ? this.#remove(order) : this.#rename(order, sent);
    if (lineId === undefined) return this.#addLine(order, sent);
    return this.#changeLine(order, lineId, method, sent);
  }

  list(): readonly object[] {
    return [...this.#orders.values()].map((order) => this.#sentOrder(order));
  }

  /** The names of the orders, each with the names of its lines. */
  get texts(): readonly string[] {
    return [...this.#orders.values()].map(({ name, lines }) => textOf(name, lines));
  }

  add(name: string, lines: object): Order {
    const made = Object.values(lines as Readonly<Record<string, Sent>>).map((line) => this.#made(line));
    const order = { id: `o${++this.#pks}`, name, lines: made };
    this.#orders.set(order.id, order);
    return order;
  }

  #made({ sku = '' }: Sent): Line {
    return { id: `l${++this.#pks}`, place: sku, sku };
  }

  #create({ name = '', lines = [] }: Sent): Answer {
    return { status: 201, value: this.#sentOrder(this.add(name, lines)) };
  }

  #remove({ id }: Order): Answer {
    this.#orders.delete(id);
    return { status: 204 };
  }

  #rename(order: Order, { name = order.name }: Sent): Answer {
    order.name = name;
    return { status: 200, value: this.#format.isWhole ? this.#sentOrder(order) : { id: order.id, name } };
  }

  #addLine(order: Order, sent: Sent): Answer {
    const line = this.#made(sent);
    order.lines = [...order.lines, line];
    return { status: 201, value: this.#sentLine(line, order) };
  }

  #changeLine(order: Order, id: string, method: string, { sku = '' }: Sent): Answer {
    const line = order.lines.find((one) => one.id === id);
    if (line === undefined) return NOT_FOUND;
    if (method === 'DELETE') {
      order.lines = order.lines.filter((one) => one !== line);
      return { status: 204 };
    }
    line.sku = sku;
    return { status: 200, value: this.#sentLine(line, order) };
  }

  #sentOrder(order: Order): object {
    const entries = order.lines.map((line) => [line.place, this.#sentLine(line, order)] as const);
    const lines = this.#format.isMap ? Object.fromEntries(entries) : entries.map(([, line]) => line);
    return { id: order.id, name: order.name, lines };
  }

  #sentLine({ id, sku }: Line, order: Order): object {
    return { id, sku, ...(this.#format.hasOwner && { orderId: order.id }) };
  }
}

/** Returns the name of an order with the names of its lines, in any order. */
export function textOf(name: string, lines: readonly { readonly sku: string }[]): string {
  const skus = lines.map(({ sku }) => sku).toSorted();
  return `${name}: ${skus.join(' ')}`;
}
