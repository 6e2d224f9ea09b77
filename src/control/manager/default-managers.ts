import type { Manager } from '../controller/manager.ts';
import { NetworkManager, type NetworkManagerOptions } from './network-manager.ts';
import { type SubscriptionConstructor, SubscriptionManager } from './subscription-manager.ts';

export interface DefaultManagersOptions {
  readonly networkManager?: NetworkManager | NetworkManagerOptions;
  /** `null` for none. */
  readonly subscriptionManager?: SubscriptionManager | SubscriptionConstructor | null;
}

/** Network and subscriptions: what most applications want. */
export function getDefaultManagers(options: DefaultManagersOptions = {}): Manager[] {
  const { networkManager = {}, subscriptionManager } = options;
  const network = networkManager instanceof NetworkManager ? networkManager : new NetworkManager(networkManager);
  if (subscriptionManager === null) return [network];
  return [
    network,
    subscriptionManager instanceof SubscriptionManager
      ? subscriptionManager
      : new SubscriptionManager(subscriptionManager),
  ];
}
