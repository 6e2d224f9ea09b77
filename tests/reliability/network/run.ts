import { Random } from '../../oracle/random.ts';
import { Client, type Target } from './client.ts';
import { Clock, settled } from './clock.ts';
import { Judge } from './judge.ts';
import { type Fault, Network, Tab, TROUBLES } from './network.ts';
import { KINDS, Server } from './server.ts';

/** How often each kind of event happens. */
export interface Profile {
  readonly events: number;
  readonly clients: number;
  /** The probability of a fault in an exchange. */
  readonly faultiness: number;
  /** The mean time between other faults, in milliseconds. `Infinity`: there are none. */
  readonly trouble: number;
  /** Whether requests arrive in order. Default: chosen at random. */
  readonly isOrdered?: boolean;
  /** Whether every answer is treated as large and stored in slices. Default: none. */
  readonly isSliced?: boolean;
  readonly actions: Readonly<Record<ActionName, number>>;
  /** A further check of a client after every event. Returns the fault, if there is one. */
  readonly inspect?: (client: Client) => string | undefined;
}

export type ActionName =
  | 'read'
  | 'lazy'
  | 'patch'
  | 'put'
  | 'create'
  | 'delete'
  | 'abort'
  | 'subscribe'
  | 'unsubscribe'
  | 'watch'
  | 'unwatch'
  | 'invalidate'
  | 'expire'
  | 'logout'
  | 'hydrate';

export const everyday: Profile['actions'] = {
  read: 24,
  lazy: 10,
  patch: 16,
  put: 4,
  create: 7,
  delete: 4,
  abort: 4,
  subscribe: 3,
  unsubscribe: 3,
  watch: 3,
  unwatch: 2,
  invalidate: 2,
  expire: 1,
  logout: 0.7,
  hydrate: 0,
};

/** All faults of networks and machines. */
export const storm: Profile = { events: 400, clients: 2, faultiness: 0.9, trouble: 1000, actions: everyday };

/** Few faults, and many events that do not depend on the network: requests, aborts, mounts and unmounts at random times. */
export const crowd: Profile = {
  events: 60,
  clients: 2,
  faultiness: 0.3,
  trouble: Number.POSITIVE_INFINITY,
  actions: { ...everyday, abort: 10, subscribe: 6, unsubscribe: 5, watch: 6, logout: 4, hydrate: 8 },
};

export interface Outcome {
  readonly events: number;
  readonly faults: ReadonlyMap<Fault, number>;
  /** A checksum of all events in their order. The same seed gives the same checksum. */
  readonly trace: number;
  readonly wrong: string | undefined;
}

/** One world with its clients, from the first event to rest. */
export async function simulate(seed: number, profile: Profile): Promise<Outcome> {
  const simulation = new Simulation(seed, profile);
  return simulation.run();
}

class Simulation {
  readonly #profile: Profile;
  readonly #chance: Random;
  readonly #clock = new Clock();
  readonly #server = new Server();
  readonly #network: Network;
  readonly #clients: Client[] = [];
  readonly #judge: Judge;
  #wrong: string | undefined;
  #events = 0;
  #trace = 0x811c9dc5;
  #isCalm = false;
  #last: string[] = [];

