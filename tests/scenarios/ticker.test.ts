import { Temporal } from 'temporal-polyfill';
import { describe, expect, test } from 'vitest';
import { Entity, Store } from '../../src/index.ts';
import { respond } from './respond.ts';

class Ticker extends Entity {
  product_id = '';
  trade_id = 0;
  price = 0;
  size = '0';
  time = Temporal.Instant.fromEpochMilliseconds(0);
  bid = '0';
  ask = '0';
  volume = '';
  override pk(): string {
    return this.product_id;
  }
  static override key = 'Ticker';
  static override schema = { price: Number, time: Temporal.Instant.from };
}

type Rec = Record<string, unknown>;

const getResponse = (): Rec => ({
  trade_id: 86326522,
  price: '6268.48',
  size: '0.00698254',
  time: '2020-03-20T00:22:57.833897Z',
  bid: '6265.15',
  ask: '6267.71',
  volume: '53602.03940154',
});

/** Does the same as `process(value, args)` of the endpoint. */
function processTicker(value: Rec, args: { productId: string }): Rec {
  value['product_id'] = args.productId;
  return value;
}

const args = { productId: 'BTC-USD' };

describe('Ticker', () => {
  test('the product of the path becomes the primary key', () => {
    const store = new Store();

    const ticker = respond<Ticker>(store, Ticker, processTicker(getResponse(), args), [args]);

    expect(ticker.pk()).toBe('BTC-USD');
    expect(store.get(Ticker, { product_id: 'BTC-USD' })).toBe(ticker);
  });

  test('the price becomes a number, the time becomes an instant, and all other fields stay text', () => {
    const ticker = respond<Ticker>(new Store(), Ticker, processTicker(getResponse(), args), [args]);

    expect(ticker.price).toBe(6268.48);
    expect(ticker.time).toBeInstanceOf(Temporal.Instant);
    expect(ticker.time.toString()).toBe('2020-03-20T00:22:57.833897Z');
    expect(ticker.bid).toBe('6265.15');
    expect(ticker.volume).toBe('53602.03940154');
  });

  test('a poll with the same answer notifies no observer and keeps the object', () => {
    const store = new Store();
    const first = respond<Ticker>(store, Ticker, processTicker(getResponse(), args), [args]);
    const watched = store.query(Ticker, [{ product_id: 'BTC-USD' }]);
    watched.current();
    let calls = 0;
    const stop = watched.subscribe(() => calls++);

    const second = respond<Ticker>(store, Ticker, processTicker(getResponse(), args), [args]);

    expect(second).toBe(first);
    expect(calls).toBe(0);
    stop();
  });

  test('a late answer to an earlier poll never restores an older price', () => {
    const store = new Store();
    const earlier = store.begin();
    const later = store.begin();
    store.write(Ticker, processTicker({ ...getResponse(), price: '2' }, args), { args: [args], request: later });
    store.write(Ticker, processTicker({ ...getResponse(), price: '1' }, args), { args: [args], request: earlier });

    expect((store.get(Ticker, { product_id: 'BTC-USD' }) as Ticker).price).toBe(2);
  });
});
