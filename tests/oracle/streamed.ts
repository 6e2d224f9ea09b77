import { Collection, Entity, Invalidate, Store } from '../../src/index.ts';
import type { Ticket } from '../../src/state/store/tickets.ts';
import { Random } from './random.ts';

class Note extends Entity {
  id = '';
  text = '';
  static override key = 'Note';
}

interface Plain {
  readonly id: string;
  readonly text: string;
}

interface Message {
  readonly change: 'create' | 'edit' | 'delete';
  readonly note: Plain;
}

/** A request. The server answers it some time after it was sent, and the answer arrives some time later. */
interface Request {
  readonly what: string;
  readonly ticket: Ticket;
  readonly schema: unknown;
  readonly args: object;
  /** Returns what the server has now. */
  readonly read: () => unknown;
  answer?: { readonly body: unknown };
}

/** What kind of list the server has. */
export interface ListKind {
  readonly isNewestFirst: boolean;
  /** Whether the order of the list is declared. */
  readonly isOrdered: boolean;
  /** Whether the list has pages, each with the cursor of the next one. */
  readonly isPaged: boolean;
}

const PAGE_SIZE = 3;

/**
 * A server with a list of notes, and a client that requests the list, further pages and single notes, while a stream brings every change as a message. Messages
 * arrive late, but in order; answers arrive in any order; while the stream is disconnected, messages are lost. The model is the list of the
 * server: when all requests and messages have arrived, and the list was requested since the stream was connected, the client shows the same.
 */
export class StreamedHistory {
  readonly #random: Random;
  readonly #kind: ListKind;
  readonly #store = new Store();
  readonly #list: Collection;
  readonly #pages: Collection;
  /** What the server has. */
  #notes: readonly Plain[] = [];
  #messages: Message[] = [];
  #requests: Request[] = [];
  #isConnected = true;
  #made = 0;
  readonly #steps: string[] = [];

