import { All, Entity, Query, resource } from 'rejoin';

class Stats extends Entity {
  product_id = '';
  volume = 0;
  price = 0;
  volume_usd = 0;
  pk() {
    return this.product_id;
  }
  static key = 'Stats';
}

export class Currency extends Entity {
  id = '';
  name = '';
  stats = Stats.fromJS();
  pk() {
    return this.id;
  }
  static key = 'Currency';
  static schema = { stats: Stats };

  // The key of the stats of BTC is BTC-USD. Neither response contains this, so process() adds it.
  static process(input: { id: string }) {
    return { ...input, stats: `${input.id}-USD` };
  }
}

export const currencies = resource({ urlPrefix: '/api', path: '/currencies/:id', schema: Currency });
export const stats = resource({ urlPrefix: '/api', path: '/stats/:product_id', schema: Stats });

// Every loaded currency, from any response.
export const byVolume = new Query(new All(Currency), (list, { smallest = 0 }: { smallest?: number } = {}) =>
  list
    .filter((currency) => currency.stats.volume_usd >= smallest)
    .toSorted((a, b) => b.stats.volume_usd - a.stats.volume_usd),
);
