import { type Platform, platform } from '../../std/platform.ts';
import { actionTypes } from '../controller/action.ts';
import { type Manager, type Middleware, type MiddlewareAPI, NO_CONTROLLER } from '../controller/manager.ts';
import type { ShownRequest } from '../view/responses.ts';
import { assertAboveZero } from './assert-above-zero.ts';
import { type Page, presenceOf, type Presence } from './presence.ts';
import { elapsed } from '../../std/elapsed.ts';

export interface RefetchManagerOptions {
  /** Whether to refetch when the user comes back to the page. Default: true. */
  readonly onFocus?: boolean;
  /** Whether the network coming back is a reason. Default: true. */
  readonly onReconnect?: boolean;
  /** Which requests are sent again, of those that are shown or subscribed to and stale. Default: all. */
  readonly only?: (request: ShownRequest) => boolean;
  /** How many are under way at once, at most. Default: 4. */
  readonly atOnce?: number;
  /** Milliseconds from one time to the next, at least. Default: 5,000. */
  readonly interval?: number;
  /** Over up to how many milliseconds it is spread by chance, so that pages that come back together do not ask together. Default: 500. */
  readonly jitter?: number;
  readonly page?: Page;
  readonly platform?: Pick<Platform, 'setTimeout' | 'clearTimeout' | 'random'>;
}

/** Refetches what is stale and on the screen, when the user or the network comes back. */
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
      if (action.type === actionTypes.SUBSCRIBE) this.#count(action, 1);
      else if (action.type === actionTypes.UNSUBSCRIBE) this.#count(action, -1);
      else if (action.type === actionTypes.RESET) this.#waiting.clear();
      return next(action);
    };
  };

  init(): void {
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

  /** Several reasons at once, such as a page that is shown and has the focus, are one. */
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
    if (endpoint.sideEffect || this.#options.only?.(request) === false) return false;
    const controller = this.#controller;
    const now = controller.now();
    const { date = 0 } = controller.store.result(request.key)?.stamp ?? {};
    return controller.getResponseMeta(endpoint, ...args).expiresAt < now || elapsed(date, now) === undefined;
  }

  #sendNext(): void {
    const { atOnce = 4 } = this.#options;
    for (const [key, request] of this.#waiting) {
      if (this.#underWay >= atOnce) return;
      this.#waiting.delete(key);
      // It may have been fetched meanwhile.
      if (this.#isDue(request)) void this.#send(request);
    }
  }

  async #send({ endpoint, args }: ShownRequest): Promise<void> {
    this.#underWay++;
    try {
      await this.#controller.request(endpoint, ...args);
    } catch {
      // Readers learn of it by the stored error.
    } finally {
      this.#underWay--;
      this.#sendNext();
    }
  }
}
