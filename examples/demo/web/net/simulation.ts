import { session } from './session.ts';

export interface Conditions {
  /** Milliseconds before each answer. A list is used in turn, so that a later request overtakes an earlier one. */
  readonly latency: number | readonly number[];
  /** The share of mutations that the server refuses, from 0 to 1. */
  readonly failRate: number;
  readonly offline: boolean;
}

const USUAL: Conditions = { latency: 0, failRate: 0, offline: false };
const CONTROL = '/api/simulate';

/** The network that the API simulates for this tab. */
export class Simulation {
  readonly #listeners = new Set<() => void>();
  #conditions = USUAL;
  #send: typeof fetch = fetch;

  readonly current = (): Conditions => this.#conditions;
  readonly subscribe = (listener: () => void): (() => void) => {
    this.#listeners.add(listener);
    return () => void this.#listeners.delete(listener);
  };

  /** Adds the id of this tab to each request. */
  wrap(send: typeof fetch): typeof fetch {
    this.#send = send;
    return (input, init) => send(input, { ...init, headers: { ...headersOf(init), 'X-Session': session } });
  }

  async change(change: Partial<Conditions>): Promise<void> {
    this.#conditions = { ...this.#conditions, ...change };
    for (const listener of this.#listeners) listener();
    const { failRate } = this.#conditions;
    await this.#send(CONTROL, {
      method: 'PUT',
      headers: { 'Content-Type': 'application/json', 'X-Session': session },
      // Only mutations are refused, because a page without data would show nothing.
      body: JSON.stringify(failRate > 0 ? { ...this.#conditions, methods: CHANGES } : this.#conditions),
    });
  }
}

const CHANGES = ['POST', 'PUT', 'PATCH', 'DELETE'];

function headersOf(init: RequestInit | undefined): Record<string, string> {
  return Object.fromEntries(new Headers(init?.headers));
}
