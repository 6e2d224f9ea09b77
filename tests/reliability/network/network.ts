import { type Platform, type Presence } from '../../../src/index.ts';
import type { Random } from '../../oracle/random.ts';
import type { Appointment, Clock } from './clock.ts';
import type { Answered, Asked, Server } from './server.ts';

/** The faults of one exchange. */
export const FAULTS = [
  'delay',
  'reorder',
  'drop',
  'duplicate',
  'unavailable',
  'limited',
  'timeout',
  'hang',
  'truncate',
  'wrong type',
  'redirect',
] as const;
/** The faults of the whole network or of a machine. */
export const TROUBLES = ['offline', 'clock step', 'freeze', 'restart', 'expiry'] as const;
export type Fault = (typeof FAULTS)[number] | (typeof TROUBLES)[number];

/** The timeout of clients, in milliseconds. */
export const TIMEOUT = 5000;

/** One attempt of a request. */
export interface Exchange {
  /** The number of its request. Requests are numbered in the order in which they were issued. */
  readonly call: number;
  readonly key: string;
  readonly tab: Tab;
}

interface Under {
  readonly exchange: Exchange;
  readonly fail: (error: unknown) => void;
  readonly succeed: (response: Response) => void;
}

/** The network between tabs and a server. Every message takes time, and faults happen at random. */
export class Network {
  readonly #clock: Clock;
  readonly #server: Server;
  readonly #chance: Random;
  readonly #under = new Set<Under>();
  readonly #lastArrival = new Map<Tab, number>();
  /** Whether requests of one tab arrive in the order in which they were sent. */
  readonly isOrdered: boolean;
  /** The probability of a fault in an exchange. */
  faultiness: number;
  readonly faults: Map<Fault, number> = new Map();
  /** The exchange of a response. */
  readonly exchanges: WeakMap<Response, Exchange> = new WeakMap();

  constructor(clock: Clock, server: Server, chance: Random, given: { isOrdered: boolean; faultiness: number }) {
    this.#clock = clock;
    this.#server = server;
    this.#chance = chance;
    this.isOrdered = given.isOrdered;
    this.faultiness = given.faultiness;
  }

  get underWay(): number {
    return this.#under.size;
  }

  count(fault: Fault): void {
    this.faults.set(fault, (this.faults.get(fault) ?? 0) + 1);
  }

  send(tab: Tab, exchange: Exchange, asked: Asked, signal: AbortSignal | null | undefined): Promise<Response> {
    return new Promise((resolve, reject) => {
      const under: Under = {
        exchange,
        fail: (error) => this.#end(under, () => reject(error)),
        succeed: (response) => {
          this.exchanges.set(response, exchange);
          this.#end(under, () => resolve(response));
        },
      };
      this.#under.add(under);
      signal?.addEventListener('abort', () => under.fail(signal.reason));
      if (signal?.aborted === true) under.fail(signal.reason);
      else if (!tab.isOnline) this.#later(under, 1, 'refused', () => under.fail(unreachable()));
      else this.#plan(under, asked);
    });
  }

  /** Ends all exchanges of a tab, or of all tabs, with an error. */
  breakOff(tab?: Tab): void {
    for (const under of [...this.#under])
      if (tab === undefined || under.exchange.tab === tab)
        this.#later(under, 1, 'broken', () => under.fail(unreachable()));
  }

  #end(under: Under, settle: () => void): void {
    if (!this.#under.delete(under)) return;
    settle();
    under.exchange.tab.onEnd(under.exchange);
  }

  /** Runs a function in the tab. If the tab sleeps, the function runs when it wakes up. */
  #later({ exchange }: Under, delay: number, what: string, run: () => void): void {
    this.#clock.in(delay, `${what} ${exchange.tab.name} ${exchange.key}`, () => exchange.tab.run(run));
  }

  #plan(under: Under, asked: Asked): void {
    const chance = this.#chance;
    const fault = chance.chance(this.faultiness) ? chance.pick(FAULTS) : undefined;
    if (fault !== undefined) this.count(fault);
    if (fault === 'hang') return;
    if (fault === 'redirect') return this.#answer(under, 20, { status: 302, body: null });
    const isEarly = chance.chance(0.5);
    if (isEarly && fault === 'drop') return this.#later(under, 30, 'dropped', () => under.fail(unreachable()));
    if (isEarly && fault === 'unavailable') return this.#answer(under, 30, { status: 503, body: { error: 'busy' } });
    if (fault === 'limited') return this.#answer(under, 10, { status: 429, body: { error: 'too many' } });
    const isReordered = fault === 'reorder' && !this.isOrdered;
    this.#arrive(under, asked, 5 + chance.below(isReordered ? 2000 : 60), (answered) => {
      if (fault === 'drop') return this.#later(under, 20, 'dropped', () => under.fail(unreachable()));
      if (fault === 'unavailable') return this.#answer(under, 20, { status: 500, body: { error: 'broken' } });
      const slow = {
        delay: 1000 + chance.below(3000),
        reorder: chance.below(1500),
        timeout: TIMEOUT + chance.below(5000),
      };
      this.#answer(under, 5 + chance.below(60) + (slow[fault as keyof typeof slow] ?? 0), answered, fault);
    });
    // A request that is not idempotent is not duplicated, neither by clients nor by networks.
    const isRepeatable = asked.idempotencyKey !== undefined || asked.method === 'GET' || asked.method === 'DELETE';
    if (fault === 'duplicate' && isRepeatable) this.#arrive(under, asked, 100 + chance.below(4000), () => {});
  }

  #arrive({ exchange }: Under, asked: Asked, delay: number, then: (answered: Answered) => void): void {
    const { tab, key } = exchange;
    const earliest = this.isOrdered ? (this.#lastArrival.get(tab) ?? 0) : 0;
    const at = Math.max(this.#clock.now + delay, earliest);
    this.#lastArrival.set(tab, at);
    // A request that a client has aborted reaches the server nevertheless.
    this.#clock.in(at - this.#clock.now, `arrives ${tab.name} ${key}`, () => then(this.#server.handle(asked)));
  }

  #answer(under: Under, delay: number, answered: Answered, fault?: Fault): void {
    this.#later(under, delay, `answers ${answered.status}`, () => under.succeed(responseOf(answered, fault)));
  }
}

