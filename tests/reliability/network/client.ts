import {
  type Answer,
  Controller,
  dehydrate,
  type EndpointInterface,
  hydrate,
  LogoutManager,
  type MiddlewareAPI,
  NetworkManager,
  PollingSubscription,
  Slices,
  type Subscribed,
  SubscriptionManager,
} from '../../../src/index.ts';
import type { Random } from '../../oracle/random.ts';
import type { Pending } from './expected.ts';
import { type Resources, resourcesOf } from './models.ts';
import { type Network, type Tab, TIMEOUT } from './network.ts';
import { Notes, type Witness } from './notes.ts';
import { type Kind, KINDS, type Server } from './server.ts';

/** A record or a list that can be read. */
export interface Target {
  readonly kind: Kind;
  readonly id?: string;
  /** In a list: the owner of its todos. */
  readonly of?: string;
}

export interface Watch {
  readonly key: string;
  readonly stop: () => void;
  readonly current: () => Answer;
  received: Answer | undefined;
}

/** A fetch that a caller waits for. */
interface Waiting {
  readonly what: string;
  readonly since: number;
  readonly abort: AbortController;
}

export interface ClientOptions {
  readonly name: string;
  readonly user: string;
  readonly tab: Tab;
  readonly server: Server;
  readonly network: Network;
  readonly chance: Random;
  readonly witness: Witness;
  readonly retries: number;
  readonly isSliced: boolean;
}

type Extendable = Resources['todos']['get'];

/** An application in a tab. It records its own calls. */
export class Client {
  readonly tab: Tab;
  readonly #options: ClientOptions;
  readonly notes: Notes;
  readonly controller: Controller;
  readonly resources: Resources;
  user: string;
  token: string | undefined;
  #mutations = 0;
  /** The session that was checked last, and the number of all checks. */
  inspected = -1;
  inspections = 0;
  readonly watches: Set<Watch> = new Set();
  readonly waiting: Set<Waiting> = new Set();
  readonly #subscribed = new Map<string, Target>();

  constructor(options: ClientOptions) {
    this.#options = options;
    const { tab, server, network, witness, retries, user, isSliced } = options;
    this.tab = tab;
    this.user = user;
    this.token = server.login(user);
    this.notes = new Notes(witness);
    const { notes } = this;
    tab.onSend = (exchange) => notes.sent(exchange, retries + 1);
    tab.onEnd = (exchange) => notes.ended(exchange);
    this.resources = resourcesOf({
      platform: tab,
      timeout: TIMEOUT,
      retries,
      call: () => notes.call(),
      token: () => this.token,
      onRead: (response, value) => {
        const exchange = network.exchanges.get(response);
        if (exchange !== undefined) notes.read(exchange, value);
      },
    });
    const Polls = class extends PollingSubscription {
      constructor(subscribed: Subscribed, controller: MiddlewareAPI) {
        super(subscribed, controller, { platform: tab, presence: tab.presence });
      }
    };
    const logout = new LogoutManager({
      handleLogout: (controller) => {
        notes.resetCause = 'the server said so';
        this.token = undefined;
        return controller.resetEntireStore();
      },
    });
    const slicing = isSliced ? { slices: new Slices({ above: 0, milliseconds: 0, platform: tab }) } : {};
    const managers = [notes.observer, logout, new NetworkManager(slicing), new SubscriptionManager(Polls)];
    this.controller = new Controller({ managers, now: tab.now });
    this.controller.store.onCommit((commit) => notes.commits?.push(commit));
  }

  login(user: string): void {
    this.user = user;
    this.token = this.#options.server.login(user);
  }

  logout(): void {
    this.token = undefined;
    this.notes.resetCause = 'logout';
    void this.controller.resetEntireStore();
  }

  endpointOf({ kind, id, of }: Target): readonly [endpoint: Extendable, args: readonly unknown[]] {
    const { get, getList } = this.resources[kind] as unknown as { get: Extendable; getList: Extendable };
    if (id !== undefined) return [get, [{ id }]];
    return [getList, of === undefined ? [] : [{ userId: of }]];
  }

  keyOf(target: Target): string {
    const [endpoint, args] = this.endpointOf(target);
    return (endpoint as EndpointInterface).key(...args);
  }

  /** All records and lists that can be fetched. */
  *targets(): Generator<Target> {
    for (const kind of KINDS) {
      yield { kind };
      for (const id of this.notes.ids[kind]) yield { kind, id };
    }
    for (const of of ['u1', 'u2']) yield { kind: 'todos', of };
  }

  read(target: Target, isLazy: boolean): void {
    const [endpoint, args] = this.endpointOf(target);
    const abort = new AbortController();
    const sent: EndpointInterface = endpoint.extend({ signal: abort.signal });
    const key = sent.key(...args);
    this.notes.asking = key;
    const answer: unknown = isLazy ? this.controller.fetchIfStale(sent, ...args) : this.controller.fetch(sent, ...args);
    this.notes.asking = undefined;
    if (isLazy) this.#judgeLazy(key, target, answer instanceof Promise);
    if (answer instanceof Promise) this.#wait(key, abort, this.#own(key, answer));
  }

