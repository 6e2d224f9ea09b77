import { Entity, RestEndpoint } from 'rejoin';
import { Temporal } from 'temporal-polyfill';

class Ticker extends Entity {
  product_id = '';
  trade_id = 0;
  price = 0;
  size = '0';
  time = Temporal.Instant.fromEpochMilliseconds(0);
  bid = '0';
  ask = '0';
  volume = '';
  pk() {
    return this.product_id;
  }
  static key = 'Ticker';
  static schema = { price: Number, time: Temporal.Instant.from };
}

export const getTicker = new RestEndpoint({
  urlPrefix: '/api',
  path: '/products/:productId/ticker',
  schema: Ticker,
  pollFrequency: 2000,
  process(value: object, { productId }: { productId: string }) {
    return { ...value, product_id: productId };
  },
});
