import type { EndpointInterface } from '../../define/endpoint/infer-endpoint.ts';
import { type Platform, platform } from '../../std/platform.ts';
import { actionTypes } from '../controller/action.ts';
import { type Manager, type Middleware, type MiddlewareAPI, NO_CONTROLLER } from '../controller/manager.ts';
import { assertAboveZero } from './assert-above-zero.ts';
import { elapsed } from '../../std/elapsed.ts';

/** An entity, what fetches one record of it, and the arguments that ask for a pk. Default: `[{ id: pk }]`. */
export type MissingEndpoint = readonly [
  entity: { readonly key: string },
  endpoint: EndpointInterface,
  argsOf?: (pk: string) => readonly unknown[],
];

export interface MissingManagerOptions {
  readonly endpoints: readonly MissingEndpoint[];
  /** For how many milliseconds a record that was asked for is not asked for again, whatever came of it. Default: 60,000. */
  readonly again?: number;
  readonly platform?: Pick<Platform, 'setTimeout' | 'clearTimeout'>;
}

/**
 * Fetches records that what is shown refers to and that are not there, such as the author of a post whose list gave only
 * ids. Each is asked for once: a record that does not come, or comes and is missed again, is left alone for a while, so
 * that no answer can lead to requests without end.
 */
export class MissingManager implements Manager {
  readonly #options: MissingManagerOptions;
  readonly #platform: Pick<Platform, 'setTimeout' | 'clearTimeout'>;
  /** When each record was asked for, by table and pk. */
  readonly #asked = new Map<string, Map<string, number>>();
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
      if (action.type === actionTypes.RESET) this.#asked.clear();
      return next(action);
    };
  };

  init(): void {
    const { store } = this.#controller;
    const look = (): void => this.#lookSoon();
    this.#stops = [store.onCommit(look), store.onObserve(look)];
  }

  cleanup(): void {
    for (const stop of this.#stops) stop();
    if (this.#timer !== undefined) this.#platform.clearTimeout(this.#timer);
    this.#timer = undefined;
    this.#asked.clear();
  }

  /** Once the tick is over, when what is shown has been read. */
  #lookSoon(): void {
    this.#timer ??= this.#platform.setTimeout(() => this.#look(), 0);
  }

  #look(): void {
    this.#timer = undefined;
    for (const missing of this.#options.endpoints) this.#ask(missing);
  }

  #ask([entity, endpoint, argsOf = (pk) => [{ id: pk }]]: MissingEndpoint): void {
    const { again = 60_000 } = this.#options;
    const controller = this.#controller;
    const now = controller.now();
    const asked = this.#asked.get(entity.key) ?? new Map<string, number>();
    this.#asked.set(entity.key, asked);
    // In order of time: what is old enough is at the front.
    for (const [pk, at] of asked) {
      if ((elapsed(at, now) ?? again) < again) break;
      asked.delete(pk);
    }
    for (const pk of controller.store.missing(entity)) {
      if (asked.has(pk)) continue;
      asked.set(pk, now);
      // Readers learn of what goes wrong by the stored error.
      controller.request(endpoint, ...argsOf(pk)).catch(() => {});
    }
  }
}
