/** The classes and endpoints of a screen with several lists of deals. */
import {
  Collection,
  Controller,
  Entity,
  from,
  getDefaultManagers,
  type Platform,
  PollingSubscription,
  RefetchManager,
  resource,
  SubscriptionManager,
  undecidable,
} from 'rejoin';
import type { Search } from './deal-server.ts';

export class Owner extends Entity {
  id = 0;
  name = '';
  static override key = 'Owner';
}

export class Deal extends Entity {
  id: number | string = 0;
  title = '';
  stage = '';
  owner: Owner | null = null;
  version = 0;
  static override key = 'Deal';
  static override schema = { owner: Owner };
}

export interface ModelSetting {
  readonly isOptimistic: boolean;
  readonly isSerial: boolean;
  /** The order of the lists is declared. */
  readonly isOrdered: boolean;
}

/** The order of the server. */
function orderBy(one: Deal, other: Deal, { sort }: { readonly sort?: string }): number {
  if (sort === '-id') return Number(other.id) - Number(one.id);
  return (sort === undefined ? 0 : one.title.localeCompare(other.title)) || Number(one.id) - Number(other.id);
}

export const won = from(Deal).where({ stage: 'won' }).orderBy('id');

export function modelOf({ isOptimistic, isOrdered, isSerial }: ModelSetting, platform: Platform) {
  const search: Search | undefined = {};
  const sent: Partial<{ title: string; stage: string; owner_id: number }> = {};
  const list = new Collection([Deal], {
    where: { owner_id: (deal: Deal) => deal.owner?.id, q: undecidable },
    total: 'total',
    ...(isOrdered && { orderBy }),
  });
  const options = { optimistic: isOptimistic, serial: isSerial, platform };
  const deals = resource({ path: '/deals/:id', schema: Deal, searchParams: search, body: sent, ...options }).extend({
    getList: { schema: { items: list, total: 0, next: '' } },
  });
  const owners = resource({ path: '/owners/:id', schema: Owner, body: {} as { readonly name: string }, ...options });
  return { deals, owners, polled: deals.get.extend({ pollFrequency: 10_000 }) };
}

export type Model = ReturnType<typeof modelOf>;

/** A page that has the focus again when the test says so. */
export class FocusedPage extends EventTarget {
  focus(): void {
    this.dispatchEvent(new Event('focus'));
  }
}

export function controllerOf(platform: Platform, page: FocusedPage): Controller {
  class Polling extends PollingSubscription {
    constructor(...[subscribed, controller]: ConstructorParameters<typeof PollingSubscription>) {
      super(subscribed, controller, { platform });
    }
  }
  const managers = [
    ...getDefaultManagers({ subscriptionManager: new SubscriptionManager(Polling) }),
    new RefetchManager({ page, platform }),
  ];
  return new Controller({ managers, now: () => platform.now() });
}
