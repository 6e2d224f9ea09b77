import {
  batched,
  beforeFrame,
  Controller,
  createResource,
  DevToolsManager,
  Entity,
  getDefaultManagers,
  httpCaching,
  LogoutManager,
  MissingManager,
  NetworkError,
  NetworkManager,
  networkOf,
  type Platform,
  PollingSubscription,
  presenceOf,
  RefetchManager,
  resource,
  RestEndpoint,
  retrying,
  Slices,
  StreamManager,
  type StreamEvents,
  type Subscribed,
  type MiddlewareAPI,
  SubscriptionManager,
  ResetError,
  RecordMissingError,
  Collection,
  DataError,
} from 'rejoin';
import { BrokenLaw, show } from './compare.ts';

type Fields = Record<string, unknown>;

/** A request that was sent, with its outcome on the server as soon as there is one, and the callers that wait for it. */
interface Sent {
  readonly method: string;
  readonly url: string;
  readonly body: Fields | undefined;
  answer: { readonly status: number; readonly body: unknown } | undefined;
  readonly resolve: (response: Response) => void;
  readonly reject: (error: Error) => void;
}

export class Owner extends Entity {
  id = '';
  name = '';
  static override key = 'Owner';
}
export class Task extends Entity {
  id = '';
  title = '';
  done = false;
  owner: Owner | undefined = undefined;
  static override key = 'Task';
  static override schema = { owner: Owner };
}

/** An application with a server, a clock and a page of its own. */
export class AppWorld {
  readonly log: string[] | undefined;
  readonly tasks = new Map<string, Fields>();
  readonly owners = new Map<string, Fields>();
  readonly sent: Sent[] = [];
  readonly uncaught: unknown[] = [];
  readonly stops: (() => void)[] = [];
  readonly controller: Controller;
  readonly endpoints: ReturnType<typeof makeEndpoints>;
  readonly document = Object.assign(new EventTarget(), { visibilityState: 'visible' });
  readonly page = Object.assign(new EventTarget(), { document: this.document, navigator: { onLine: true } });
  stream: StreamEvents | undefined;
  now = 1_000_000;
  made = 0;
  /** The values that watchers were shown last. */
  readonly shown = new Map<string, unknown>();
  broken: BrokenLaw | undefined;
  readonly #timers = new Map<number, { readonly at: number; readonly run: () => void }>();
  #timer = 0;

  constructor(isLogged: boolean) {
    this.log = isLogged ? [] : undefined;
    for (const id of ['1', '2']) this.owners.set(id, { id, name: `owner ${id}` });
    for (const id of ['1', '2', '3'])
      this.tasks.set(id, { id, title: `task ${id}`, done: false, owner: id === '3' ? '1' : id });
    this.endpoints = makeEndpoints(this.platform);
    this.controller = new Controller({ now: () => this.now, managers: makeManagers(this) });
  }

  readonly platform: Platform = {
    fetch: (url, init) =>
      new Promise((resolve, reject) => {
        const { body } = init;
        const sent: Sent = {
          method: init.method ?? 'GET',
          url,
          body: typeof body === 'string' ? (JSON.parse(body) as Fields) : undefined,
          answer: undefined,
          resolve,
          reject,
        };
        init.signal?.addEventListener('abort', () => {
          this.#drop(sent);
          reject(init.signal?.reason as Error);
        });
        this.sent.push(sent);
      }),
    now: () => this.now,
    setTimeout: (run, milliseconds) => {
      this.#timers.set(++this.#timer, { at: this.now + milliseconds, run });
      return this.#timer;
    },
    clearTimeout: (timer) => void this.#timers.delete(timer as number),
    random: () => 0.5,
  };

  say(line: () => string): void {
    this.log?.push(line());
  }

  /** Advances the clock, and runs the timers that are due, in order. */
  advance(by: number): void {
    const until = this.now + by;
    for (let count = 0; count < 200; count++) {
      const due = [...this.#timers]
        .filter(([, { at }]) => at <= until)
        .sort(([, one], [, other]) => one.at - other.at)[0];
      if (due === undefined) break;
      this.now = Math.max(this.now, due[1].at);
      this.#timers.delete(due[0]);
      due[1].run();
    }
    this.now = until;
  }

  /** A task in the form in which the server sends it. */
  taskOf(id: string): Fields | undefined {
    const task = this.tasks.get(id);
    return task && { ...task, owner: { ...this.owners.get(task['owner'] as string) } };
  }

  taskList(): Fields[] {
    return [...this.tasks.keys()].map((id) => this.taskOf(id) ?? {});
  }

  /** Processes a request on the server. The answer has the data of this moment, and is not sent yet. */
  serve(sent: Sent, status?: number): void {
    sent.answer ??= status === undefined ? this.#answerTo(sent) : { status, body: { title: 'refused' } };
  }

  #answerTo({ method, url, body }: Sent): { status: number; body: unknown } {
    const { pathname, searchParams } = new URL(url);
    const [, kind, id] = pathname.split('/');
    if (kind === 'owners') return this.#answerOwners(method, id, body, searchParams);
    if (method === 'POST') {
      const made = String(10 + this.made++);
      this.tasks.set(made, { title: '', done: false, owner: '1', ...body, id: made });
      return { status: 201, body: this.taskOf(made) };
    }
    if (id === undefined) return { status: 200, body: this.taskList() };
    const task = this.tasks.get(id);
    if (task === undefined) return { status: 404, body: {} };
    if (method === 'DELETE') this.tasks.delete(id);
    else if (method !== 'GET') this.tasks.set(id, { ...task, ...body, id, owner: task['owner'] });
    return { status: 200, body: method === 'DELETE' ? { id } : this.taskOf(id) };
  }

