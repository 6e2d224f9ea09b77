import { platform, type Platform } from '../../src/std/platform.ts';

interface StoredAnswer {
  readonly status: number;
  readonly body: unknown;
}

/** A request that the server has received. */
export interface Effect {
  readonly method: string;
  readonly path: string;
  readonly body: Readonly<Record<string, unknown>>;
  readonly key: string | undefined;
}

export type Trouble =
  | 'offline'
  | 'lost answer'
  | 'answer cut off'
  | 'unreadable answer'
  | number
  | { readonly status: number; readonly headers?: object; readonly body?: unknown };

/** A server with todos and comments that carries out each idempotency key once, and records what it has carried out. */
export class Server {
  readonly records = new Map<string, Readonly<Record<string, unknown>>>();
  readonly effects: Effect[] = [];
  /** Each request that arrived, also repeats. */
  readonly requests: Effect[] = [];
  readonly #answers = new Map<string, StoredAnswer>();
  #ids = 100;
  #now = Date.now();
  isOnline = true;
  /** The outcomes of the next requests, in order. */
  readonly troubles: (Trouble | undefined)[] = [];
  /** Decides for each request, instead of `troubles`. */
  trouble: (effect: Effect) => Trouble | undefined = () => this.troubles.shift();

  readonly platform: Platform = {
    ...platform,
    random: () => 0.5,
    // Timers here ignore their delays, so work must not pause by the time that a busy machine takes.
    now: () => (this.#now += 0.001),
    setTimeout: (run) => {
      const timer = { isOver: false };
      let left = 5;
      const turn = (): void => {
        if (timer.isOver) return;
        if (left-- > 0) setImmediate(turn);
        else run();
      };
      setImmediate(turn);
      return timer;
    },
    clearTimeout: (timer) => void (timer !== undefined && ((timer as { isOver: boolean }).isOver = true)),
    fetch: (url, init) => this.#fetch(url, init),
  };

  async #fetch(url: string, { body, headers, method = 'GET', signal }: RequestInit): Promise<Response> {
    await new Promise(setImmediate);
    signal?.throwIfAborted();
    const { pathname } = new URL(url);
    const fields =
      typeof body === 'string' ? JSON.parse(body) : body instanceof FormData ? Object.fromEntries(body) : {};
    const key = new Headers(headers).get('idempotency-key') ?? undefined;
    const effect: Effect = { method, path: pathname, body: fields as Effect['body'], key };
    const trouble = this.isOnline ? this.trouble(effect) : 'offline';
    if (trouble === 'offline') throw new TypeError('Failed to fetch');
    if (method !== 'GET') this.requests.push(effect);
    if (typeof trouble === 'number') return json(trouble, { message: 'refused' });
    if (typeof trouble === 'object') return json(trouble.status, trouble.body ?? {}, trouble.headers);
    const answer = this.#answerTo(effect);
    if (trouble === 'lost answer') throw new TypeError('Failed to fetch');
    const whole = json(answer.status, answer.body);
    // As Firefox gives a compressed answer whose connection was lost.
    if (trouble === 'answer cut off') return new Response((await whole.text()).slice(0, -1), whole);
    return trouble === 'unreadable answer' ? new Response('<p>Saved</p>', whole) : whole;
  }

  #answerTo(effect: Effect): StoredAnswer {
    const known = effect.key === undefined ? undefined : this.#answers.get(effect.key);
    if (known !== undefined) return known;
    const answer = this.#carryOut(effect);
    if (effect.key !== undefined) this.#answers.set(effect.key, answer);
    return answer;
  }

  #carryOut(effect: Effect): StoredAnswer {
    const { body, method, path } = effect;
    if (method === 'GET') {
      const known = this.records.get(path);
      return known ? { status: 200, body: known } : { status: 404, body: {} };
    }
    const [, table = '', pk] = path.split('/');
    const isNew = method === 'POST';
    const id = isNew ? (body['id'] ?? String(++this.#ids)) : pk;
    const place = `/${table}/${String(id)}`;
    if (!isNew && !this.records.has(place)) return { status: 404, body: {} };
    this.effects.push(effect);
    if (method === 'DELETE') {
      this.records.delete(place);
      return { status: 200, body: {} };
    }
    const record = { ...this.records.get(place), ...body, id };
    this.records.set(place, record);
    return { status: isNew ? 201 : 200, body: record };
  }
}

function json(status: number, body: unknown, headers: object = {}): Response {
  return new Response(JSON.stringify(body), { status, headers: { 'content-type': 'application/json', ...headers } });
}
