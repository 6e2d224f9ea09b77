import { INVALID, type Queryable } from '../../../src/index.ts';
import type { Client, Watch } from './client.ts';
import { ALL } from './expected.ts';
import { Post, Todo, User } from './models.ts';
import type { Kind, Server } from './server.ts';

type Shown = Readonly<Record<string, unknown>>;

const ENTITIES: Readonly<Record<Kind, Queryable>> = { users: User, posts: Post, todos: Todo };
const LISTS: readonly (readonly [Kind, string])[] = [
  ['todos', ALL],
  ['todos', 'u1'],
  ['todos', 'u2'],
  ['posts', ALL],
  ['users', ALL],
];

/** The longest time that a caller may wait: all attempts, and all pauses between them. */
const LONGEST = 60_000;

/** The properties of this run that the judge depends on. */
export interface Order {
  /** Whether requests of a client reach the server in the order in which they were made, so that versions never go back. */
  readonly isOrdered: boolean;
}

/** Compares the data that clients show with the expected data, and checks promises that hold without a model. */
export class Judge {
  readonly #server: Server;
  readonly #order: Order;
  /** The last seen version, by client, record and field. */
  readonly #versions = new Map<string, { readonly version: number; readonly session: number }>();

  constructor(server: Server, order: Order) {
    this.#server = server;
    this.#order = order;
  }

  /** Returns the fault of a client, if there is one. */
  look(client: Client, now: number): string | undefined {
    return (
      this.#records(client) ??
      this.#lists(client) ??
      this.#checkReceived(client) ??
      client.notes.outdated() ??
      client.notes.overdue() ??
      ended(client, now)
    );
  }

