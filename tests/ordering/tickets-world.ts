import { Collection, Controller, Entity, resource } from '../../src/index.ts';
import { User } from '../model.ts';
import type { Random } from '../oracle/random.ts';
import { runHistory } from './run-history.ts';
import { Transport } from './transport.ts';

class Merged extends User {
  static override key = 'MergedUser';
  static override merge(existing: object, incoming: object): object {
    return { ...existing, ...incoming };
  }
}

interface Ticket {
  readonly id: string;
  title: string;
  assignee: string | null;
  watchers: readonly string[];
}

interface Sent {
  readonly title?: string;
  readonly assignee?: unknown;
  readonly watchers?: readonly unknown[];
}

const USERS = ['u', 'v', 'w'];

/**
 * Tickets that refer to users. Bodies contain the user as an object that was shown, as a copy of it, or as its pk. The server takes only the pk from
 * them, and answers with the pk or without the user. Users are renamed by messages that have arrived as soon as they are sent, so the latest name is
 * always known.
 */
export class TicketsWorld {
  readonly #random: Random;
  readonly #user: typeof User;
  readonly #tickets;
  readonly #transport = new Transport();
  readonly #controller = new Controller({ now: () => this.#transport.time });
  readonly #names = new Map(USERS.map((id) => [id, `${id}0`]));
  readonly #stored = new Map<string, Ticket>();
  readonly #answers: { readonly what: string; readonly receive: () => void }[] = [];
  readonly #log: string[] = [];
  readonly #faults: string[] = [];
  #count = 0;

  constructor(random: Random, optimistic: boolean) {
    this.#random = random;
    this.#user = random.chance(0.3) ? Merged : User;
    const user = this.#user;
    const watchers = random.chance(0.5)
      ? new Collection([user], { nestKey: ({ id }: { readonly id: string }) => ({ ticket: id }) })
      : [user];
    class TicketOfUsers extends Entity {
      id = '';
      title = '';
      assignee: User | null = null;
      readonly watchers: readonly User[] = [];
      static override key = 'Ticket';
      static override schema = { assignee: user, watchers };
    }
    const options = { optimistic, platform: this.#transport, body: {} } as const;
    this.#tickets = resource({ ...options, path: '/tickets/:id', schema: TicketOfUsers });
  }

  /** Runs a history. Returns the faults, with the history before them. */
  async run(steps: number): Promise<readonly string[]> {
    this.#stored.set('1', { id: '1', title: 'one', assignee: 'u', watchers: ['v'] });
    this.#stored.set('2', { id: '2', title: 'two', assignee: null, watchers: ['u', 'v'] });
    await this.#controller.setResponse(this.#tickets.getList, this.#list());
    await this.#controller.set(this.#user, { id: 'w' }, this.#userOf('w'));
    this.#controller.view(this.#tickets.getList).subscribe(() => {});
    await runHistory(steps, {
      step: () => this.#step(),
      deliver: () => {
        this.#arrive();
        this.#receive();
      },
      look: () => this.#look(),
      isOver: () => this.#transport.calls.length + this.#answers.length === 0,
    });
    const texts = this.#list().map((ticket) => JSON.stringify(ticket));
    const shown = this.#shown.map((ticket) => JSON.stringify(ticket));
    if (String(shown.toSorted()) !== String(texts.toSorted()))
      this.#fail(`at the end, the screen shows ${shown.join()}, and not ${texts.join()}`);
    this.#controller.dispose();
    return this.#faults;
  }

  get #shown() {
    return this.#controller.getResponse(this.#tickets.getList).data ?? [];
  }

  #userOf(id: string): { readonly id: string; readonly name: string } {
    return { id, name: this.#names.get(id) as string };
  }

