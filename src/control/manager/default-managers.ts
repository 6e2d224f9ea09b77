import type { Manager } from '../controller/manager.ts';
import { NetworkManager, type NetworkManagerOptions } from '../controller/network-manager.ts';
import { type SubscriptionConstructor, SubscriptionManager } from './subscription-manager.ts';

/** The options of `getDefaultManagers`. */
export interface DefaultManagersOptions {
  /** A `DevToolsManager`. Default: none, so that bundles without it do not contain it. */
  readonly devToolsManager?: Manager | null;
  /** A `NetworkManager` or its options. `null` means the default, because without one nothing can be fetched. */
  readonly networkManager?: NetworkManager | NetworkManagerOptions | null;
  /** A `SubscriptionManager` or its class; `null` for none. */
  readonly subscriptionManager?: SubscriptionManager | SubscriptionConstructor | null;
}

/** Returns the managers that most applications need: network and subscriptions. A devtools manager comes first, so that it sees every action. */
export function getDefaultManagers(options: DefaultManagersOptions = {}): Manager[] {
  const { devToolsManager = null, networkManager, subscriptionManager } = options;
  const network = networkManager instanceof NetworkManager ? networkManager : new NetworkManager(networkManager ?? {});
  return [devToolsManager, network, subscriptionsOf(subscriptionManager)].filter((manager) => manager !== null);
}

function subscriptionsOf(given: DefaultManagersOptions['subscriptionManager']): SubscriptionManager | null {
  return given === null || given instanceof SubscriptionManager ? given : new SubscriptionManager(given);
}
