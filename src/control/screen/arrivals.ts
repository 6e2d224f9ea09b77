import { memo } from '../../std/memo.ts';
import { allowExit, platform } from '../../std/platform.ts';
import type { Store } from '../../state/store/store.ts';
import { type Deferred, deferred } from '../../std/deferred.ts';

/** A change that has been passed to React. */
export interface Arrival {
  /** Whether the screen shows the change already. */
  readonly isOnScreen?: boolean;
  /** Whether the change is in the page. */
  isShown?: boolean;
  /** Whether the change is in the page with all effects, or was rendered and suspends. */
  isOver?: boolean;
}

/** Changes that are rendered together, the latest first. A linked list. */
export interface Arriving {
  readonly change: Arrival;
  readonly before: Arriving | undefined;
}

export interface ArrivalsOptions {
  /** Whether React renders nothing until other work has ended, such as a view transition, which may itself wait for the render. Default: never. */
  readonly isHeldBack?: () => boolean;
  /** Whether changes made now are rendered in a transition. Default: never. */
  readonly isInTransition?: () => boolean;
}

/** Milliseconds after which `Arrivals` stops waiting for a screen that cannot render, because all of it suspends. */
const MAX_WAIT_MS = 1000;

/** The changes that have been passed to React and are not on the screen yet. */
export class Arrivals {
  readonly #pending = new Set<Arrival>();
  /** The promises for which readers suspend. */
  readonly #suspended = new Set<Promise<unknown>>();
  /** Adds a change to the state of a component, with the priority of the render that shows it. */
  #render: ((change: Arrival) => void) | undefined;
  #wait: Deferred | undefined;
  #timer: unknown;
  readonly #options: ArrivalsOptions;

  constructor(options: ArrivalsOptions) {
    this.#options = options;
  }

  /** Call it when the screen is mounted. Returns the function to call when it is unmounted. */
  start(store: Store, render: (change: Arrival) => void): () => void {
    const all = memo(mounted, store, () => new Set()).add(this);
    this.#render = render;
    return () => {
      all.delete(this);
      this.#render = undefined;
      // In StrictMode, effects are removed and added again in one turn.
      void Promise.resolve().then(() => this.#render ?? this.#stopWaiting());
    };
  }

  /** Call it before a render that shows `change`. */
  expect(change: Arrival): void {
    if (this.#render === undefined || this.#options.isHeldBack?.() === true) return;
    this.#pending.add(change);
    this.#render(change);
  }

  /** As `expect`, for a change that may be on the screen by the next microtask, as that of a click. Then there is nothing to wait for. */
  expectUnlessShown(change: Arrival): void {
    if (this.#options.isInTransition?.() === true) return this.expect(change);
    // React renders the change of a click in a microtask before this one.
    void Promise.resolve().then(() => change.isOnScreen === true || this.expect(change));
  }

  /** Notes that a component suspends until `promise` resolves; `onEnd` is called then. `promise` must not reject. */
  suspend(promise: Promise<unknown>, onEnd: () => void): void {
    if (this.#suspended.has(promise)) return;
    this.#suspended.add(promise);
    const end = (): void => {
      this.#suspended.delete(promise);
      onEnd();
    };
    void promise.then(end);
  }

  /** Call it when the changes have been rendered. A change that is not in the page by now suspends in a transition. */
  noteRendered(changes: Arriving | undefined): void {
    for (let at = changes; at !== undefined; at = at.before) if (at.change.isShown !== true) this.#finish(at.change);
    this.#settle();
  }

  /** Call it when the changes are in the page. */
  noteShown(changes: Arriving | undefined): void {
    for (let at = changes; at !== undefined; at = at.before) at.change.isShown = true;
  }

  /** Call it when the changes are in the page and their effects have run. */
  end(changes: Arriving | undefined): void {
    for (let at = changes; at !== undefined; at = at.before) this.#finish(at.change);
    this.#settle();
  }

  /** Stops waiting for a change. */
  stopWaitingFor(change: Arrival): void {
    this.#finish(change);
    this.#settle();
  }

  #finish(change: Arrival): void {
    change.isOver = true;
    this.#pending.delete(change);
  }

  #settle(): void {
    if (this.#pending.size > 0) return;
    this.#wait?.resolve();
    this.#wait = undefined;
  }

  /** Whether a change is not on the screen yet, or will be expected soon. */
  get isAny(): boolean {
    return this.#pending.size > 0 || this.#suspended.size > 0;
  }

  /** Whether code waits until the changes are on the screen. */
  get isAwaited(): boolean {
    return this.#wait !== undefined;
  }

  /** Resolves when all changes are on the screen; `undefined` if they are already. */
  wait(): Promise<void> | undefined {
    if (this.#pending.size === 0) return undefined;
    this.#wait ??= deferred();
    this.#limit(this.#wait);
    return this.#wait.promise;
  }

  /** One timer for many waits, because starting a timer for each would cost more than all the other work. */
  #limit(wait: Deferred): void {
    if (this.#timer !== undefined) return;
    this.#timer = platform.setTimeout(() => {
      this.#timer = undefined;
      if (this.#wait === wait) this.#stopWaiting();
      else if (this.#wait) this.#limit(this.#wait);
    }, MAX_WAIT_MS);
    allowExit(this.#timer);
  }

  #stopWaiting(): void {
    for (const change of this.#pending) this.#finish(change);
    this.#settle();
  }
}

/** Adds a change, and drops those at the head that are over. */
export function withChange(changes: Arriving | undefined, change: Arrival): Arriving {
  let before = changes;
  while (before?.change.isOver === true) before = before.before;
  return { change, before };
}

const mounted = new WeakMap<Store, Set<Arrivals>>();

/** Resolves when every commit is on every screen that shows it; `undefined` if it is already. */
export function onScreens(store: Store): Promise<void> | undefined {
  const all = [...(mounted.get(store) ?? [])];
  return all.some(({ isAny }) => isAny) ? untilAllArrived(all) : undefined;
}

async function untilAllArrived(all: readonly Arrivals[]): Promise<void> {
  // A component may suspend in one of the next turns.
  await Promise.resolve();
  await Promise.resolve();
  await Promise.all(all.map(async (arrivals) => arrivals.wait()));
}