  #list() {
    return Array.from(this.#stored.values(), ({ assignee, watchers, ...ticket }) => ({
      ...ticket,
      assignee: assignee === null ? null : this.#userOf(assignee),
      watchers: watchers.map((id) => this.#userOf(id)),
    }));
  }

  #step(): void {
    const kind = this.#random.weighted({
      create: 1,
      edit: 2,
      replace: 1,
      rename: 1.5,
      read: 0.5,
      arrive: 3,
      receive: 3,
    });
    if (kind === 'arrive') return this.#arrive();
    if (kind === 'receive') return this.#receive();
    if (kind === 'rename') return this.#rename();
    const { getList, partialUpdate, update } = this.#tickets;
    const { id, ...ticket } = this.#random.pick(this.#shown);
    if (kind === 'create')
      this.#send('create', this.#controller.fetch(getList.push, { ...this.#body(), title: this.#next('t') }));
    else if (kind === 'edit') this.#send(`edit ${id}`, this.#controller.fetch(partialUpdate, { id }, this.#body()));
    else if (kind === 'replace') this.#send(`replace ${id}`, this.#controller.fetch(update, { id }, { ...ticket }));
    else this.#send('read', this.#controller.fetch(getList));
  }

  #body(): Sent {
    return {
      ...(this.#random.chance(0.6) && { assignee: this.#form() }),
      ...(this.#random.chance(0.4) && { watchers: [this.#form()] }),
    };
  }

  /** A user in one of the forms in which an application sends it. */
  #form(): unknown {
    const id = this.#random.pick(USERS);
    const shown = this.#controller.get(this.#user, { id }) as User;
    return this.#random.pick([shown, { id, name: shown.name }, { id }, id]);
  }

  #rename(): void {
    const id = this.#random.pick(USERS);
    this.#names.set(id, this.#next(id));
    this.#log.push(`${id} is renamed to ${this.#names.get(id)}`);
    void this.#controller.set(this.#user, { id }, this.#userOf(id));
  }

  #next(name: string): string {
    return `${name}${++this.#count}`;
  }

  #send(what: string, request: Promise<unknown>): void {
    this.#log.push(what);
    request.catch(() => {});
  }

  /** The server carries out a request, or refuses it. */
  #arrive(): void {
    const call = this.#transport.calls.shift();
    if (call === undefined) return;
    const what = `${call.method} ${call.url}`;
    const isRefused = call.method !== 'GET' && this.#random.chance(0.15);
    const value = isRefused
      ? { message: 'no' }
      : call.method === 'GET'
        ? this.#list()
        : this.#store(call.url, call.body as Sent);
    this.#log.push(`${what} ${JSON.stringify(call.body)} arrives`);
    this.#answers.push({ what, receive: () => call.answer(value, { status: isRefused ? 409 : 200 }) });
  }

  #store(url: string, { title, assignee, watchers }: Sent): object {
    const id = url.split('/')[2] ?? this.#next('n');
    const ticket = this.#stored.get(id) ?? { id, title: '', assignee: null, watchers: [] };
    this.#stored.set(id, ticket);
    if (title !== undefined) ticket.title = title;
    if (assignee !== undefined) ticket.assignee = idOf(assignee);
    if (watchers !== undefined) ticket.watchers = watchers.flatMap((user) => idOf(user) ?? []);
    return this.#random.pick([{ id }, { id, title: ticket.title }, { ...ticket }]);
  }

  /** An answer comes back, in any order. */
  #receive(): void {
    if (this.#answers.length === 0) return;
    const [answer] = this.#answers.splice(this.#random.below(this.#answers.length), 1);
    this.#log.push(`${answer?.what} is answered`);
    answer?.receive();
  }

  #look(): void {
    for (const id of USERS) {
      const name = this.#controller.get(this.#user, { id })?.name;
      if (name !== this.#names.get(id)) this.#fail(`${id} is shown as ${name}`);
    }
  }

  #fail(text: string): void {
    this.#faults.push([text, ...this.#log].join('\n'));
  }
}

/** The server takes only the id from a nested user. */
function idOf(user: unknown): string | null {
  return typeof user === 'string' || user === null ? user : (user as { readonly id: string }).id;
}
