import type { Manager } from '../controller/manager.ts';
import { NetworkManager, type NetworkManagerOptions } from '../controller/network-manager.ts';
import { type SubscriptionConstructor, SubscriptionManager } from './subscription-manager.ts';

export interface DefaultManagersOptions {
  /** A `DevToolsManager`, if it is wanted: what is not imported is not shipped. */
  readonly devToolsManager?: Manager | null;
  /** `null` stands for the default: without a network nothing is fetched. */
  readonly networkManager?: NetworkManager | NetworkManagerOptions | null;
  /** `null` for none. */
  readonly subscriptionManager?: SubscriptionManager | SubscriptionConstructor | null;
}

/** Network and subscriptions: what most applications want. Devtools see every action first, where there are some. */
export function getDefaultManagers(options: DefaultManagersOptions = {}): Manager[] {
  const { devToolsManager = null, networkManager, subscriptionManager } = options;
  const network = networkManager instanceof NetworkManager ? networkManager : new NetworkManager(networkManager ?? {});
  return [devToolsManager, network, subscriptionsOf(subscriptionManager)].filter((manager) => manager !== null);
}

function subscriptionsOf(given: DefaultManagersOptions['subscriptionManager']): SubscriptionManager | null {
  return given === null || given instanceof SubscriptionManager ? given : new SubscriptionManager(given);
}