  constructor(seed: number, profile: Profile) {
    this.#profile = profile;
    const chance = new Random(seed);
    this.#chance = chance;
    const { isOrdered = chance.chance(0.5), isSliced = false, faultiness, clients } = profile;
    this.#network = new Network(this.#clock, this.#server, new Random(chance.below(2 ** 32)), {
      isOrdered,
      faultiness,
    });
    const retries = isOrdered ? 0 : 2;
    this.#judge = new Judge(this.#server, { isOrdered });
    const witness = {
      now: () => this.#clock.now,
      wrong: (message: string) => void (this.#wrong ??= message),
      effectsOf: (tag: string) => this.#server.effects.get(tag) ?? 0,
    };
    for (let at = 0; at < clients; at++) {
      const name = `c${at}`;
      const tab = new Tab(name, this.#clock, this.#network, new Random(chance.below(2 ** 32)));
      const user = chance.pick(['ann', 'bob']);
      const world = { tab, server: this.#server, network: this.#network, chance, witness };
      this.#clients.push(new Client({ name, user, ...world, retries, isSliced }));
      this.#clock.in(chance.below(100), `act ${name}`, () => this.#act(at));
    }
    if (Number.isFinite(profile.trouble)) this.#clock.in(200, 'trouble', () => this.#trouble());
  }

  async run(): Promise<Outcome> {
    await this.#go(() => this.#events < this.#profile.events);
    if (this.#wrong === undefined) await this.#rest();
    for (const client of this.#clients) client.controller.dispose();
    return { events: this.#events, faults: this.#network.faults, trace: this.#trace, wrong: this.#explained() };
  }

  #explained(): string | undefined {
    return this.#wrong && [this.#wrong, `after ${this.#events} events, the last of which:`, ...this.#last].join('\n  ');
  }

  /** Runs one event after another while `isOn`, and checks the clients after each. */
  async #go(isOn: () => boolean): Promise<void> {
    await settled();
    while (this.#wrong === undefined && isOn()) {
      const event = this.#clock.next();
      if (event === undefined) return;
      this.#events++;
      this.#note(`${event.at} ${event.what}`);
      event.run?.();
      // oxlint-disable-next-line no-await-in-loop -- one event after another
      await settled();
      for (const client of this.#clients)
        this.#wrong ??= this.#judge.look(client, this.#clock.now) ?? this.#profile.inspect?.(client);
    }
  }

  #note(text: string): void {
    for (let at = 0; at < text.length; at++)
      this.#trace = Math.imul(this.#trace ^ text.charCodeAt(at), 0x01000193) >>> 0;
    if (this.#last.push(text) > 60) this.#last.shift();
  }

  #act(at: number): void {
    if (this.#isCalm) return;
    const client = this.#clients[at] as Client;
    if (!client.tab.isFrozen) this.#doSomething(client);
    this.#clock.in(20 + this.#chance.below(600), `act ${client.tab.name}`, () => this.#act(at));
  }

  #doSomething(client: Client): void {
    const chance = this.#chance;
    if (client.token === undefined) {
      for (const key of client.notes.polls.keys()) client.unsubscribe(key);
      return client.login(chance.pick(['ann', 'bob']));
    }
    const name = chance.weighted(this.#profile.actions);
    this.#note(name);
    this.#do(client, name);
  }

  #do(client: Client, name: ActionName): void {
    const chance = this.#chance;
    const todo = this.#visibleTodo(client);
    switch (name) {
      case 'read':
      case 'lazy':
        return client.read(this.#target(client), name === 'lazy');
      case 'patch':
      case 'put':
        return todo === undefined ? undefined : client.change(todo, name === 'put');
      case 'create':
        return client.create(chance.chance(0.5));
      case 'delete':
        return todo === undefined ? undefined : client.delete(todo);
      case 'abort':
        return client.abort();
      case 'subscribe':
        return client.subscribe(this.#target(client));
      case 'unsubscribe':
        return client.unsubscribe(chance.pick([...client.notes.polls.keys(), '']));
      case 'watch':
        return client.watch(this.#target(client));
      case 'unwatch': {
        const [watch] = client.watches;
        return watch && client.unwatch(watch);
      }
      case 'invalidate': {
        const [endpoint, args] = client.endpointOf(this.#target(client));
        return void client.controller.invalidate(endpoint, ...(args as [{ id: string }]));
      }
      case 'expire':
        return void client.controller.expireAll(client.resources.todos.getList);
      case 'logout':
        return client.logout();
      case 'hydrate':
        return this.#hydrate(client);
      default:
        return name satisfies never;
    }
  }

  #hydrate(client: Client): void {
    const other = this.#clients.find((one) => one !== client && one.user === client.user && one.token !== undefined);
    if (other !== undefined) client.hydrate(other);
  }

  #target(client: Client): Target {
    const chance = this.#chance;
    const kind = chance.pick([...KINDS, 'todos'] as const);
    if (chance.chance(0.45)) return { kind };
    if (kind === 'todos' && chance.chance(0.4)) return { kind, of: chance.pick(['u1', 'u2']) };
    const ids = [`${kind[0]}1`, `${kind[0]}2`, ...client.notes.ids[kind]];
    return { kind, id: chance.pick(ids) };
  }

  /** Users change the records that they see. */
  #visibleTodo(client: Client): string | undefined {
    const { ids, expected } = client.notes;
    const seen = [...ids.todos].filter((id) => expected.show('todos', id) !== undefined);
    // Some records are changed by all clients frequently.
    return this.#chance.chance(0.5) ? seen[0] : seen[this.#chance.below(seen.length)];
  }

  #trouble(): void {
    if (this.#isCalm) return;
    const chance = this.#chance;
    this.#clock.in(chance.below(2 * this.#profile.trouble), 'trouble', () => this.#trouble());
    const trouble = chance.pick(TROUBLES);
    const client = chance.pick(this.#clients);
    const { tab, notes } = client;
    this.#network.count(trouble);
    this.#note(`${trouble} ${tab.name}`);
    switch (trouble) {
      case 'offline':
        tab.goOnline(false);
        notes.isFree(false);
        return this.#later(500 + chance.below(5000), `online ${tab.name}`, () => tab.goOnline(true), client);
      case 'clock step':
        return client.stepClock(chance.pick([-7_200_000, -60_000, 5000, 3_600_000]));
      case 'freeze':
        tab.freeze();
        notes.isFree(false);
        return this.#later(500 + chance.below(20_000), `thaw ${tab.name}`, () => tab.thaw(), client);
      case 'restart':
        return this.#network.breakOff();
      case 'expiry':
        return this.#server.expire(client.token ?? '');
      default:
        return trouble satisfies never;
    }
  }

  #later(delay: number, what: string, run: () => void, { tab, notes }: Client): void {
    this.#clock.in(delay, what, () => {
      run();
      notes.isFree(tab.isOnline && !tab.isFrozen);
    });
  }

  /** Ends all faults and waits for all requests. Then all clients read all data again. */
  async #rest(): Promise<void> {
    this.#isCalm = true;
    this.#network.faultiness = 0;
    for (const client of this.#clients) {
      client.rest();
      client.tab.thaw();
      client.tab.goOnline(true);
    }
    await this.#go(() => true);
    for (const client of this.#clients) {
      client.login(client.token === undefined ? 'ann' : client.user);
      for (const kind of KINDS) client.read({ kind }, false);
      for (const of of ['u1', 'u2']) client.read({ kind: 'todos', of }, false);
    }
    await this.#go(() => true);
    for (const client of this.#clients) this.#wrong ??= this.#judge.atRest(client);
    if (this.#network.underWay > 0) this.#wrong ??= `${this.#network.underWay} requests never ended`;
  }
}
