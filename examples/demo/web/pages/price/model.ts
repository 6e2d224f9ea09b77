import { BigNumber } from 'bignumber.js';
import { Entity, RestEndpoint } from 'rejoin';
import { Temporal } from 'temporal-polyfill';

class ExchangePrice extends Entity {
  exchangePair = '';
  updatedAt = Temporal.Instant.fromEpochMilliseconds(0);
  price = new BigNumber(0);
  pk() {
    return this.exchangePair;
  }
  static key = 'ExchangePrice';
  static schema = { updatedAt: Temporal.Instant.from, price: BigNumber };
}

export const getPrice = new RestEndpoint({
  urlPrefix: '/api',
  path: '/price/:exchangePair',
  schema: ExchangePrice,
  pollFrequency: 3000,
});
