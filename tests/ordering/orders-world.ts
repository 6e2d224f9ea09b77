import { Collection, Controller, Entity, hasMany, resource, Values } from '../../src/index.ts';
import type { Random } from '../oracle/random.ts';
import { type Answer, OrdersServer, textOf } from './orders-server.ts';
import { runHistory } from './run-history.ts';
import { Transport } from './transport.ts';

class Line extends Entity {
  id = '';
  sku = '';
  static override key = 'OrderLine';
}
class OwnedLine extends Line {
  orderId = '';
}
class Order extends Entity {
  id = '';
  name = '';
  readonly lines: object = [];
  static override key = 'Order';
}
class OrderOfList extends Order {
  static override schema = { lines: [Line] };
}
class OrderOfCollection extends Order {
  static override schema = { lines: new Collection([Line], { nestKey: ({ id }: Order) => ({ orderId: id }) }) };
}
class OrderOfOwned extends Order {
  static override schema = { lines: new Collection([OwnedLine], { nestKey: ({ id }: Order) => ({ orderId: id }) }) };
}
class OrderOfRelation extends Order {
  static override schema = { lines: hasMany(() => OwnedLine, 'orderId') };
}
class OrderOfMap extends Order {
  static override schema = { lines: new Values(Line) };
}

/** A way to nest lines in an order. */
export interface Nesting {
  readonly order: typeof Order;
  readonly line: typeof Line;
  readonly isMap?: boolean;
  /** The list of lines shows a line that is created by a request of its own. */
  readonly isGrowing?: boolean;
  /** An edit of a line that was sent inside of an order waits for the order. */
  readonly isWaiting?: boolean;
}

export const nestings: Readonly<Record<string, Nesting>> = {
  'a list': { order: OrderOfList, line: Line, isWaiting: true },
  'a collection': { order: OrderOfCollection, line: Line, isGrowing: true, isWaiting: true },
  'a collection of lines with the id of their order': {
    order: OrderOfOwned,
    line: OwnedLine,
    isGrowing: true,
    isWaiting: true,
  },
  'a relation': { order: OrderOfRelation, line: OwnedLine, isGrowing: true },
  'a map': { order: OrderOfMap, line: Line, isMap: true, isWaiting: true },
};

interface Shown {
  readonly order: Order;
  readonly lines: readonly Line[];
}

/** A screen that shows all orders, a server, and requests that arrive and are answered when the history says so. */
export class OrdersWorld {
  readonly #random: Random;
  readonly #nesting: Nesting;
  readonly #server: OrdersServer;
  readonly #transport = new Transport();
  readonly #controller = new Controller({ now: () => this.#transport.time });
  readonly #orders;
  readonly #lines;
  readonly #isFlaky: boolean;
  readonly #isInOrder: boolean;
  /** The answers that are on their way back. */
  readonly #answers: { readonly what: string; readonly receive: () => void }[] = [];
  readonly #log: string[] = [];
  readonly #faults: string[] = [];
  /** Whether the screen shows the latest change. */
  #expected: () => boolean = () => true;
  #names = 0;

