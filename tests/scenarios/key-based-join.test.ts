import { describe, expect, test } from 'vitest';
import { Collection, Store } from '../../src/index.ts';
import { Currency, Stats } from '../seed/currencies.ts';

const getCurrencies = () => [
  { id: 'ALGO', name: 'Algorand' },
  { id: 'BTC', name: 'Bitcoin' },
  { id: 'ETH', name: 'Ether' },
  { id: 'XYZ', name: 'Without stats' },
];
const getStats = () => [
  { product_id: 'ETH-USD', volume: '200000', price: '3000' },
  { product_id: 'BTC-USD', volume: '20000', price: '60000' },
  { product_id: 'ALGO-USD', volume: '5000000', price: '0.2' },
];
const currencies = new Collection([Currency]);
const stats = new Collection([Stats]);

describe('Key-based join (Currency and Stats)', () => {
  test('stats resolve to the matching entity once both lists have been fetched', () => {
    const store = new Store();
    store.write(currencies, getCurrencies(), { args: [] });
    store.write(stats, getStats(), { args: [] });

    const list = store.get(currencies) as Currency[];

    expect(list[1]?.stats).toBe(store.get(Stats, { product_id: 'BTC-USD' }));
    expect(list[1]?.stats.volume).toBe(20000);
  });

  test('the order in which the two lists arrive does not matter', () => {
    const store = new Store();
    store.write(stats, getStats(), { args: [] });
    store.write(currencies, getCurrencies(), { args: [] });

    const list = store.get(currencies) as Currency[];

    expect(list.slice(0, 3).map((currency) => currency.stats.price)).toEqual([0.2, 60000, 3000]);
  });

  test('currencies are sorted by descending volume in dollars of the joined stats', () => {
    const store = new Store();
    store.write(currencies, getCurrencies(), { args: [] });
    store.write(stats, getStats(), { args: [] });

    const list = (store.get(currencies) as Currency[]).filter((currency) => currency.stats !== undefined);
    const sorted = [...list].sort((one, other) => other.stats.volume_usd - one.stats.volume_usd);

    expect(sorted.map((currency) => currency.id)).toEqual(['BTC', 'ETH', 'ALGO']);
  });

  test('a currency whose stats are not loaded is in the list, and its stats are undefined', () => {
    const store = new Store();
    store.write(currencies, getCurrencies(), { args: [] });

    const list = store.get(currencies) as Currency[];

    expect(list).toHaveLength(4);
    expect(list[3]?.name).toBe('Without stats');
    expect(list[3]?.stats).toBeUndefined();
  });

  test('new stats change the currency to which they belong, and no other', () => {
    const store = new Store();
    store.write(currencies, getCurrencies(), { args: [] });
    store.write(stats, getStats(), { args: [] });
    const before = store.get(currencies) as Currency[];

    store.write(Stats, { product_id: 'BTC-USD', volume: '1', price: '61000' });

    const after = store.get(currencies) as Currency[];
    expect(after[1]?.stats.price).toBe(61000);
    expect(after[0]).toBe(before[0]);
    expect(after[2]).toBe(before[2]);
    expect(after).not.toBe(before);
  });
});
