import { type Platform, platform } from '../../std/platform.ts';
import { actionTypes } from '../controller/action.ts';
import { type Manager, type Middleware, type MiddlewareAPI, NO_CONTROLLER } from '../controller/manager.ts';
import type { ShownRequest } from '../view/responses.ts';
import { assertAboveZero } from '../controller/assert-above-zero.ts';
import { type Page, presenceOf, type Presence } from './presence.ts';
import { elapsed } from '../../std/elapsed.ts';
import { callListener } from '../../std/listeners.ts';

/** The options of `RefetchManager`. */
export interface RefetchManagerOptions {
  /** Whether to refetch when the user comes back to the page. Default: true. */
  readonly onFocus?: boolean;
  /** Whether to refetch when the network comes back. Default: true. */
  readonly onReconnect?: boolean;
  /** Filters the stale requests that are shown or subscribed to. Default: all are sent again. */
  readonly only?: (request: ShownRequest) => boolean;
  /** The largest number of refetches at a time. Default: 4. */
  readonly atOnce?: number;
  /** The shortest time between two refetches of the page, in milliseconds. Default: 5,000. */
  readonly interval?: number;
  /** The longest random delay before a refetch, in milliseconds. It keeps many pages from refetching at the same moment. Default: 500. */
  readonly jitter?: number;
  readonly page?: Page;
  readonly platform?: Pick<Platform, 'setTimeout' | 'clearTimeout' | 'random'>;
}

/** Refetches stale data on the screen when the user or the network comes back. */
export class RefetchManager implements Manager {
  readonly #options: RefetchManagerOptions;
  readonly #page: Page;
  readonly #presence: Presence;
  readonly #platform: Pick<Platform, 'setTimeout' | 'clearTimeout' | 'random'>;
  readonly #subscribed = new Map<string, ShownRequest & { readonly count: number }>();
  readonly #waiting = new Map<string, ShownRequest>();
  #controller: MiddlewareAPI = NO_CONTROLLER;
  #timer: unknown;
  #latest = Number.NEGATIVE_INFINITY;
  #underWay = 0;

  constructor(options: RefetchManagerOptions = {}) {
    const { atOnce = 4, interval = 5000 } = options;
    assertAboveZero('a RefetchManager', { atOnce, interval });
    this.#options = options;
    this.#page = options.page ?? globalThis;
    this.#presence = presenceOf(this.#page);
    this.#platform = options.platform ?? platform;
  }

  readonly middleware: Middleware = (controller) => {
    this.#controller = controller;
    return (next) => async (action) => {
      // Another controller may have replaced this one.
      if (controller !== this.#controller) return next(action);
      if (action.type === actionTypes.SUBSCRIBE) this.#count(action, 1);
      else if (action.type === actionTypes.UNSUBSCRIBE) this.#count(action, -1);
      else if (action.type === actionTypes.RESET) this.#waiting.clear();
      return next(action);
    };
  };

  init(): void {
    // The requests of a former controller can be those of another user.
    this.cleanup();
    const { onFocus = true, onReconnect = true } = this.#options;
    const { document } = this.#page;
    if (onFocus) document?.addEventListener('visibilitychange', this.#onChange);
    if (onFocus) this.#page.addEventListener?.('focus', this.#onChange);
    if (onReconnect) this.#page.addEventListener?.('online', this.#onChange);
  }

  cleanup(): void {
    this.#page.document?.removeEventListener('visibilitychange', this.#onChange);
    for (const type of ['focus', 'online']) this.#page.removeEventListener?.(type, this.#onChange);
    if (this.#timer !== undefined) this.#platform.clearTimeout(this.#timer);
    this.#timer = undefined;
    this.#waiting.clear();
    this.#subscribed.clear();
  }

  #count(request: ShownRequest, by: 1 | -1): void {
    const { key, endpoint, args } = request;
    const count = (this.#subscribed.get(key)?.count ?? 0) + by;
    if (count > 0) this.#subscribed.set(key, { key, endpoint, args, count });
    else this.#subscribed.delete(key);
  }

  /** Merges reasons that come together, such as a page that becomes visible and gets the focus. */
  readonly #onChange = (): void => {
    if (this.#timer !== undefined || !this.#presence.isPresent()) return;
    const { interval = 5000, jitter = 500 } = this.#options;
    const passed = elapsed(this.#latest, this.#controller.now()) ?? 0;
    const left = Math.max(0, interval - passed);
    this.#timer = this.#platform.setTimeout(() => this.#refetch(), left + this.#platform.random() * jitter);
  };

  #refetch(): void {
    this.#timer = undefined;
    if (!this.#presence.isPresent()) return;
    const controller = this.#controller;
    this.#latest = controller.now();
    for (const request of [...controller.shown(), ...this.#subscribed.values()])
      if (this.#isDue(request)) this.#waiting.set(request.key, request);
    this.#sendNext();
  }

  #isDue(request: ShownRequest): boolean {
    const { endpoint, args } = request;
    if (endpoint.sideEffect || !this.#isWanted(request)) return false;
    const controller = this.#controller;
    const now = controller.now();
    const { date = 0 } = controller.store.result(request.key)?.stamp ?? {};
    try {
      return controller.getResponseMeta(endpoint, ...args).expiresAt < now || elapsed(date, now) === undefined;
    } catch {
      // Its value cannot be built, which another request would not change.
      return false;
    }
  }

  /** Returns whether `only` lets a request through. If it throws, the other requests are still sent. */
  #isWanted(request: ShownRequest): boolean {
    let isWanted = false;
    callListener((given) => {
      isWanted = this.#options.only?.(given) !== false;
    }, request);
    return isWanted;
  }

  #sendNext(): void {
    const { atOnce = 4 } = this.#options;
    for (const [key, request] of this.#waiting) {
      if (this.#underWay >= atOnce) return;
      this.#waiting.delete(key);
      // Another fetch may have answered it meanwhile.
      if (this.#isDue(request)) void this.#send(request);
    }
  }

  async #send({ endpoint, args }: ShownRequest): Promise<void> {
    this.#underWay++;
    try {
      await this.#controller.request(endpoint, ...args);
    } catch {
      // The error is stored for readers.
    } finally {
      this.#underWay--;
      this.#sendNext();
    }
  }
}
