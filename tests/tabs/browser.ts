import { Controller, Entity, getDefaultManagers, type Manager, resource, Store } from 'rejoin';
import { platform } from '../../src/std/platform.ts';
import { turns } from '../persist/turns.ts';
import {
  type TabLockOptions,
  type TabPort,
  type TabsBrowser,
  type TabsEvent,
  TabsManager,
  type TabsOptions,
} from 'rejoin/tabs';

type Listener = (event: { readonly data: unknown }) => void;

interface Wish {
  readonly tab: number;
  /** Whether other requests of this kind can hold the lock at the same time. */
  readonly isShared: boolean;
  readonly begin: () => void;
  readonly reject: (error: Error) => void;
}

/** A browser with Web Locks and channels, whose tabs run in this process. A tab can be closed at any moment. */
export class FakeBrowser {
  readonly #ports = new Map<string, Map<TabPort, { readonly tab: number; readonly listeners: Listener[] }>>();
  readonly #held = new Map<string, Set<Wish>>();
  readonly #waiting = new Map<string, Wish[]>();
  readonly #closed = new Set<number>();
  /** Tabs that the browser has stopped, with the messages that they get when it lets them go on. */
  readonly #frozen = new Map<number, (() => void)[]>();
  /** Tabs whose page is in the back/forward cache, with the requests for locks that their browser has ended. */
  readonly #cached = new Map<number, Wish[]>();
  #tabs = 0;
  #drawn = 0;
  /** Random numbers are the same in each run, and timers wait for no clock. */
  readonly platform = { ...turns, random: (): number => (++this.#drawn * 0.618) % 1 };
  /** The types of the messages that `TabsManager`s have sent, and the names of the locks that they have requested. */
  readonly sent: string[] = [];
  readonly lockRequests: string[] = [];

  /** A tab. `close` is the end of its process: it releases its locks and sends nothing any more. */
  tab(): TabsBrowser & {
    close(): void;
    freeze(): void;
    thaw(): void;
    /** The user goes to another page, and the browser keeps this one, as Safari does: it releases its locks, and gets no messages. */
    leave(): void;
    /** The user goes back to the page. */
    goBack(): void;
    readonly page: EventTarget & TabsBrowser['page'];
    readonly document: EventTarget & { visibilityState: string };
  } {
    const tab = ++this.#tabs;
    const document = Object.assign(new EventTarget(), { visibilityState: 'visible' });
    const page = Object.assign(new EventTarget(), { document });
    const tell = (type: string): void => void page.dispatchEvent(Object.assign(new Event(type), { persisted: true }));
    return {
      document,
      page,
      locks: {
        request: (name, options, run) => this.#request(tab, name, options, run),
        query: () =>
          Promise.resolve({
            held: [...this.#held].flatMap(([name, held]) =>
              Array.from(held, ({ isShared }) => ({ name, mode: isShared ? 'shared' : 'exclusive' })),
            ),
          }),
      },
      openPort: (name) => this.#open(tab, name),
      freeze: () => void this.#frozen.set(tab, []),
      thaw: () => {
        const messages = this.#frozen.get(tab) ?? [];
        this.#frozen.delete(tab);
        for (const receive of messages) receive();
      },
      leave: () => {
        tell('pagehide');
        this.#cached.set(tab, this.#release(tab));
      },
      goBack: () => {
        const ended = this.#cached.get(tab) ?? [];
        this.#cached.delete(tab);
        tell('pageshow');
        for (const { reject } of ended) reject(new DOMException('The browsing context is going away', 'AbortError'));
      },
      close: () => {
        this.#closed.add(tab);
        for (const ports of this.#ports.values())
          for (const [port, owner] of ports) if (owner.tab === tab) ports.delete(port);
        this.#release(tab);
      },
    };
  }

  /** Ends all requests of a tab for locks, and returns them. */
  #release(tab: number): Wish[] {
    const ended: Wish[] = [];
    for (const [name, held] of this.#held) {
      const waiting = this.#waiting.get(name) ?? [];
      ended.push(...[...held, ...waiting].filter((wish) => wish.tab === tab));
      for (const wish of held) if (wish.tab === tab) held.delete(wish);
      this.#waiting.set(
        name,
        waiting.filter((wish) => wish.tab !== tab),
      );
      this.#grant(name);
    }
    return ended;
  }

  get heldLocks(): readonly string[] {
    return [...this.#held].filter(([, held]) => held.size > 0).map(([name]) => name);
  }

  #open(tab: number, name: string): TabPort {
    const ports = this.#ports.get(name) ?? new Map<TabPort, { readonly tab: number; readonly listeners: Listener[] }>();
    this.#ports.set(name, ports);
    const listeners: Listener[] = [];
    const port: TabPort = {
      postMessage: (message) => {
        if (!ports.has(port)) return;
        const copy: unknown = structuredClone(message);
        const { message: sent } = Object(message) as { readonly message?: { readonly type: string } | null };
        if (sent) this.sent.push(sent.type);
        for (const [other, owner] of ports)
          if (other !== port)
            setImmediate(() => {
              const receive = (): void => {
                if (ports.has(other) && !this.#cached.has(owner.tab))
                  for (const listener of owner.listeners) listener({ data: structuredClone(copy) });
              };
              const waiting = this.#frozen.get(owner.tab);
              if (waiting === undefined) receive();
              else waiting.push(receive);
            });
      },
      addEventListener: (_, listener) => void listeners.push(listener),
      close: () => void ports.delete(port),
    };
    ports.set(port, { tab, listeners });
    return port;
  }

  #request<Value>(
    tab: number,
    name: string,
    { ifAvailable = false, mode, signal }: TabLockOptions & { readonly mode?: string },
    run: (lock: unknown) => Value | Promise<Value>,
  ): Promise<Value> {
    this.lockRequests.push(name);
    if (this.#closed.has(tab)) return new Promise(() => {});
    return new Promise((resolve, reject) => {
      const wish: Wish = {
        tab,
        isShared: mode === 'shared',
        reject,
        begin: () => {
          this.#heldOf(name).add(wish);
          // A lock comes from another process.
          setImmediate(() => {
            if (this.#closed.has(tab)) return;
            // A browser does not grant what is no longer wanted.
            const done = signal?.aborted ? Promise.reject(signal.reason as Error) : Promise.resolve(run({ name }));
            void done.then(resolve, reject).finally(() => {
              this.#heldOf(name).delete(wish);
              this.#grant(name);
            });
          });
        },
      };
      const queue = this.#waiting.get(name) ?? [];
      if (ifAvailable && this.#heldOf(name).size > 0) {
        setImmediate(() => void Promise.resolve(run(null)).then(resolve, reject));
        return;
      }
      this.#waiting.set(name, [...queue, wish]);
      signal?.addEventListener('abort', () => {
        this.#waiting.set(name, this.#waiting.get(name)?.filter((one) => one !== wish) ?? []);
        if (!this.#heldOf(name).has(wish)) reject(signal.reason as Error);
      });
      this.#grant(name);
    });
  }

  #heldOf(name: string): Set<Wish> {
    const held = this.#held.get(name) ?? new Set();
    this.#held.set(name, held);
    return held;
  }

  #grant(name: string): void {
    const [first, ...rest] = this.#waiting.get(name) ?? [];
    const held = [...this.#heldOf(name)];
    const isFree = held.length === 0 || (first?.isShared === true && held.every(({ isShared }) => isShared));
    if (first === undefined || !isFree) return;
    this.#waiting.set(name, rest);
    first.begin();
    this.#grant(name);
  }
}

export class Task extends Entity {
  id = '';
  title = '';
  done = false;
  static override key = 'Task';
}

/** A server for tasks, which answers when the test lets it. */
export class TaskServer {
  tasks: { id: string; title: string; done: boolean }[] = [
    { id: '1', title: 'a', done: false },
    { id: '2', title: 'b', done: false },
  ];
  readonly requests: string[] = [];
  /** While set, answers wait for it. */
  gate: Promise<void> | undefined;

  readonly fetch = async (url: string, { method = 'GET', body }: RequestInit): Promise<Response> => {
    const address = new URL(url, 'http://x');
    this.requests.push(`${method} ${address.pathname}${address.search}`);
    const [, , id] = address.pathname.split('/');
    const given = (typeof body === 'string' ? JSON.parse(body) : {}) as Partial<TaskServer['tasks'][number]>;
    if (method === 'POST')
      this.tasks = [...this.tasks, { id: String(this.tasks.length + 1), title: '', done: false, ...given }];
    if (method === 'PATCH') this.tasks = this.tasks.map((task) => (task.id === id ? { ...task, ...given } : task));
    const done = address.searchParams.get('done');
    const list = this.tasks.filter((task) => done === null || String(task.done) === done);
    const answer =
      method === 'POST' ? this.tasks.at(-1) : id === undefined ? list : this.tasks.find((task) => task.id === id);
    await this.gate;
    return Response.json(answer);
  };
}

export interface Tab {
  readonly controller: Controller;
  readonly store: Store;
  readonly tabs: TabsManager;
  readonly events: TabsEvent[];
  readonly tasks: ReturnType<typeof tasksFrom>;
  readonly browser: ReturnType<FakeBrowser['tab']>;
  /** The titles of the list of all tasks. */
  titles(): readonly string[] | undefined;
  end(): void;
}

export function tasksFrom(server: Pick<TaskServer, 'fetch'>) {
  return resource({
    urlPrefix: 'http://x',
    path: '/tasks/:id',
    schema: Task,
    optimistic: true,
    searchParams: undefined as { done?: boolean } | undefined,
    platform: { ...platform, fetch: server.fetch },
  });
}

/** Opens a tab of an application. */
export function openTab(
  fake: FakeBrowser,
  server: Pick<TaskServer, 'fetch'>,
  options: Partial<TabsOptions> = {},
  managers: readonly Manager[] = getDefaultManagers(),
  given?: Store,
): Tab {
  const { now } = options.platform ?? platform;
  const store = given ?? new Store({ now });
  const events: TabsEvent[] = [];
  const browser = fake.tab();
  const tasks = tasksFrom(server);
  const tabs = new TabsManager({
    name: 'app',
    browser,
    endpoints: [tasks],
    onEvent: (event) => events.push(event),
    ...options,
  });
  const controller = new Controller({ store, managers: [tabs, ...managers], now });
  return {
    controller,
    store,
    tabs,
    events,
    tasks,
    browser,
    titles: () => controller.getResponse(tasks.getList).data?.map(({ title }) => title),
    end: () => {
      browser.close();
      controller.dispose();
    },
  };
}

/** Waits until all messages, locks and answers have arrived. */
export async function arrived(): Promise<void> {
  // oxlint-disable-next-line no-await-in-loop -- one turn after another
  for (let turn = 0; turn < 30; turn++) await new Promise((resolve) => setImmediate(resolve));
}
