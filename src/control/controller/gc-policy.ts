import { LONGEST_TIMER, type Platform, platform } from '../../std/platform.ts';

/** What a policy may ask of the controller. */
export interface Collectable {
  collect(): Generator<undefined, number>;
}

/** Says when what is not shown is thrown away. */
export interface GCInterface {
  /** Called once the controller is ready. */
  init(controller: Collectable): void;
  cleanup(): void;
}

/** Runs something when there is nothing better to do, and tells it whether that is still so. Returns a function that ends it. */
export type WhenIdle = (run: (isIdle: () => boolean) => void) => () => void;

export interface GCPolicyOptions {
  /** Milliseconds between two collections. Default: five minutes; `Infinity`: none. */
  readonly intervalMS?: number;
  readonly platform?: Pick<Platform, 'setTimeout' | 'clearTimeout'>;
  readonly whenIdle?: WhenIdle;
}

/**
 * Collects from time to time, in idle slices. What is shown stays, and with it everything that it is made of; the rest
 * goes when it has been stale for as long as it was fresh, and not within two minutes.
 */
export class GCPolicy implements GCInterface {
  readonly #interval: number;
  readonly #platform: Pick<Platform, 'setTimeout' | 'clearTimeout'>;
  readonly #whenIdle: WhenIdle;
  #stop: () => void = () => {};

  constructor({
    intervalMS = 300_000,
    platform: clock = platform,
    whenIdle = idleOf(globalThis, clock),
  }: GCPolicyOptions = {}) {
    this.#interval = intervalMS;
    this.#platform = clock;
    this.#whenIdle = whenIdle;
  }

  init(controller: Collectable): void {
    this.cleanup();
    if (this.#interval === Number.POSITIVE_INFINITY) return;
    const timer = this.#platform.setTimeout(() => this.#collect(controller), Math.min(this.#interval, LONGEST_TIMER));
    // A script that has nothing else to do may end.
    (Object(timer) as { unref?(): void }).unref?.();
    this.#stop = () => this.#platform.clearTimeout(timer);
  }

  cleanup(): void {
    this.#stop();
  }

  #collect(controller: Collectable): void {
    const slices = controller.collect();
    const goOn = (isIdle: () => boolean): void => {
      do if (slices.next().done === true) return this.init(controller);
      while (isIdle());
      next();
    };
    const next = (): void => {
      const stop = this.#whenIdle(goOn);
      this.#stop = () => {
        stop();
        // Ends the collection in the store too.
        slices.return(0);
      };
    };
    next();
  }
}

/** Keeps everything. */
export class ImmortalGCPolicy implements GCInterface {
  init(): void {}
  cleanup(): void {}
}

/** The parts of a page that tell when it is idle. */
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
