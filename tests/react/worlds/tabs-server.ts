/** A server with the notes of two users, their sessions, news that it pushes, and a count that is polled. */
import type { Random } from '../random.ts';
import type { Call, Fields, Network, Reply } from './network.ts';

type UserName = 'Ada' | 'Ben';

export interface Session {
  readonly user: UserName;
  readonly token: string;
}

interface Kept {
  readonly id: string;
  readonly text: string;
}

interface Connection {
  readonly stream: ReadableStreamDefaultController<Uint8Array>;
  readonly user: UserName;
  isOpen: boolean;
}

export class TabsServer {
  readonly effects: { readonly user: UserName; readonly text: string }[] = [];
  readonly wrong: string[] = [];
  /** The texts of edits of deleted notes. */
  readonly refused = new Set<string>();
  /** How often each session has asked for the count. */
  readonly polls = new Map<string, number>();
  readonly #network: Network;
  readonly #sessions = new Map<string, UserName>();
  readonly #notes: Record<UserName, readonly Kept[]> = {
    Ada: [{ id: 'Ada-1', text: 'Ada' }],
    Ben: [{ id: 'Ben-1', text: 'Ben' }],
  };
  readonly #news: Record<UserName, Fields> = {
    Ada: { id: '1', text: 'Ada', version: 1 },
    Ben: { id: '1', text: 'Ben', version: 1 },
  };
  readonly #answers = new Map<string, Reply>();
  readonly #connections = new Set<Connection>();
  #count = 0;
  #last = 1;

  constructor(network: Network) {
    this.#network = network;
  }

  login(user: UserName): Session {
    const token = `${user}-session-${this.#sessions.size + ++this.#last}`;
    this.#sessions.set(token, user);
    return { user, token };
  }

  logout(token: string): boolean {
    return this.#sessions.delete(token);
  }

  knows(token: string): boolean {
    return this.#sessions.has(token);
  }

  get streams(): number {
    return [...this.#connections].filter(({ isOpen }) => isOpen).length;
  }

  other({ pick, isLucky }: Random): string {
    if (isLucky(0.5)) return `count ${++this.#count}`;
    const user = pick(['Ada', 'Ben'] as const);
    const version = ++this.#last;
    this.#news[user] = { id: '1', text: `${user}${version}`, version };
    for (const connection of this.#connections)
      this.#network.later(() => {
        if (connection.isOpen && connection.user === user)
          connection.stream.enqueue(
            new TextEncoder().encode(`data: ${JSON.stringify({ id: '1', text: `${user}${version}`, version })}\n\n`),
          );
      });
    return `news ${version} of ${user}`;
  }

  answer({ body, headers, method, path: [table, id] }: Call): Reply {
    const [key, token] = [headers.get('Idempotency-Key'), headers.get('Authorization') ?? ''];
    const user = this.#sessions.get(token);
    if (user === undefined) return { status: 401 };
    if (table === 'count') {
      if (!this.#network.isFresh) this.polls.set(token, (this.polls.get(token) ?? 0) + 1);
      return { body: { count: this.#count, user } };
    }
    if (table === 'news') return { body: [this.#news[user]] };
    // A second version of an application can call the text a title.
    const read = ({ text, ...rest }: Kept): Fields => ({
      ...rest,
      [headers.get('Version') === '2' ? 'title' : 'text']: text,
    });
    if (method === 'GET')
      return { body: this.#notes[user].toSorted((one, other) => (one.text < other.text ? -1 : 1)).map(read) };
    if (JSON.stringify([id, body]).includes('temp:')) this.wrong.push(`temporary pk: ${id} ${JSON.stringify(body)}`);
    const answer =
      this.#answers.get(String(key)) ?? this.#carryOut(user, method, id, String(body['text'] ?? body['title']));
    this.#answers.set(String(key), answer);
    return answer.body === undefined ? answer : { body: read(answer.body as Kept) };
  }

  #carryOut(user: UserName, method: string, id: string | undefined, text: string): Reply {
    const notes = this.#notes[user];
    if (id !== undefined && !notes.some((one) => one.id === id)) {
      if (!id.startsWith(`${user}-`)) this.wrong.push(`${user} has never had ${id}`);
      this.refused.add(text);
      return { status: 404 };
    }
    if (method === 'DELETE') {
      this.#notes[user] = notes.filter((one) => one.id !== id);
      return { status: 204 };
    }
    this.effects.push({ user, text });
    const note = { id: id ?? `${user}-${++this.#last}`, text };
    this.#notes[user] = id === undefined ? [...notes, note] : notes.map((one) => (one.id === id ? note : one));
    return { body: note };
  }

  connect({ headers, signal }: RequestInit): Response {
    const user = this.#sessions.get(new Headers(headers).get('Authorization') ?? '');
    if (user === undefined) return new Response(null, { status: 401 });
    if (!this.#network.isOnline) throw new TypeError('Failed to fetch');
    const body = new ReadableStream<Uint8Array>({
      start: (stream) => {
        const connection: Connection = { stream, user, isOpen: true };
        this.#connections.add(connection);
        signal?.addEventListener('abort', () => (connection.isOpen = false));
      },
    });
    return new Response(body, { headers: { 'Content-Type': 'text/event-stream' } });
  }

  /** The network is gone. */
  cut(): void {
    for (const connection of this.#connections) {
      if (connection.isOpen) connection.stream.close();
      connection.isOpen = false;
    }
  }
}