  #answerOwners(
    method: string,
    id: string | undefined,
    body: Fields | undefined,
    search: URLSearchParams,
  ): { status: number; body: unknown } {
    if (id === undefined) {
      const ids = search.getAll('id');
      return {
        status: 200,
        body: [...this.owners.values()].filter((owner) => ids.length === 0 || ids.includes(owner['id'] as string)),
      };
    }
    const owner = this.owners.get(id);
    if (owner === undefined) return { status: 404, body: {} };
    if (method !== 'GET') this.owners.set(id, { ...owner, ...body, id });
    return { status: 200, body: { ...this.owners.get(id) } };
  }

  /** Delivers an answer of the server. */
  deliver(sent: Sent): void {
    const { answer } = sent;
    if (answer === undefined) return;
    this.#drop(sent);
    sent.resolve(
      new Response(JSON.stringify(answer.body), {
        status: answer.status,
        headers: { 'content-type': 'application/json' },
      }),
    );
  }

  #drop(sent: Sent): void {
    const at = this.sent.indexOf(sent);
    if (at >= 0) this.sent.splice(at, 1);
  }

  follow(result: unknown): void {
    if (result instanceof Promise) result.catch((error: unknown) => this.judgeError(error));
  }

  judgeError(error: unknown): void {
    if (error instanceof BrokenLaw) this.broken ??= error;
    if (
      error instanceof NetworkError ||
      error instanceof ResetError ||
      error instanceof RecordMissingError ||
      error instanceof DataError
    )
      return;
    if (error instanceof TypeError && error.message === 'offline') return;
    this.broken ??= new BrokenLaw(
      'L8',
      `an error without a type: ${show(error)} ${error instanceof Error ? error.stack : ''}`,
    );
  }

  dispose(): void {
    for (const stop of this.stops.splice(0)) stop();
    this.controller.dispose();
  }
}

function makeEndpoints(platform: Platform) {
  const urlPrefix = 'https://api.example.com';
  const shared = { urlPrefix, platform, dataExpiryLength: 60_000 };
  const tasks = resource({ ...shared, path: '/tasks/:id', schema: Task, optimistic: true });
  const plain = createResource({ ...shared, path: '/tasks/:id', schema: Task });
  const owners = resource({
    ...shared,
    path: '/owners/:id',
    schema: Owner,
    optimistic: true,
    retry: retrying({ limit: 1 }),
    caching: httpCaching(),
  });
  const getOwners = new RestEndpoint({
    ...shared,
    path: '/owners',
    schema: new Collection([Owner]),
    searchParams: {} as { id: readonly string[] },
  });
  const ownerById = batched((ids) => getOwners({ id: ids as readonly string[] }), { schema: Owner, platform });
  return { tasks, plain, owners, ownerById };
}

function makeManagers(world: AppWorld) {
  const { platform, page } = world;
  const presence = presenceOf(page);
  class Polling extends PollingSubscription {
    constructor(subscribed: Subscribed, controller: MiddlewareAPI) {
      super(subscribed, controller, { platform, presence: networkOf(page) });
    }
  }
  return [
    new StreamManager(
      (events) => {
        world.stream = events;
        queueMicrotask(() => events.opened());
        return { close: () => void (world.stream = undefined) };
      },
      {
        write: ({ data }) => ({ schema: Owner, value: data }),
        platform,
        presence,
        schedule: beforeFrame({}, platform),
        parse: (data) => data,
      },
    ),
    new LogoutManager(),
    new MissingManager({ endpoints: [[Owner, world.endpoints.owners.get]], platform }),
    new RefetchManager({ page, platform, interval: 5000 }),
    ...getDefaultManagers({
      devToolsManager: new DevToolsManager({
        extension: { connect: () => ({ init: () => {}, send: () => {}, subscribe: () => () => {} }) },
        platform,
      }),
      networkManager: new NetworkManager({ slices: new Slices({ above: 3, platform: platform }) }),
      subscriptionManager: new SubscriptionManager(Polling),
    }),
  ];
}
