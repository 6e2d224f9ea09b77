import { assertAboveZero } from './assert-above-zero.ts';
import { allowExit, MAX_TIMER_MS, type Platform, platform } from '../../std/platform.ts';

/** The part of the controller that a policy uses. */
export interface Collectable {
  collect(): Generator<undefined, number>;
}

/** Decides when data that is not shown is removed. */
export interface GCInterface {
  /** Called once a controller is ready. One policy may serve several controllers. */
  init(controller: Collectable): void;
  /** Called when a controller is disposed of. */
  cleanup(controller: Collectable): void;
}

/** Calls `run` when the page is idle. `isIdle` returns whether the page is still idle. Returns a function that cancels the call. */
export type WhenIdle = (run: (isIdle: () => boolean) => void) => () => void;

/** The options of `GCPolicy`. */
export interface GCPolicyOptions {
  /** Milliseconds between two collections. Default: five minutes. `Infinity` switches them off. */
  readonly intervalMS?: number;
  readonly platform?: Pick<Platform, 'setTimeout' | 'clearTimeout'>;
  readonly whenIdle?: WhenIdle;
}

/** Stops a collection while a slice of it runs. A generator cannot be ended by what it calls. */
const inSlice = (): void => {};

/**
 * Removes data from time to time, in slices while the page is idle. Shown data stays, with every record that it contains. Other data
 * is removed when it has been stale for as long as it was fresh, but not in the first two minutes after it was fetched.
 */
export class GCPolicy implements GCInterface {
  readonly #interval: number;
  readonly #platform: Pick<Platform, 'setTimeout' | 'clearTimeout'>;
  readonly #whenIdle: WhenIdle;
  /** The functions that stop the collections of each controller. */
  readonly #stops = new Map<Collectable, () => void>();

  constructor({
    intervalMS = 300_000,
    platform: clock = platform,
    whenIdle = idleOf(globalThis, clock),
  }: GCPolicyOptions = {}) {
    assertAboveZero('a GCPolicy', { intervalMS });
    this.#interval = intervalMS;
    this.#platform = clock;
    this.#whenIdle = whenIdle;
  }

  init(controller: Collectable): void {
    if (this.#interval === Number.POSITIVE_INFINITY) return;
    const timer = this.#platform.setTimeout(() => this.#collect(controller), Math.min(this.#interval, MAX_TIMER_MS));
    allowExit(timer);
    const stop = (): void => this.#platform.clearTimeout(timer);
    this.#stops.set(controller, stop);
  }

  cleanup(controller: Collectable): void {
    this.#stops.get(controller)?.();
    this.#stops.delete(controller);
  }

  #collect(controller: Collectable): void {
    const slices = controller.collect();
    const run = (isIdle: () => boolean): void => {
      this.#stops.set(controller, inSlice);
      do {
        const isDone = slices.next().done === true;
        // A listener of the store has disposed of the controller.
        if (this.#stops.get(controller) !== inSlice) return void slices.return(0);
        if (isDone) return this.init(controller);
      } while (isIdle());
      next();
    };
    const next = (): void => {
      const stop = this.#whenIdle(run);
      this.#stops.set(controller, () => {
        stop();
        // Lets the store clean up after an unfinished collection.
        slices.return(0);
      });
    };
    next();
  }
}

/** Never removes anything. */
export class ImmortalGCPolicy implements GCInterface {
  init(): void {}
  cleanup(): void {}
}

/** The functions of a page that report idle time. */
export interface IdlePage {
  requestIdleCallback?(run: (deadline: { timeRemaining(): number }) => void): number;
  cancelIdleCallback?(handle: number): void;
}

export function idleOf(page: IdlePage, clock: Pick<Platform, 'setTimeout' | 'clearTimeout'>): WhenIdle {
  return (run) => {
    if (page.requestIdleCallback !== undefined) {
      const handle = page.requestIdleCallback((deadline) => run(() => deadline.timeRemaining() > 1));
      return () => page.cancelIdleCallback?.(handle);
    }
    const timer = clock.setTimeout(() => run(() => false), 0);
    return () => clock.clearTimeout(timer);
  };
}
