/** A network with a clock of its own, between a page and a server in memory. A seed decides how long each request takes, and which fail. */
import { platform as realPlatform, type Platform } from 'rejoin';
import { type Appointment, Clock } from '../../reliability/network/clock.ts';
import { type Random, random } from '../random.ts';
import { seeded } from '../seeded-scheduler.ts';

export type Fields = Readonly<Record<string, unknown>>;

export interface Call {
  readonly method: string;
  /** The parts of the path. */
  readonly path: readonly string[];
  readonly search: Readonly<Record<string, string>>;
  /** The fields of a form are those of its parts; a file is its text. */
  readonly body: Fields;
  readonly headers: Headers;
}

export interface Reply {
  /** The request is never answered. */
  readonly isStuck?: boolean;
  readonly status?: number;
  readonly body?: unknown;
  readonly headers?: Readonly<Record<string, string>>;
}

/** The frequency of mutations that fail before the server has handled them, and of those that it handles and whose answer is lost. */
export interface Troubles {
  readonly failed: number;
  readonly lost: number;
}

/** Some turns of the event loop, in which React renders. */
export async function turns(count: number): Promise<void> {
  // oxlint-disable-next-line no-await-in-loop -- one turn after another
  for (let at = 0; at < count; at++) await new Promise((resolve) => setImmediate(resolve));
}

export class Network {
  /** The number of requests in flight, and of messages that are not delivered. */
  open = 0;
  /** Requests are answered at once, without a failure and without an entry in the log: those of a fresh page. */
  isFresh = false;
  troubles: Troubles = { failed: 0, lost: 0 };
  /** Without a network, requests do not reach the server, and its answers do not arrive. */
  isOnline = true;
  log: string[] = [];
  /** Answers requests that it does not want to see as calls: streams. */
  streams: ((url: string, init: RequestInit) => Promise<Response>) | undefined;
  #clock = new Clock();
  #choice: Random = random(1);
  #server: (call: Call) => Reply = () => ({ status: 404 });
  /** Mutations reach the server in the order in which they were sent. */
  #reached = 0;

  readonly platform: Platform = {
    ...realPlatform,
    fetch: (url, init) => (url.includes('/stream') && this.streams ? this.streams(url, init) : this.#fetch(url, init)),
    now: () => this.now(),
    random: () => 0.5,
    setTimeout: (run, delay) => this.#clock.in(delay, 'timer', run),
    clearTimeout: (timer) => {
      if (timer !== undefined) (timer as Appointment).run = undefined;
    },
  };

  #count = 0;

  now = (): number => 1_000_000 + this.#clock.now;

  /** A number that was not returned before. */
  next = (): number => ++this.#count;

  begin(seed: number, server: (call: Call) => Reply): void {
    this.#choice = random(seed + 0.5);
    this.#server = server;
    this.open = 0;
    this.log = [];
    this.troubles = { failed: 0, lost: 0 };
    this.isOnline = true;
    this.streams = undefined;
    this.#clock = new Clock();
    this.#reached = 0;
    this.#count = 100;
  }

  /** Runs a function after a random time, or at a time. Returns the time. */
  later(run: () => void, at: number = this.now() + this.#delay()): number {
    this.open++;
    this.#clock.in(at - this.now(), 'message', () => {
      this.open--;
      run();
    });
    return at;
  }

  /** Lets time pass. React renders between any two events. */
  async pass(milliseconds: number): Promise<void> {
    const end = this.#clock.now + milliseconds;
    for (let at = this.#clock.peek(); at !== undefined && at <= end; at = this.#clock.peek()) {
      this.#clock.next()?.run?.();
      // oxlint-disable-next-line no-await-in-loop -- one event after another
      await turns(this.#choice.below(4));
    }
    this.#clock.now = end;
    await turns(2);
  }

  /** Lets time pass until nothing has been in flight for two seconds. Returns false if that takes more than two minutes. */
  async rest(isQuiet: () => boolean = () => true): Promise<boolean> {
    const end = this.#clock.now + 120_000;
    for (let quiet = 0; quiet < 20; quiet++) {
      // oxlint-disable-next-line no-await-in-loop -- one after another
      await this.pass(100);
      if (this.open > 0 || !isQuiet() || (seeded?.waiting ?? 0) > 0) quiet = 0;
      if (this.#clock.now > end) return false;
    }
    return true;
  }

  #delay(): number {
    return this.#choice.isLucky(0.15) ? 100 + this.#choice.below(400) : 5 + this.#choice.below(60);
  }

  /** A short time, as an operation of a disk takes. */
  soon = (): Promise<void> => this.#wait(this.now() + this.#choice.below(8));

  #wait(until: number = this.now() + this.#delay()): Promise<void> {
    return new Promise((resolve) => {
      this.later(resolve, until);
    });
  }

  async #fetch(url: string, { body, headers: given, method = 'GET', signal }: RequestInit): Promise<Response> {
    const { pathname, searchParams } = new URL(url, 'http://server');
    const sent = (
      typeof body === 'string' ? JSON.parse(body) : body instanceof FormData ? await partsOf(body) : {}
    ) as Fields;
    const path = pathname.split('/').slice(1);
    const headers = new Headers(given);
    const call = { method, path, search: Object.fromEntries(searchParams), body: sent, headers };
    if (this.isFresh) return respond(this.#server(call));
    const name = `${method} ${url} ${body ? JSON.stringify(sent) : ''}`;
    const { isLucky } = this.#choice;
    const [isFailed, isLost] =
      method === 'GET' ? [false, false] : [isLucky(this.troubles.failed), isLucky(this.troubles.lost)];
    this.open++;
    try {
      const arrival = this.now() + this.#delay();
      if (method !== 'GET') this.#reached = Math.max(this.#reached, arrival);
      await this.#wait(method === 'GET' ? arrival : this.#reached);
      if (isFailed || !this.isOnline) throw new TypeError('Failed to fetch');
      const reply = this.#server(call);
      this.log.push(`  ${name} → ${reply.status ?? 200} ${JSON.stringify(reply.body)}`);
      if (reply.isStuck) await aborted(signal);
      await this.#wait();
      const isCut = isLost || !this.isOnline;
      this.log.push(`  answered ${name}${isCut ? ', lost' : ''}`);
      if (isCut) throw new TypeError('Failed to fetch');
      signal?.throwIfAborted();
      return respond(reply);
    } finally {
      this.open--;
    }
  }
}

function aborted(signal: AbortSignal | null | undefined): Promise<never> {
  return new Promise((_, reject) => {
    signal?.addEventListener('abort', () => reject(signal.reason as Error));
  });
}

async function partsOf(body: FormData): Promise<Fields> {
  const parts = Array.from(body, async ([name, part]) => [name, typeof part === 'string' ? part : await part.text()]);
  return Object.fromEntries(await Promise.all(parts)) as Fields;
}

function respond({ body, headers, status = 200 }: Reply): Response {
  const init = { status, ...(headers && { headers }) };
  return body === undefined ? new Response(null, init) : Response.json(body, init);
}
