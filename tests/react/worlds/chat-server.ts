/** The server of a chat, with a stream of server-sent events that loses its connection. */
import type { Random } from '../random.ts';
import type { Call, Fields, Network, Reply } from './network.ts';

interface Kept {
  readonly id: string;
  readonly channelId: string;
  readonly text: string;
  readonly sentAt: number;
  readonly author: string;
  readonly version: number;
}

/** A connection of the page to the stream. */
interface Connection {
  readonly stream: ReadableStreamDefaultController<Uint8Array>;
  isOpen: boolean;
  /** When the latest message arrives. Messages arrive in order. */
  last: number;
}

export class ChatServer {
  readonly #network: Network;
  readonly #names = new Map([1, 2, 3].map((id) => [`p${id}`, `n${id}`]));
  readonly #events: { readonly type: string; readonly data: Fields }[] = [];
  /** The server remembers the messages of the stream, and sends those after `Last-Event-ID`. */
  readonly #isReplayed: boolean;
  #messages: readonly Kept[] = [];
  #connection: Connection | undefined;

  constructor(network: Network, { isLucky, pick }: Random) {
    this.#network = network;
    this.#isReplayed = isLucky(0.5);
    network.streams = async (_, init) => this.#connect(init);
    for (let at = 0; at < 12; at++) this.#post(pick(['c1', 'c2']), pick(['p1', 'p2', 'p3']));
  }

  get isConnected(): boolean {
    return this.#connection?.isOpen === true;
  }

  other(choice: Random): string {
    const { id } = choice.pick(this.#messages);
    switch (choice.pick(['post', 'post', 'edit', 'delete', 'rename', 'cut'])) {
      case 'post':
        return `posts ${this.#post(choice.pick(['c1', 'c2']), choice.pick(['p2', 'p3'])).id}`;
      case 'edit':
        this.#change(id, { text: `t${this.#network.next()}` });
        return `edits ${id}`;
      case 'delete':
        this.#delete(id);
        return `deletes ${id}`;
      case 'rename': {
        const person = choice.pick(['p2', 'p3']);
        this.#rename(person, `n${this.#network.next()}`);
        return `renames ${person}`;
      }
      default:
        this.#cut();
        return 'cuts the stream';
    }
  }

  answer({ body, method, path: [table, id = '', more], search }: Call): Reply {
    if (table === 'people') {
      this.#rename(id, String(body['name']));
      return { body: this.#person(id) };
    }
    if (table === 'channels' && more === undefined) return { body: ['c1', 'c2'].map((one) => this.#channel(one)) };
    if (table === 'channels' && method === 'POST') return { status: 201, body: this.#read(this.#post(id, 'p1', body)) };
    if (table === 'channels') return { body: this.#page(id, search) };
    if (!this.#messages.some((one) => one.id === id)) return { status: 404 };
    if (method === 'DELETE') {
      this.#delete(id);
      return { status: 204 };
    }
    return { body: this.#read(this.#change(id, body)) };
  }

  #page(channelId: string, { after, before, limit }: Call['search']): Fields {
    const all = this.#messages.filter((one) => one.channelId === channelId).sort((a, b) => b.sentAt - a.sentAt);
    const size = Number(limit);
    const newer = all.filter(({ sentAt }) => sentAt > Number(after));
    const items =
      after === undefined
        ? all.filter(({ sentAt }) => before === undefined || sentAt < Number(before)).slice(0, size)
        : newer.slice(-size);
    const [first, last] = [items[0], items.at(-1)];
    return {
      items: items.map((one) => this.#read(one)),
      ...(last !== undefined && last !== all.at(-1) && { older: String(last.sentAt) }),
      ...(first !== undefined && first !== all[0] && { newer: String(first.sentAt) }),
    };
  }

  #post(channelId: string, author: string, body: Fields = {}): Kept {
    const id = `m${this.#network.next()}`;
    const message = {
      version: this.#network.next(),
      id,
      text: `t${this.#network.next()}`,
      ...body,
      channelId,
      author,
      sentAt: this.#network.now() + this.#network.next() / 1000,
    };
    this.#messages = [...this.#messages, message];
    this.#send('created', this.#read(message));
    this.#send('channel', this.#channel(channelId));
    return message;
  }

  #change(id: string, changes: Fields): Kept {
    this.#messages = this.#messages.map((one) =>
      one.id === id ? { ...one, ...changes, version: this.#network.next() } : one,
    );
    const changed = this.#messages.find((one) => one.id === id) as Kept;
    this.#send('changed', this.#read(changed));
    return changed;
  }

  #delete(id: string): void {
    const { channelId } = this.#messages.find((one) => one.id === id) as Kept;
    this.#messages = this.#messages.filter((one) => one.id !== id);
    this.#send('deleted', { id });
    this.#send('channel', this.#channel(channelId));
  }

  #rename(id: string, name: string): void {
    this.#names.set(id, name);
    this.#send('person', this.#person(id));
  }

  #person(id: string): Fields {
    const name = this.#names.get(id);
    return { id, name, version: Number(name?.slice(1)) };
  }

  #read(message: Kept): Fields {
    return { ...message, author: this.#person(message.author) };
  }

  #channel(id: string): Fields {
    const last = this.#messages
      .filter(({ channelId }) => channelId === id)
      .reduce<Kept | undefined>((max, one) => (max && max.sentAt > one.sentAt ? max : one), undefined);
    return { id, name: id, last: last ? this.#read(last) : null, version: this.#network.next() };
  }

  #send(type: string, data: Fields): void {
    this.#events.push({ type, data });
    const connection = this.#connection;
    if (connection?.isOpen === true) this.#deliver(connection, this.#events.length - 1);
  }

  #deliver(connection: Connection, at: number): void {
    const event = this.#events[at];
    connection.last = this.#network.later(
      () => {
        if (!connection.isOpen) return;
        this.#network.log.push(`  message ${at} ${JSON.stringify(event)}`);
        const id = this.#isReplayed ? `id: ${at}\n` : '';
        connection.stream.enqueue(
          new TextEncoder().encode(`event: ${event?.type}\n${id}data: ${JSON.stringify(event?.data)}\n\n`),
        );
      },
      Math.max(connection.last, this.#network.now() + 5 + (at % 7) * 20),
    );
  }

  #connect({ headers, signal }: RequestInit): Response {
    const made: { connection?: Connection } = {};
    const body = new ReadableStream<Uint8Array>({
      start: (stream) => {
        made.connection = { stream, isOpen: true, last: 0 };
      },
    });
    const { connection } = made;
    this.#connection = connection;
    signal?.addEventListener('abort', () => connection && (connection.isOpen = false));
    const last = new Headers(headers).get('Last-Event-ID');
    this.#network.log.push(`  stream opened after ${last}`);
    if (connection && last !== null)
      for (let at = Number(last) + 1; at < this.#events.length; at++) this.#deliver(connection, at);
    return new Response(body, { headers: { 'Content-Type': 'text/event-stream' } });
  }

  #cut(): void {
    const connection = this.#connection;
    if (connection?.isOpen !== true) return;
    connection.isOpen = false;
    connection.stream.close();
  }
}
