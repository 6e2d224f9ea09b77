import { memo } from '../../std/memo.ts';
import { actionTypes, type SubscribeAction } from '../controller/action.ts';
import type { Controller } from '../controller/controller.ts';
import type { Manager, Middleware, MiddlewareAPI } from '../controller/manager.ts';
import { PollingSubscription, type Subscribed, type Subscription } from './polling-subscription.ts';

/** The class of a subscription. It is created for its first subscriber; `add` is called for each further one. */
export type SubscriptionConstructor = new (subscribed: Subscribed, controller: Controller) => Subscription;

/** Keeps subscribed requests up to date, with one subscription for each request key of a controller. */
export class SubscriptionManager implements Manager {
  readonly #Subscription: SubscriptionConstructor;
  readonly #subscriptions = new Map<MiddlewareAPI, Map<string, Subscription>>();
  #isOver = false;

  constructor(Subscription: SubscriptionConstructor = PollingSubscription) {
    this.#Subscription = Subscription;
  }

  readonly middleware: Middleware = (controller) => (next) => (action) => {
    if (action.type === actionTypes.SUBSCRIBE) this.#add(controller, action);
    else if (action.type === actionTypes.UNSUBSCRIBE) this.#remove(controller, action);
    return next(action);
  };

  init(): void {
    this.#isOver = false;
  }

  cleanup(): void {
    this.#isOver = true;
    for (const controller of this.#subscriptions.keys()) this.release(controller);
  }

  release(controller: MiddlewareAPI): void {
    for (const subscription of this.#subscriptions.get(controller)?.values() ?? []) subscription.cleanup();
    this.#subscriptions.delete(controller);
  }

  #add(controller: MiddlewareAPI, { key, endpoint, args }: SubscribeAction): void {
    if (this.#isOver) return;
    const subscriptions = memo(this.#subscriptions, controller, () => new Map());
    const present = subscriptions.get(key);
    if (present) present.add(endpoint.pollFrequency);
    else subscriptions.set(key, new this.#Subscription({ key, endpoint, args }, controller as Controller));
  }

  #remove(controller: MiddlewareAPI, { key, endpoint }: SubscribeAction): void {
    const subscriptions = this.#subscriptions.get(controller);
    if (subscriptions?.get(key)?.remove(endpoint.pollFrequency) === true) subscriptions.delete(key);
  }
}