  /** Callers from before a reset get no answer. */
  async #own(key: string, answer: Promise<unknown>): Promise<void> {
    const { session } = this.notes;
    await answer;
    if (session !== this.notes.session) this.#options.witness.wrong(`${key} was answered after it was forgotten`);
  }

  #judgeLazy(key: string, { kind, id }: Target, isFetched: boolean): void {
    const { witness } = this.#options;
    const { freshUntil, staleAfter, failedUntil, failedBy, answeredBy, isDoubtful } = this.notes.key(key);
    if (isDoubtful) return;
    const keptUntil = failedBy > answeredBy ? failedUntil : -1;
    const now = witness.now();
    const recordUntil = this.notes.freshRecords.get(`${kind}/${id ?? ''}`) ?? -1;
    const isHidden = id !== undefined && this.notes.expected.show(kind, id) === undefined;
    if (isFetched && now <= freshUntil && !isHidden) witness.wrong(`${key} was fetched though it was fresh`);
    if (!isFetched && now > Math.max(staleAfter, keptUntil, recordUntil))
      witness.wrong(`${key} was not fetched though it was stale`);
  }

  change(id: string, isWhole: boolean): void {
    const tag = this.#tag();
    const body = isWhole ? { title: tag, done: tag } : { [this.#options.chance.pick(['title', 'done'])]: tag };
    const { update, partialUpdate } = this.resources.todos;
    // A PUT that is sent again could undo later changes.
    const endpoint = isWhole ? update.extend({ retry: false }) : partialUpdate;
    this.#mutate(endpoint, [{ id }, body], { kind: 'change', tag, id, body });
  }

  create(isKeyed: boolean): void {
    const tag = this.#tag();
    const body = { userId: this.#options.chance.pick(['u1', 'u2']), title: tag };
    const { keyedCreate, todos } = this.resources;
    this.#mutate(isKeyed ? keyedCreate : todos.create, [body], { kind: 'create', tag, id: tag, body });
  }

  delete(id: string): void {
    this.#mutate(this.resources.todos.delete, [{ id }], { kind: 'delete', tag: this.#tag(), id, body: {} });
  }

  #tag(): string {
    return `${this.#options.name}m${++this.#mutations}@${this.user}`;
  }

  #mutate(endpoint: unknown, args: readonly unknown[], pending: Pending): void {
    const { notes } = this;
    const { session } = notes;
    const abort = new AbortController();
    const sent: EndpointInterface = (endpoint as Extendable).extend({ signal: abort.signal });
    const key = sent.key(...args);
    notes.expected.ask(pending);
    notes.sending = pending;
    notes.asking = key;
    const answer = this.controller.fetch(sent, ...args).then(
      () => session === notes.session && notes.acknowledge(pending),
      () => session === notes.session && notes.failed(pending),
    );
    notes.asking = undefined;
    this.#wait(key, abort, answer);
  }

  #wait(what: string, abort: AbortController, answer: Promise<unknown>): void {
    const waiting: Waiting = { what, since: this.#options.witness.now(), abort };
    this.waiting.add(waiting);
    const end = (): void => void this.waiting.delete(waiting);
    answer.then(end, end);
  }

  /** Aborts a fetch. */
  abort(): void {
    if (this.waiting.size > 0) this.#options.chance.pick([...this.waiting]).abort.abort();
  }

  subscribe(target: Target): void {
    const key = this.keyOf(target);
    const { polls } = this.notes;
    const now = this.#options.witness.now();
    const frequency = this.#options.chance.pick([2000, 5000]);
    const runsFrom = this.tab.isOnline && !this.tab.isFrozen ? now : Number.POSITIVE_INFINITY;
    const poll = polls.get(key) ?? {
      frequency,
      count: 0,
      isAsking: false,
      mayAsk: 0,
      // A key without an answer is polled at once.
      since: this.#answeredAt(key) ?? Number.NEGATIVE_INFINITY,
      runsFrom,
    };
    poll.count++;
    polls.set(key, poll);
    this.#subscribed.set(key, target);
    const [endpoint, args] = this.endpointOf(target);
    void this.controller.subscribe(endpoint.extend({ pollFrequency: poll.frequency }), ...(args as [{ id: string }]));
  }

  #answeredAt(key: string): number | undefined {
    return this.notes.keys.get(key)?.answeredAt;
  }

  unsubscribe(key: string): void {
    const poll = this.notes.polls.get(key);
    const target = this.#subscribed.get(key);
    if (poll === undefined || target === undefined) return;
    if (--poll.count === 0) this.notes.polls.delete(key);
    const [endpoint, args] = this.endpointOf(target);
    void this.controller.unsubscribe(endpoint.extend({ pollFrequency: poll.frequency }), ...(args as [{ id: string }]));
  }

  watch(target: Target): void {
    const [endpoint, args] = this.endpointOf(target) as readonly [EndpointInterface, readonly unknown[]];
    const held: { received: Answer | undefined } = { received: undefined };
    const stop = this.controller.watch(endpoint, ...args, (answer: Answer) => void (held.received = answer));
    const view = this.controller.view(endpoint, ...args);
    const key = endpoint.key(...args);
    const { watched } = this.notes;
    watched.set(key, (watched.get(key) ?? 0) + 1);
    this.watches.add(Object.assign(held, { key, stop, current: view.current }));
  }

  unwatch(watch: Watch): void {
    const { watched } = this.notes;
    const left = (watched.get(watch.key) ?? 1) - 1;
    if (left > 0) watched.set(watch.key, left);
    else {
      watched.delete(watch.key);
      this.notes.key(watch.key).isOutdated = false;
    }
    watch.stop();
    this.watches.delete(watch);
  }

  /** The clock of the machine is set. */
  stepClock(by: number): void {
    this.tab.skew += by;
    // Fresh data may be stale by the new clock. It must not be fresh for longer.
    this.notes.losesTime();
  }

  /** Takes over what another client of the same user has stored. */
  hydrate(other: Client): void {
    hydrate(this.controller.store, JSON.parse(JSON.stringify(dehydrate(other.controller.store))));
    this.notes.fill(other.notes);
  }

  /** Ends all subscriptions and timers. */
  rest(): void {
    for (const [key, { count }] of [...this.notes.polls]) for (let at = 0; at < count; at++) this.unsubscribe(key);
    for (const watch of [...this.watches]) this.unwatch(watch);
  }
}
