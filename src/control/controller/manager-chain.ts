import { callListener } from '../../std/listeners.ts';
import { type Action, actionTypes } from './action.ts';
import { managerTooEarly, unsubscribable } from './controller-errors.ts';
import type { Dispatch, Manager, MiddlewareAPI } from './manager.ts';
import { NetworkManager } from './network-manager.ts';

/** The `#owner` of the chain that started each manager last. A new provider starts before the provider that it replaces is disposed. */
const owners = new WeakMap<Manager, object>();

/** The managers of a controller: passes actions through them in order, and starts and stops them. */
export class ManagerChain {
  readonly #managers: readonly Manager[];
  #dispatch: Dispatch = () => Promise.reject(managerTooEarly());
  /** Stands for the chain in `owners`, whose entries must not lead to their managers. */
  readonly #owner: object = {};

  /** Adds a network manager at the end, if there is none. */
  constructor(managers: readonly Manager[]) {
    this.#managers = managers.some((manager) => manager instanceof NetworkManager)
      ? managers
      : [...managers, new NetworkManager()];
  }

  /** Connects the managers with each other, and the last one with `store`, which carries actions out. Then starts them. */
  start(controller: MiddlewareAPI, store: Dispatch): void {
    try {
      this.#dispatch = this.#managers
        .map((manager) => manager.middleware(controller))
        .reduceRight<Dispatch>((next, wrap) => wrap(next), store);
      for (const manager of this.#managers) {
        owners.set(manager, this.#owner);
        manager.init?.(controller.getState());
      }
    } catch (error) {
      // The caller gets no controller to dispose of.
      this.stop(controller);
      throw error;
    }
  }

  /** Stops the managers, all of them also if one throws. One that another chain has started since only stops what belongs to this controller. */
  stop(controller: MiddlewareAPI): void {
    for (const manager of this.#managers)
      callListener((stopped) => {
        if (owners.get(manager) === this.#owner) manager.cleanup();
        else manager.release?.(stopped);
      }, controller);
  }

  dispatch(action: Action): Promise<void> {
    // The network manager passes subscriptions on. If it is the only manager, nothing handles them.
    const isLost =
      action.type === actionTypes.SUBSCRIBE && this.#managers.every((one) => one instanceof NetworkManager);
    return isLost ? Promise.reject(unsubscribable(action.key)) : this.#dispatch(action);
  }

  /** Resolves when every manager has allowed a reset; `undefined` if none has to be asked. Rejects if one prevents it. */
  beforeReset(): Promise<unknown> | undefined {
    const waits = this.#managers.flatMap((manager) => manager.beforeReset?.() ?? []);
    return waits.length > 0 ? Promise.all(waits) : undefined;
  }

  /** Resolves when all managers have the data of the first screen; `undefined` if they have it. */
  get ready(): Promise<void> | undefined {
    return this.#unready && this.#becomeReady();
  }

  get #unready(): Manager | undefined {
    return this.#managers.find(({ ready }) => ready !== undefined);
  }

  async #becomeReady(): Promise<void> {
    // oxlint-disable-next-line no-await-in-loop -- the next one may begin to wait meanwhile
    for (let manager = this.#unready; manager !== undefined; manager = this.#unready) await manager.ready;
  }
}
