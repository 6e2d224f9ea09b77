import type { EndpointInterface } from '../../define/endpoint/infer-endpoint.ts';
import { type Platform, platform } from '../../std/platform.ts';
import { actionTypes } from '../controller/action.ts';
import { type Manager, type Middleware, type MiddlewareAPI, NO_CONTROLLER } from '../controller/manager.ts';
import { assertAboveZero } from '../controller/assert-above-zero.ts';
import { elapsed } from '../../std/elapsed.ts';
import { callListener } from '../../std/listeners.ts';

/** An entity, the endpoint that fetches one record of it, and the arguments for a pk. Default: `[{ id: pk }]`. */
export type MissingEndpoint = readonly [
  entity: { readonly key: string },
  endpoint: EndpointInterface,
  argsOf?: (pk: string) => readonly unknown[],
];

/** The options of `MissingManager`. */
export interface MissingManagerOptions {
  readonly endpoints: readonly MissingEndpoint[];
  /** After a fetch, successful or not, a record is not fetched again for this many milliseconds. Default: 60,000. */
  readonly again?: number;
  readonly platform?: Pick<Platform, 'setTimeout' | 'clearTimeout'>;
}

/**
 * Fetches missing records to which shown data refers, such as the author of a post when the list contains only
 * ids. It fetches each record once: a record that does not arrive, or is missing again later, is not fetched for a while, so
 * that no answer can cause endless requests.
 */
export class MissingManager implements Manager {
  readonly #options: MissingManagerOptions;
  readonly #platform: Pick<Platform, 'setTimeout' | 'clearTimeout'>;
  /** When each record was fetched, by table and pk. */
  readonly #fetched = new Map<string, Map<string, number>>();
  #controller: MiddlewareAPI = NO_CONTROLLER;
  #stops: readonly (() => void)[] = [];
  #timer: unknown;

  constructor(options: MissingManagerOptions) {
    assertAboveZero('a MissingManager', { again: options.again ?? 60_000 });
    this.#options = options;
    this.#platform = options.platform ?? platform;
  }

  readonly middleware: Middleware = (controller) => {
    this.#controller = controller;
    return (next) => async (action) => {
      if (action.type === actionTypes.RESET) this.#fetched.clear();
      return next(action);
    };
  };

  init(): void {
    // What was fetched for a former controller is in the store of that one.
    this.cleanup();
    const { store } = this.#controller;
    const schedule = (): void => this.#schedule();
    this.#stops = [store.onCommit(schedule), store.onObserve(schedule)];
  }

  cleanup(): void {
    for (const stop of this.#stops) stop();
    if (this.#timer !== undefined) this.#platform.clearTimeout(this.#timer);
    this.#timer = undefined;
    this.#fetched.clear();
  }

  /** Runs at the end of the tick, when all shown data has been read. */
  #schedule(): void {
    this.#timer ??= this.#platform.setTimeout(() => this.#fetchAllMissing(), 0);
  }

  #fetchAllMissing(): void {
    this.#timer = undefined;
    for (const missing of this.#options.endpoints) this.#fetchMissing(missing);
  }

  #fetchMissing([entity, endpoint, argsOf = (pk) => [{ id: pk }]]: MissingEndpoint): void {
    const { again = 60_000 } = this.#options;
    const controller = this.#controller;
    const now = controller.now();
    const fetched = this.#fetched.get(entity.key) ?? new Map<string, number>();
    this.#fetched.set(entity.key, fetched);
    // Entries are in order of time, so the oldest are at the front.
    for (const [pk, at] of fetched) {
      if ((elapsed(at, now) ?? again) < again) break;
      fetched.delete(pk);
    }
    for (const pk of controller.store.missing(entity)) {
      if (fetched.has(pk)) continue;
      fetched.set(pk, now);
      callListener((missing) => {
        // The error is stored for readers.
        controller.request(endpoint, ...argsOf(missing)).catch(() => {});
      }, pk);
    }
  }
}
