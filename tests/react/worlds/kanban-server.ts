/** The server of a board of cards, with a WebSocket that loses its connection. */
import type { Random } from '../random.ts';
import type { Call, Fields, Network, Reply } from './network.ts';

export const LISTS: readonly string[] = ['a', 'b', 'c'];

interface Kept {
  readonly id: string;
  readonly listId: string;
  readonly position: number;
  readonly title: string;
  readonly version: number;
}

/** The WebSocket of the page. */
export class Socket extends EventTarget {
  static latest: Socket | undefined;
  static network: Network;
  binaryType = '';
  readyState = 0;
  last = 0;

  constructor() {
    super();
    Socket.latest = this;
    Socket.network.later(() => {
      if (this.readyState > 0) return;
      this.readyState = 1;
      Socket.network.log.push('  connected');
      this.dispatchEvent(new Event('open'));
    });
  }

  send(): void {}

  close(): void {
    this.readyState = 3;
  }

  cut(): void {
    this.readyState = 3;
    this.dispatchEvent(Object.assign(new Event('close'), { code: 1006, reason: '' }));
  }

  deliver(data: string): void {
    this.last = Socket.network.later(
      () => {
        if (this.readyState !== 1) return;
        Socket.network.log.push(`  message ${data}`);
        this.dispatchEvent(Object.assign(new Event('message'), { data }));
      },
      Math.max(this.last, Socket.network.now() + 5 + (data.length % 7) * 20),
    );
  }
}

export class KanbanServer {
  readonly #network: Network;
  #cards: readonly Kept[] = [];

  constructor(network: Network, { pick }: Random) {
    this.#network = network;
    Socket.network = network;
    Socket.latest = undefined;
    for (let at = 0; at < 8; at++)
      this.#create({ id: `c${at}`, listId: pick(LISTS), position: at * 10, title: `t${at}` });
  }

  other(choice: Random): string {
    const card = choice.pick(this.#cards);
    switch (choice.pick(['create', 'move', 'move', 'rename', 'delete', 'cut'])) {
      case 'create':
        return `creates ${this.#create({ id: `c${this.#network.next()}`, listId: choice.pick(LISTS), position: choice.below(100), title: `t${this.#network.next()}` }).id}`;
      case 'move':
        this.#change(card, { listId: choice.pick(LISTS), position: choice.below(100) });
        return `moves ${card.id}`;
      case 'rename':
        this.#change(card, { title: `t${this.#network.next()}` });
        return `renames ${card.id}`;
      case 'delete':
        this.#delete(card);
        return `deletes ${card.id}`;
      default:
        Socket.latest?.cut();
        return 'cuts the connection';
    }
  }

  answer({ body, method, path: [, id = ''], search }: Call): Reply {
    if (id === '' && method === 'POST') return { status: 201, body: this.#create(body) };
    if (id === '') {
      const found = this.#cards.filter(({ listId }) => listId === search['listId']);
      return { body: found.sort((one, other) => one.position - other.position || (one.id < other.id ? -1 : 1)) };
    }
    const card = this.#cards.find((one) => one.id === id);
    if (card === undefined) return { status: 404 };
    if (method === 'PATCH') return { body: this.#change(card, body) };
    this.#delete(card);
    return { status: 204 };
  }

  #create(fields: Fields): Kept {
    const card = { ...fields, version: this.#network.next() } as Kept;
    this.#cards = [...this.#cards, card];
    this.#send('created', card);
    return card;
  }

  #change(card: Kept, changes: Fields): Kept {
    const { position = card.position } = changes as Partial<Kept>;
    const isTaken = this.#cards.some((one) => one.id !== card.id && one.position === position);
    const changed = {
      ...card,
      ...changes,
      position: isTaken ? position + this.#network.next() / 1_000_000 : position,
      version: this.#network.next(),
    };
    this.#cards = this.#cards.map((one) => (one.id === card.id ? changed : one));
    this.#send('changed', changed);
    return changed;
  }

  #delete(card: Kept): void {
    this.#cards = this.#cards.filter((one) => one.id !== card.id);
    this.#send('deleted', card);
  }

  #send(type: string, card: Kept): void {
    if (Socket.latest?.readyState === 1) Socket.latest.deliver(JSON.stringify({ type, card }));
  }
}