function responseOf({ status, body }: Answered, fault: Fault | undefined): Response {
  const type = status === 404 ? 'application/problem+json' : 'application/json';
  const headers = { 'content-type': type, ...(status === 429 && { 'retry-after': '1' }) };
  const text = JSON.stringify(body);
  if (fault === 'truncate') return new Response(text.slice(0, text.length >> 1), { status, headers });
  if (fault === 'wrong type') return new Response('<p>Welcome', { status, headers: { 'content-type': 'text/html' } });
  return new Response(text, { status, headers });
}

function unreachable(): TypeError {
  return new TypeError('fetch failed');
}

/** 2026-01-01. */
const EPOCH = 1_767_225_600_000;

type Timer = { appointment: Appointment | undefined; isCleared: boolean };

/** The environment of one client: a clock that can be wrong, timers that can stop, and a network that can be offline. */
export class Tab implements Platform {
  readonly name: string;
  readonly #clock: Clock;
  readonly #network: Network;
  readonly #chance: Random;
  readonly #listeners = new Set<() => void>();
  #held: (() => void)[] = [];
  #timers = 0;
  /** Called for every attempt before it is sent. */
  onSend: (exchange: Exchange) => void = () => {};
  /** Called for every attempt after it was answered or has failed. */
  onEnd: (exchange: Exchange) => void = () => {};
  /** The error of the clock of this machine, in milliseconds. */
  skew = 0;
  isOnline = true;
  readonly #sleeps: { readonly from: number; until: number }[] = [];

  constructor(name: string, clock: Clock, network: Network, chance: Random) {
    this.name = name;
    this.#clock = clock;
    this.#network = network;
    this.#chance = chance;
  }

  /** The number of active timers. */
  get timers(): number {
    return this.#timers;
  }

  /** The number of listeners for `online` and `offline`. */
  get listeners(): number {
    return this.#listeners.size;
  }

  readonly presence: Presence = {
    isPresent: () => this.isOnline,
    subscribe: (onChange) => {
      const own = (): void => onChange();
      this.#listeners.add(own);
      return () => this.#listeners.delete(own);
    },
  };

  now = (): number => EPOCH + this.#clock.now + this.skew;
  random = (): number => this.#chance.next();

  setTimeout = (run: () => void, milliseconds: number): unknown => {
    const timer: Timer = { appointment: undefined, isCleared: false };
    this.#timers++;
    timer.appointment = this.#clock.in(milliseconds, `timer ${this.name}`, () =>
      this.run(() => {
        if (timer.isCleared) return;
        timer.isCleared = true;
        this.#timers--;
        run();
      }),
    );
    return timer;
  };

  clearTimeout = (given: unknown): void => {
    const timer = given as Timer | undefined;
    if (timer === undefined || timer.isCleared) return;
    timer.isCleared = true;
    this.#timers--;
    if (timer.appointment !== undefined) timer.appointment.run = undefined;
  };

  fetch = (url: string, init: RequestInit): Promise<Response> => {
    const { pathname, searchParams } = new URL(url);
    const headers = init.headers as Readonly<Record<string, string>>;
    const { method = 'GET', body } = init;
    const token = headers['Authorization'];
    const exchange: Exchange = { call: Number(headers['X-Call']), key: `${method} ${url}`, tab: this };
    this.onSend(exchange);
    const asked: Asked = {
      method,
      path: pathname,
      query: Object.fromEntries(searchParams),
      body: body === undefined ? undefined : (JSON.parse(String(body)) as Record<string, string>),
      token,
      idempotencyKey: headers['Idempotency-Key'],
    };
    return this.#network.send(this, exchange, asked, init.signal);
  };

  get isFrozen(): boolean {
    return (this.#sleeps.at(-1)?.until ?? 0) > this.#clock.now;
  }

  /** How many milliseconds the tab has slept since a time. */
  sleptSince(since: number): number {
    const { now } = this.#clock;
    return this.#sleeps.reduce(
      (sum, { from, until }) => sum + Math.max(0, Math.min(until, now) - Math.max(from, since)),
      0,
    );
  }

  freeze(): void {
    if (!this.isFrozen) this.#sleeps.push({ from: this.#clock.now, until: Number.POSITIVE_INFINITY });
  }

  /** Runs a function now, or when the tab wakes up. */
  run(run: () => void): void {
    if (this.isFrozen) this.#held.push(run);
    else run();
  }

  thaw(): void {
    const last = this.#sleeps.at(-1);
    if (last === undefined || !this.isFrozen) return;
    last.until = this.#clock.now;
    const held = this.#held;
    this.#held = [];
    for (const run of held) this.#clock.in(0, `wakes ${this.name}`, () => this.run(run));
  }

  goOnline(isOnline: boolean): void {
    if (this.isOnline === isOnline) return;
    this.isOnline = isOnline;
    if (!isOnline) this.#network.breakOff(this);
    for (const listener of this.#listeners) listener();
  }
}