  #records(client: Client): string | undefined {
    const { expected, ids, missing } = client.notes;
    for (const kind of ['users', 'posts', 'todos'] as const) {
      for (const id of ids[kind]) {
        const order = missing.get(`${kind}/${id}`);
        // Only the client knows whether an older request may still bring the record. A guess hides a record without deleting it.
        const isGuessed = expected.pending.some((pending) => pending.id === id);
        if (order !== undefined && !isGuessed && client.controller.get(ENTITIES[kind], { id }) === undefined)
          expected.missing(kind, id, order);
        const should = expected.show(kind, id);
        const does = client.controller.get(ENTITIES[kind], { id }) as Shown | undefined;
        const wrong = this.#record(client, kind, should, does);
        if (wrong !== undefined) return `${client.tab.name} ${kind}/${id} ${wrong}`;
      }
    }
    missing.clear();
    return undefined;
  }

  #record(client: Client, kind: Kind, should: Shown | undefined, does: Shown | undefined): string | undefined {
    if (should === undefined || does === undefined)
      return should === does ? undefined : `shows ${json(does)}, not ${json(should)}`;
    for (const field of kind === 'users' ? ['name'] : kind === 'posts' ? ['title'] : ['title', 'done']) {
      const value = String(does[field]);
      if (value !== (should[field] ?? '')) return `has ${field} ${value}, not ${should[field] ?? "''"}`;
      const wrong = this.#session(client, `${kind}/${should['id']}.${field}`, value);
      if (wrong !== undefined) return `.${field} ${wrong}`;
    }
    if (kind === 'todos' && client.notes.deleted.has(String(should['id']))) return 'was deleted, and shows';
    return undefined;
  }

  /** Checks without a model: no data of other users, own writes are visible, and versions do not go back. */
  #session(client: Client, field: string, value: string): string | undefined {
    if (value === '') return undefined;
    if (!value.endsWith(`@${client.user}`)) return `is ${value}, of another user`;
    const at = value.indexOf('/');
    if (at < 0 || !this.#order.isOrdered) return undefined;
    const place = `${client.tab.name} ${field}`;
    const version = Number(value.slice(0, at));
    const { session, takenOver, byMutation } = client.notes;
    if (takenOver.has(value)) return undefined;
    const before = this.#versions.get(place);
    if (before?.session === session && version < before.version && !byMutation.has(value))
      return `went back from version ${before.version} to ${version}`;
    this.#versions.set(place, { version, session });
    return undefined;
  }

  #lists(client: Client): string | undefined {
    const { notes, controller, resources } = client;
    for (const [kind, of] of LISTS) {
      const schema = resources[kind].getList.schema as Queryable;
      const does = (of === ALL ? controller.get(schema) : controller.get(schema, { userId: of })) as
        | readonly Shown[]
        | undefined;
      const names = does?.map(({ id, title }) => (notes.ids[kind].has(String(id)) ? String(id) : String(title)));
      const should = notes.expected.showList(kind, of, new Set(names));
      if (names?.join() !== should?.join())
        return `${client.tab.name} ${kind}?${of} lists ${names?.join()}, not ${should?.join()}`;
    }
    return undefined;
  }

  /** Checks that observers were notified of the present value. They are not notified if data only becomes stale. */
  #checkReceived(client: Client): string | undefined {
    for (const watch of client.watches) {
      const { status } = watch.current();
      if (!isReceived(watch)) return `${client.tab.name} ${watch.key} was not notified of ${status}`;
      const { answeredBy, failedBy } = client.notes.key(watch.key);
      if (status === 'failed' && failedBy <= answeredBy)
        return `${client.tab.name} ${watch.key} shows an error, and was answered since`;
    }
    for (const { endpoint, args, key } of client.notes.late.splice(0)) {
      const { answeredBy, failedBy } = client.notes.key(key);
      if (failedBy <= answeredBy && client.controller.getError(endpoint, ...args) !== undefined)
        return `${client.tab.name} ${key} has an error, and was answered since`;
    }
    return undefined;
  }

  /** Returns what is wrong after all activity has ended and all data was read again. */
  atRest(client: Client): string | undefined {
    const { controller, notes, waiting, tab, user } = client;
    const [hanging] = waiting;
    if (hanging !== undefined) return `${tab.name} ${hanging.what} never ended`;
    const { layers } = controller.store.stats();
    if (layers > 0) return `${tab.name} ${layers} guesses were left behind`;
    if (notes.expected.pending.length > 0) return `${tab.name} a mutation never settled`;
    if (tab.timers > 0 || tab.listeners > 0) return `${tab.name} ${tab.timers} timers, ${tab.listeners} listeners left`;
    for (const [kind, of] of LISTS) {
      const schema = client.resources[kind].getList.schema as Queryable;
      const does = (of === ALL ? controller.get(schema) : controller.get(schema, { userId: of })) as readonly Shown[];
      const should = this.#server.list(user, kind, of === ALL ? undefined : of) as readonly Shown[];
      const [one, other] = [does, should].map((records) => records?.map((record) => plain(kind, record)).join());
      if (one !== other) return `${tab.name} at rest ${kind}?${of} shows ${one}, and the server has ${other}`;
    }
    return undefined;
  }
}

function isReceived({ received, current }: Watch): boolean {
  const now = current();
  if (received === undefined) return false;
  if (received.status === 'failed' || now.status === 'failed')
    return (
      received.status === now.status &&
      received.status === 'failed' &&
      now.status === 'failed' &&
      received.error === now.error
    );
  if (received.status === 'missing' || now.status === 'missing') return received.status === now.status;
  return received.value === now.value;
}

function ended(client: Client, now: number): string | undefined {
  for (const { what, since } of client.waiting)
    if (now - since - client.tab.sleptSince(since) > LONGEST) return `${client.tab.name} ${what} does not end`;
  return undefined;
}

function plain(kind: Kind, record: Shown): string {
  const fields = kind === 'users' ? ['id', 'name'] : kind === 'posts' ? ['id', 'title'] : ['id', 'title', 'userId'];
  return fields.map((field) => String(record[field])).join(' ');
}

function json(value: unknown): string {
  return value === INVALID ? 'INVALID' : JSON.stringify(value);
}
