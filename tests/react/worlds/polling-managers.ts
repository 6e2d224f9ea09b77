import { getDefaultManagers, type Manager, PollingSubscription, SubscriptionManager } from 'rejoin';
import type { Network } from './network.ts';

/** Returns the default managers, whose polls wait by the clock of a network. */
export function pollingManagers({ platform }: Network): readonly Manager[] {
  class Polling extends PollingSubscription {
    constructor(...[subscribed, controller]: ConstructorParameters<typeof PollingSubscription>) {
      super(subscribed, controller, { platform });
    }
  }
  return getDefaultManagers({ devToolsManager: null, subscriptionManager: new SubscriptionManager(Polling) });
}
