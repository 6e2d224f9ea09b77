/** A request as it arrives. */
export interface Asked {
  readonly method: string;
  readonly path: string;
  readonly query: Readonly<Record<string, string>>;
  readonly body: Readonly<Record<string, string>> | undefined;
  readonly token: string | undefined;
  readonly idempotencyKey: string | undefined;
}

export interface Answered {
  readonly status: number;
  readonly body: unknown;
}

export type Kind = 'users' | 'posts' | 'todos';
export const KINDS: readonly Kind[] = ['users', 'posts', 'todos'];

/** The fields of a record that clients may change. Each value contains the number of its write and the name of its mutation. */
export const FIELDS: Readonly<Record<Kind, readonly string[]>> = {
  users: ['name'],
  posts: ['title'],
  todos: ['title', 'done'],
};

interface Stored {
  readonly id: string;
  /** Its owner. Never changes. */
  readonly userId: string;
  readonly fields: Map<string, string>;
}

type World = Readonly<Record<Kind, Map<string, Stored>>>;

/**
 * A REST server with separate records for each user. Every write has a version, which its values contain:
 * `12/c0m3@ann` was written by the mutation `c0m3` of ann as the twelfth write.
 */
export class Server {
  #version = 0;
  readonly #worlds = new Map<string, World>();
  readonly #tokens = new Map<string, string>();
  readonly #repeated = new Map<string, Answered>();
  /** How many records each create has made. */
  readonly effects: Map<string, number> = new Map();
  #logins = 0;
  /** Greater than every id of the initial records. */
  #created = 10;

  login(user: string): string {
    const token = `token${++this.#logins}`;
    this.#tokens.set(token, user);
    return token;
  }

  expire(token: string): void {
    this.#tokens.delete(token);
  }

  /** The records of a user, for comparison at rest. */
  list(user: string, kind: Kind, userId?: string): readonly object[] {
    const all = [...this.#world(user)[kind].values()];
    return all.filter((one) => userId === undefined || one.userId === userId).map((one) => this.#show(user, kind, one));
  }

  handle(asked: Asked): Answered {
    const user = this.#tokens.get(asked.token ?? '');
    if (user === undefined) return { status: 401, body: { error: 'unauthorized' } };
    const key = asked.idempotencyKey;
    const before = key === undefined ? undefined : this.#repeated.get(key);
    if (before !== undefined) return before;
    const answered = this.#route(user, asked);
    if (key !== undefined) this.#repeated.set(key, answered);
    return answered;
  }

  #route(user: string, { method, path, query, body = {} }: Asked): Answered {
    const [, kind, id] = path.split('/') as [string, Kind, string | undefined];
    const records = this.#world(user)[kind];
    if (id === undefined) {
      if (method === 'POST') return this.#create(user, kind, body);
      const { userId } = query;
      return { status: 200, body: this.list(user, kind, userId).map((one) => (kind === 'todos' ? summary(one) : one)) };
    }
    const stored = records.get(id);
    if (method === 'DELETE') {
      if (stored !== undefined) this.#version++;
      records.delete(id);
      return { status: 200, body: { id } };
    }
    if (stored === undefined) return { status: 404, body: { title: `not found in the world @${user}` } };
    if (method !== 'GET') this.#write(stored, body, FIELDS[kind]);
    return { status: 200, body: this.#show(user, kind, stored) };
  }

  #create(user: string, kind: Kind, body: Readonly<Record<string, string>>): Answered {
    const stored = {
      id: `${kind[0]}${++this.#created}`,
      userId: body['userId'] ?? 'u1',
      fields: new Map<string, string>(),
    };
    this.#world(user)[kind].set(stored.id, stored);
    const tag = body['title'] ?? '';
    this.effects.set(tag, (this.effects.get(tag) ?? 0) + 1);
    this.#write(stored, body, FIELDS[kind]);
    return { status: 201, body: this.#show(user, kind, stored) };
  }

  #write(stored: Stored, body: Readonly<Record<string, string>>, fields: readonly string[]): void {
    this.#version++;
    for (const field of fields) {
      const tag = body[field];
      if (tag !== undefined) stored.fields.set(field, `${this.#version}/${tag}`);
    }
  }

  #show(user: string, kind: Kind, { id, userId, fields }: Stored): object {
    const record = { id, ...Object.fromEntries(fields) };
    if (kind === 'users') return record;
    if (kind === 'todos') return { ...record, userId };
    const author = this.#world(user).users.get(userId);
    return { ...record, author: author === undefined ? userId : this.#show(user, 'users', author) };
  }

  #world(user: string): World {
    const known = this.#worlds.get(user);
    if (known !== undefined) return known;
    const world: World = { users: new Map(), posts: new Map(), todos: new Map() };
    this.#worlds.set(user, world);
    for (const [kind, count] of [
      ['users', 2],
      ['posts', 2],
      ['todos', 4],
    ] as const) {
      for (let at = 1; at <= count; at++) {
        const stored = { id: `${kind[0]}${at}`, userId: `u${1 + (at % 2)}`, fields: new Map<string, string>() };
        world[kind].set(stored.id, stored);
        this.#write(stored, Object.fromEntries(FIELDS[kind].map((field) => [field, `first@${user}`])), FIELDS[kind]);
      }
    }
    return world;
  }
}

/** A todo in a list, which lacks some fields of the todo itself. */
function summary(todo: object): object {
  const { done, ...rest } = todo as { readonly done?: unknown };
  void done;
  return rest;
}