  constructor(seed: number, kind: ListKind) {
    this.#random = new Random(seed);
    this.#kind = kind;
    const sign = kind.isNewestFirst ? -1 : 1;
    this.#list = new Collection([Note], {
      ...(kind.isNewestFirst && { create: 'first' }),
      ...(kind.isOrdered && { orderBy: (one: Note, other: Note) => sign * (Number(one.id) - Number(other.id)) }),
    });
    this.#pages = this.#list.pagesWith((params: object) => [{ ...params, after: undefined }], true);
    for (let at = 0; at < 4; at++) this.#create();
    this.#messages = [];
    this.#requestList();
    this.#answer();
    this.#arrive();
  }

  /** Returns the fault at the end, if there is one, with the steps that led to it. */
  run(length: number): string | undefined {
    for (let at = 0; at < length; at++) this.#step();
    if (!this.#isConnected) this.#connect();
    while (this.#requests.length > 0 || this.#messages.length > 0)
      this.#random.pick([() => this.#answer(), () => this.#arrive(), () => this.#deliver()])();
    const wrong = this.#wrong();
    return wrong && [wrong, ...this.#steps].join('\n');
  }

  #step(): void {
    const step = this.#random.weighted({
      create: 1,
      edit: 1,
      remove: 1,
      request: 3,
      deliver: 3,
      answer: 3,
      arrive: 3,
      connect: 1,
    });
    if (step === 'create') this.#create();
    else if (step === 'edit' || step === 'remove') this.#change(step === 'edit');
    else if (step === 'request') this.#request();
    else if (step === 'deliver') this.#deliver();
    else if (step === 'answer') this.#answer();
    else if (step === 'arrive') this.#arrive();
    else if (this.#isConnected) this.#disconnect();
    else this.#connect();
  }

  // The server.

  #create(): void {
    const note = { id: String(10 + ++this.#made), text: 'new' };
    this.#notes = this.#kind.isNewestFirst ? [note, ...this.#notes] : [...this.#notes, note];
    this.#tell({ change: 'create', note });
  }

  #change(isEdit: boolean): void {
    if (this.#notes.length === 0) return;
    const known = this.#random.pick(this.#notes);
    const note = { ...known, text: `edit ${++this.#made}` };
    this.#notes = this.#notes.flatMap((one) => (one !== known ? one : isEdit ? note : []));
    this.#tell({ change: isEdit ? 'edit' : 'delete', note });
  }

  #tell(message: Message): void {
    if (this.#isConnected) this.#messages.push(message);
    this.#steps.push(`server: ${message.change} ${message.note.id}${this.#isConnected ? '' : ', not told'}`);
  }

  #answer(): void {
    const waiting = this.#requests.filter(({ answer }) => answer === undefined);
    if (waiting.length === 0) return;
    const request = this.#random.pick(waiting);
    request.answer = { body: request.read() };
    this.#steps.push(`server: answers ${request.what} with ${JSON.stringify(request.answer.body)}`);
  }

  // The client.

  #disconnect(): void {
    this.#isConnected = false;
    this.#messages = [];
    this.#steps.push('disconnected');
  }

  #connect(): void {
    this.#isConnected = true;
    this.#steps.push('connected');
    this.#requestList();
  }

  #deliver(): void {
    const message = this.#messages.shift();
    if (message === undefined) return;
    const { change, note } = message;
    if (change === 'create') this.#store.write(this.#list.push, note, { args: [{}] });
    else this.#store.write(change === 'edit' ? Note : new Invalidate(Note), note);
    this.#noteShown(`message: ${change} ${note.id}`);
  }

  #request(): void {
    const what = this.#random.pick(['list', 'page', 'note'] as const);
    const last = this.#shown.at(-1)?.id;
    if (what === 'list') this.#requestList();
    else if (what === 'page' && this.#kind.isPaged && last !== undefined)
      this.#send(`page after ${last}`, { items: this.#pages, next: '' }, { ...this.#args, after: last }, () =>
        pageOf(this.#notes.filter(({ id }) => Number(id) < Number(last))),
      );
    else if (what === 'note' && this.#notes.length > 0) {
      const { id } = this.#random.pick(this.#notes);
      this.#send(`note ${id}`, Note, { id }, () => this.#notes.find((note) => note.id === id));
    }
  }

  #requestList(): void {
    const schema = this.#kind.isPaged ? { items: this.#list, next: '' } : this.#list;
    this.#send('list', schema, this.#args, () => (this.#kind.isPaged ? pageOf(this.#notes) : this.#notes));
  }

  #send(name: string, schema: unknown, args: object, read: () => unknown): void {
    const ticket = this.#store.begin();
    const what = `${name} (request ${ticket.issue})`;
    this.#requests.push({ what, ticket, schema, args, read });
    this.#steps.push(`sent: ${what}`);
  }

  #arrive(): void {
    const answered = this.#requests.filter(({ answer }) => answer !== undefined);
    if (answered.length === 0) return;
    const request = this.#random.pick(answered);
    this.#requests = this.#requests.filter((one) => one !== request);
    const { answer, args, schema, ticket, what } = request;
    const sent = ticket.issue;
    const answeredRequest = { isMutation: false, isPlainRead: true, isCurrentRead: true, sent, doubt: () => {} };
    // The server does not have the note any more.
    if (answer?.body === undefined) this.#store.settle(ticket);
    else this.#store.write(schema, answer.body, { args: [args], request: ticket, answeredRequest });
    this.#noteShown(`answer: ${what}`);
  }

  get #args(): object {
    return this.#kind.isPaged ? { limit: PAGE_SIZE } : {};
  }

  get #shown(): readonly Note[] {
    return (this.#store.get(this.#list, this.#args) as readonly Note[] | undefined) ?? [];
  }

  #noteShown(what: string): void {
    this.#steps.push(`${what} → ${this.#shown.map(({ id }) => id).join(' ')}`);
  }

  // The comparison.

  #wrong(): string | undefined {
    const [shown, due] = this.#kind.isPaged ? this.#pagesToCompare() : [this.#shown, this.#notes];
    const texts = [shown, due].map((notes) => notes.map(({ id, text }) => `${id} ${text}`).join(', '));
    return texts[0] === texts[1] ? undefined : `shows ${texts.join(' instead of ')}`;
  }

  /** Of a list with pages, the notes before the last shown one must be there. What happened to further pages while the stream was disconnected is not known. */
  #pagesToCompare(): readonly [shown: readonly Plain[], due: readonly Plain[]] {
    const ids = this.#notes.map(({ id }) => id);
    const shown = this.#shown.map(({ id }) => id).filter((id) => ids.includes(id));
    const due = ids.slice(0, Math.max(-1, ...shown.map((id) => ids.indexOf(id))) + 1);
    const [first] = this.#notes;
    const asNotes = (all: readonly string[]): readonly Plain[] => all.map((id) => ({ id, text: '' }));
    return [asNotes(shown), asNotes(due.length === 0 && first !== undefined ? [first.id] : due)];
  }
}

function pageOf(notes: readonly Plain[]): object {
  const items = notes.slice(0, PAGE_SIZE);
  return { items, next: items.at(-1)?.id ?? '' };
}
