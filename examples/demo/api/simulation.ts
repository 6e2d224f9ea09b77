import { Line } from './line.ts';
import { scramble } from './random.ts';

/** The simulated network of one client. */
export interface Simulation {
  /** Milliseconds before the answer. A list is used in turn, so that a later request can overtake an earlier one. */
  readonly latency: number | readonly number[];
  /** The share of failing requests, from 0 to 1. `seed` determines which ones fail. */
  readonly failRate: number;
  /** How many of the next requests fail, in addition to `failRate`. */
  readonly failNext: number;
  /** The status of a failure. */
  readonly failStatus: number;
  /** `after`: the request is carried out, and its answer lost. */
  readonly failAt: 'before' | 'after';
  /** Only requests with these methods are delayed or fail; all when empty. */
  readonly methods: readonly string[];
  /** Whether all connections are closed, including event streams. */
  readonly offline: boolean;
  readonly seed: number;
}

export const CLEAR: Simulation = {
  latency: 0,
  failRate: 0,
  failNext: 0,
  failStatus: 503,
  failAt: 'before',
  methods: [],
  offline: false,
  seed: 1,
};

/** What happens to one request. */
export interface Fate {
  readonly latency: number;
  readonly offline: boolean;
  /** The status to fail with. */
  readonly fail: number | undefined;
  readonly failAt: 'before' | 'after';
}

interface Session {
  simulation: Simulation;
  /** The number of requests so far. It determines what happens to the next one. */
  requests: number;
  failuresLeft: number;
  readonly line: Line;
}

const MAX_SESSIONS = 1_000;
const PART = /^(?:(latency)=(\d{1,5})|(fail)=([45]\d\d)|(offline)|(lose))$/;

/** The simulated network of each session. */
export class Simulations {
  readonly #sessions = new Map<string, Session>();

  get(name: string): Simulation {
    return this.#sessions.get(name)?.simulation ?? CLEAR;
  }

  /** Sets a simulation, and starts counting requests again. */
  set(name: string, simulation: Partial<Simulation>): Simulation {
    const before = this.#sessions.get(name);
    const wanted = { ...CLEAR, ...simulation };
    this.#sessions.delete(name);
    this.#sessions.set(name, {
      simulation: wanted,
      requests: 0,
      failuresLeft: wanted.failNext,
      line: before?.line ?? new Line(),
    });
    if (wanted.offline) before?.line.cut();
    const oldest = this.#sessions.keys().next().value;
    if (this.#sessions.size > MAX_SESSIONS && oldest !== undefined) this.#sessions.delete(oldest);
    return wanted;
  }

  /** The open connections of the session. They are closed when it goes offline. */
  lineOf(name: string): Line {
    if (!this.#sessions.has(name)) this.set(name, CLEAR);
    return this.#sessions.get(name)?.line ?? new Line();
  }

  /** Decides what happens to the next request of a session. `header` applies to this request only: `X-Simulate: latency=300, fail=500`. */
  fateOf(name: string | undefined, method: string, header: string | null): Fate {
    const session = name === undefined ? undefined : this.#sessions.get(name);
    const fate = session === undefined ? undefined : next(session, method);
    return header === null ? (fate ?? UNDISTURBED) : { ...(fate ?? UNDISTURBED), ...parse(header) };
  }
}

const UNDISTURBED: Fate = { latency: 0, offline: false, fail: undefined, failAt: 'before' };

function next(session: Session, method: string): Fate {
  const { latency, failRate, failStatus, failAt, methods, offline, seed } = session.simulation;
  if (offline) return { ...UNDISTURBED, offline };
  if (methods.length > 0 && !methods.includes(method)) return UNDISTURBED;
  const at = session.requests++;
  const fails = session.failuresLeft > 0 || scramble(seed, at) / 2 ** 32 < failRate;
  if (session.failuresLeft > 0) session.failuresLeft--;
  const delays = [latency].flat();
  return { latency: delays[at % delays.length] ?? 0, offline, fail: fails ? failStatus : undefined, failAt };
}

function parse(header: string): Partial<Fate> {
  let fate: Partial<Fate> = {};
  for (const part of header.split(',')) {
    const [, latency, milliseconds, fail, status, offline, lose] = PART.exec(part.trim()) ?? [];
    if (latency !== undefined) fate = { ...fate, latency: Number(milliseconds) };
    else if (fail !== undefined) fate = { ...fate, fail: Number(status) };
    else if (offline !== undefined) fate = { ...fate, offline: true };
    else if (lose !== undefined) fate = { ...fate, fail: 503, failAt: 'after' };
  }
  return fate;
}
