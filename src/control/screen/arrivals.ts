import { platform } from '../../std/platform.ts';
import type { Store } from '../../state/store/store.ts';
import { type Deferred, deferred } from '../../std/deferred.ts';

/** A change that is on its way to a screen. */
export interface Arrival {
  /** It is in the page. */
  isShown?: boolean;
  /** It is there with all its effects, or has been tried and has to wait. */
  isOver?: boolean;
}

/** Changes that are rendered together, the latest first. */
export interface Arriving {
  readonly change: Arrival;
  readonly before: Arriving | undefined;
}

/** For how long, at least, a screen is waited for that cannot even try: one that suspends as a whole. */
const LONGEST = 1000;

/** Changes that have been given to React, and are not on the screen yet. */
export class Arrivals {
  readonly #coming = new Set<Arrival>();
  /** What readers suspend for. */
  readonly #suspended = new Set<Promise<unknown>>();
  /** Takes in a change, in the lane in which it is rendered. */
  #follow: ((change: Arrival) => void) | undefined;
  #wait: Deferred | undefined;
  #timer: unknown;
  readonly #isHeldBack: () => boolean;

  /** `isHeldBack` says whether nothing will be rendered until something is over that may itself wait. */
  constructor(isHeldBack: () => boolean) {
    this.#isHeldBack = isHeldBack;
  }

  /** The screen is mounted. Returns a function that says that it is unmounted. */
  start(store: Store, follow: (change: Arrival) => void): () => void {
    const all = mounted.get(store) ?? new Set();
    mounted.set(store, all.add(this));
    this.#follow = follow;
    return () => {
      all.delete(this);
      this.#follow = undefined;
      // Effects also go and come back in one turn, in StrictMode.
      void Promise.resolve().then(() => this.#follow ?? this.#giveUp());
    };
  }

  /** Something is about to be rendered with `change`. */
  expect(change: Arrival): void {
    if (this.#follow === undefined || this.#isHeldBack()) return;
    this.#coming.add(change);
    this.#follow(change);
  }

  /** Something is suspended until `there` resolves, and `onThere` is called. It never rejects. */
  suspend(there: Promise<unknown>, onThere: () => void): void {
    if (this.#suspended.has(there)) return;
    this.#suspended.add(there);
    const end = (): void => {
      this.#suspended.delete(there);
      onThere();
    };
    void there.then(end);
  }

  /** They have been rendered. What is not in the page by now suspends, in a transition. */
  tried(changes: Arriving | undefined): void {
    for (let at = changes; at !== undefined; at = at.before) if (at.change.isShown !== true) this.#over(at.change);
    this.#settle();
  }

  shown(changes: Arriving | undefined): void {
    for (let at = changes; at !== undefined; at = at.before) at.change.isShown = true;
  }

  end(changes: Arriving | undefined): void {
    for (let at = changes; at !== undefined; at = at.before) this.#over(at.change);
    this.#settle();
  }

  #over(change: Arrival): void {
    change.isOver = true;
    this.#coming.delete(change);
  }

  #settle(): void {
    if (this.#coming.size > 0) return;
    this.#wait?.resolve();
    this.#wait = undefined;
  }

  /** Whether anything is on its way, or may soon be. */
  get isAny(): boolean {
    return this.#coming.size > 0 || this.#suspended.size > 0;
  }

  get isAwaited(): boolean {
    return this.#wait !== undefined;
  }

  /** Resolves when nothing is on its way; `undefined` where nothing is. */
  wait(): Promise<void> | undefined {
    if (this.#coming.size === 0) return undefined;
    this.#wait ??= deferred();
    this.#limit(this.#wait);
    return this.#wait.promise;
  }

  /** One timer for many waits: to start one each time would take longer than all the rest. */
  #limit(wait: Deferred): void {
    if (this.#timer !== undefined) return;
    this.#timer = platform.setTimeout(() => {
      this.#timer = undefined;
      if (this.#wait === wait) this.#giveUp();
      else if (this.#wait) this.#limit(this.#wait);
    }, LONGEST);
    (Object(this.#timer) as { unref?(): void }).unref?.();
  }

  #giveUp(): void {
    for (const change of this.#coming) this.#over(change);
    this.#settle();
  }
}

/** The changes with one more, without those at their head that are over. */
export function withChange(changes: Arriving | undefined, change: Arrival): Arriving {
  let before = changes;
  while (before?.change.isOver === true) before = before.before;
  return { change, before };
}

const mounted = new WeakMap<Store, Set<Arrivals>>();

/** Resolves when all that was committed is on every screen that shows it; `undefined` where it is already. */
export function onScreens(store: Store): Promise<void> | undefined {
  const all = [...(mounted.get(store) ?? [])];
  return all.some(({ isAny }) => isAny) ? arrived(all) : undefined;
}

async function arrived(all: readonly Arrivals[]): Promise<void> {
  // A component suspends in one of the turns that follow.
  await Promise.resolve();
  await Promise.resolve();
  await Promise.all(all.map(async (arrivals) => arrivals.wait()));
}
