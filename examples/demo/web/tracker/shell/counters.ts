import { createContext, use } from 'react';

export const SIDES = ['rejoin', 'tanstack'] as const;
export type Side = (typeof SIDES)[number];
export const SIDE_NAMES: Readonly<Record<Side, string>> = { rejoin: 'Rejoin', tanstack: 'TanStack Query' };

export interface Counts {
  readonly requests: number;
  readonly renders: number;
}

const ZERO: Counts = { requests: 0, renders: 0 };
const QUIET_MS = 150;
/** Requests that open a stream or set the simulated network are not requests of a screen. */
const UNCOUNTED = /^\/api\/(?:events|simulate|items\/events)/;

/** Counts the requests and renders of both versions of the screens since the last reset. */
class Counters {
  #counts: Readonly<Record<Side, Counts>> = { rejoin: ZERO, tanstack: ZERO };
  readonly #listeners = new Set<() => void>();
  #timer: ReturnType<typeof setTimeout> | undefined;
  /** The version that runs: requests are counted for it. */
  running: Side = 'rejoin';

  readonly current = (): Readonly<Record<Side, Counts>> => this.#counts;
  readonly subscribe = (listener: () => void): (() => void) => {
    this.#listeners.add(listener);
    return () => void this.#listeners.delete(listener);
  };

  count(side: Side, what: keyof Counts): void {
    const counts = this.#counts[side];
    this.#counts = { ...this.#counts, [side]: { ...counts, [what]: counts[what] + 1 } };
    this.#notify();
  }

  reset(): void {
    this.#counts = { rejoin: ZERO, tanstack: ZERO };
    this.#notify();
  }

  wrap(send: typeof fetch): typeof fetch {
    return (input, init) => {
      const { pathname } = new URL(input instanceof Request ? input.url : input, location.href);
      if (!UNCOUNTED.test(pathname)) this.count(this.running, 'requests');
      return send(input, init);
    };
  }

  /** Notifies only when nothing has changed for a while, because an update during a render would make React render again, and so change the count. */
  #notify(): void {
    clearTimeout(this.#timer);
    this.#timer = setTimeout(() => {
      for (const listener of this.#listeners) listener();
    }, QUIET_MS);
  }
}

export const counters: Counters = new Counters();

export const SideContext: React.Context<Side> = createContext<Side>('rejoin');

/**
 * Called by each component of the screens. The build adds the calls.
 *
 * @public
 */
export function useRenderCount(): void {
  counters.count(use(SideContext), 'renders');
}