  constructor(nesting: Nesting, random: Random) {
    const hasOwner = nesting.line === OwnedLine && random.chance(0.5);
    this.#nesting = nesting;
    this.#random = random;
    this.#isFlaky = random.chance(0.5);
    this.#isInOrder = random.chance(0.5);
    this.#server = new OrdersServer({ isMap: nesting.isMap === true, hasOwner, isWhole: random.chance(0.5) });
    const options = { optimistic: true, platform: this.#transport } as const;
    this.#orders = resource({ ...options, path: '/orders/:id', schema: nesting.order, body: {} });
    this.#lines = resource({
      ...options,
      path: '/orders/:orderId/lines/:id',
      schema: nesting.line,
      body: {},
    });
  }

  /** Runs a history. Returns the faults, with the history before them. */
  async run(steps: number): Promise<readonly string[]> {
    this.#server.add('one', [{ sku: 'a' }]);
    this.#server.add('two', []);
    await this.#controller.setResponse(this.#orders.getList, this.#server.list());
    this.#controller.watch(this.#orders.getList, () => {});
    await runHistory(steps, {
      step: () => this.#step(),
      deliver: () => {
        this.#arrive();
        this.#receive();
      },
      look: () => this.#look(),
      isOver: () => this.#transport.calls.length + this.#answers.length === 0,
    });
    const isSame = String(this.#texts.toSorted()) === String(this.#server.texts.toSorted());
    if (!isSame) this.#faults.push(this.#fault('at the end, the screen differs from the server'));
    this.#controller.dispose();
    return this.#faults;
  }

  get #shown(): readonly Shown[] {
    const { data = [] } = this.#controller.getResponse(this.#orders.getList) as { readonly data?: readonly Order[] };
    return data.map((order) => ({ order, lines: Object.values(order.lines) as Line[] }));
  }

  get #texts(): readonly string[] {
    return this.#shown.map(({ order, lines }) => textOf(order.name, lines));
  }

  #step(): void {
    const kind = this.#random.weighted({
      create: 2,
      add: 2,
      edit: 2,
      removeLine: 1,
      rename: 1,
      remove: 0.3,
      read: 0.3,
      arrive: 4,
      receive: 4,
    });
    if (kind === 'create') return this.#create();
    if (kind === 'read') return this.#send('read', this.#controller.fetch(this.#orders.getList));
    if (kind === 'arrive') return this.#arrive();
    if (kind === 'receive') return this.#receive();
    const shown = this.#shown;
    if (shown.length === 0) return;
    const { order, lines } = this.#random.pick(shown);
    if (kind === 'rename') return this.#rename(order);
    if (kind === 'remove') return this.#remove(order);
    if (kind === 'add') return this.#add(order);
    if (lines.length === 0) return;
    const line = this.#random.pick(lines);
    if (kind === 'edit') this.#edit(order, line);
    else this.#removeLine(order, line);
  }

  /** Creates an order, with lines inside of the request. */
  #create(): void {
    const name = this.#name('order');
    const lines = Array.from({ length: this.#random.below(3) }, () => ({ sku: this.#name('line') }));
    const sent = this.#nesting.isMap ? Object.fromEntries(lines.map((line) => [line.sku, line])) : lines;
    this.#send(
      `create ${textOf(name, lines)}`,
      this.#controller.fetch(this.#orders.getList.push, { name, lines: sent }),
    );
    this.#expected = () => this.#texts.includes(textOf(name, lines));
  }

  #add({ id, name }: Order): void {
    if (!this.#nesting.isGrowing) return;
    const sku = this.#name('line');
    const body = this.#nesting.line === OwnedLine ? { sku, orderId: id } : { sku };
    this.#send(`add ${sku} to ${name}`, this.#controller.fetch(this.#lines.getList.push, { orderId: id }, body));
    this.#expected = () => String(this.#ordersWith(sku)) === name;
  }

  #edit({ id: orderId, name }: Order, { id, sku }: Line): void {
    const after = `${sku}!`;
    this.#send(
      `edit ${sku} of ${name}`,
      this.#controller.fetch(this.#lines.partialUpdate, { orderId, id }, { sku: after }),
    );
    if (this.#nesting.isWaiting) this.#expected = () => String(this.#ordersWith(after)) === name;
  }

  #removeLine({ id: orderId, name }: Order, { id, sku }: Line): void {
    this.#send(`remove ${sku} of ${name}`, this.#controller.fetch(this.#lines.delete, { orderId, id }));
    if (this.#nesting.isWaiting) this.#expected = () => this.#ordersWith(sku).length === 0;
  }

  #rename({ id, name }: Order): void {
    const after = `${name}!`;
    this.#send(`rename ${name}`, this.#controller.fetch(this.#orders.partialUpdate, { id }, { name: after }));
    this.#expected = () => this.#shown.some(({ order }) => order.name === after);
  }

  #remove({ id, name }: Order): void {
    this.#send(`remove ${name}`, this.#controller.fetch(this.#orders.delete, { id }));
    this.#expected = () => !this.#shown.some(({ order }) => order.name === name);
  }

  /** Returns the names of the orders that show a line. */
  #ordersWith(sku: string): readonly string[] {
    return this.#shown.filter(({ lines }) => lines.some((line) => line.sku === sku)).map(({ order }) => order.name);
  }

  #name(kind: string): string {
    return `${kind}${++this.#names}`;
  }

  #send(what: string, sent: Promise<unknown>): void {
    this.#log.push(what);
    sent.catch((error: unknown) => {
      const { code } = error as { readonly code?: string };
      this.#log.push(`failed: ${what}: ${String(error)}`);
      const isLost = code === 'record-never-created' && this.#nesting.isWaiting && !this.#isFlaky;
      if (isLost) this.#faults.push(this.#fault(`${what} did not wait`));
    });
  }

  /** A request arrives at the server, which carries it out. */
  #arrive(): void {
    const { calls } = this.#transport;
    const [call] = calls.splice(this.#isInOrder ? 0 : this.#random.below(calls.length), 1);
    if (call === undefined) return;
    const isRefused = this.#isFlaky && call.method !== 'GET' && this.#random.chance(0.15);
    const answer: Answer = isRefused ? { status: this.#random.pick([409, 500]) } : this.#server.answer(call);
    const what = `${call.method} ${call.url} ${JSON.stringify(call.body)}: ${answer.status}`;
    this.#log.push(`arrives: ${what}`);
    this.#answers.push({ what, receive: () => call.answer(answer.value, { status: answer.status }) });
  }

  /** An answer arrives at the screen. */
  #receive(): void {
    const [answer] = this.#answers.splice(this.#random.below(this.#answers.length), 1);
    if (answer === undefined) return;
    this.#log.push(`answered: ${answer.what}`);
    answer.receive();
  }

  /** Reads the screen, as a component would, and checks that it shows the latest change. */
  #look(): void {
    void this.#texts;
    if (!this.#expected()) this.#faults.push(this.#fault('the screen does not show the change'));
    this.#expected = () => true;
  }

  #fault(what: string): string {
    return [what, ...this.#log, `shown: ${this.#texts.join(', ')}`, `server: ${this.#server.texts.join(', ')}`].join(
      '\n',
    );
  }
}
