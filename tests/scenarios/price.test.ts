import { BigNumber } from 'bignumber.js';
import { Temporal } from 'temporal-polyfill';
import { describe, expect, test } from 'vitest';
import { Entity, Store } from '../../src/index.ts';
import { respond } from './respond.ts';
import { ExchangePrice } from '../seed/price.ts';

class LegacyPrice extends Entity {
  exchangePair = '';
  updatedAt = new Date(0);
  price = BigNumber(0);
  override pk(): string {
    return this.exchangePair;
  }
  static override key = 'LegacyPrice';
  static override schema = { updatedAt: (iso: string) => new Date(iso), price: BigNumber };
}

const getPrice = () => ({
  exchangePair: 'btc-usd',
  price: '60012.123456789012345678901234567890',
  updatedAt: '2024-02-03T04:05:06.789Z',
});
const args = [{ exchangePair: 'btc-usd' }];

describe('Price with deserialized fields', () => {
  test('a decimal in a string becomes a decimal with every digit', () => {
    const price = respond<ExchangePrice>(new Store(), ExchangePrice, getPrice(), args);

    expect(BigNumber.isBigNumber(price.price)).toBe(true);
    expect(price.price.toFixed()).toBe('60012.12345678901234567890123456789');
    expect(price.price.times(2).toFixed()).toBe('120024.24691357802469135780246913578');
  });

  test('the ISO 8601 string becomes an instant', () => {
    const price = respond<ExchangePrice>(new Store(), ExchangePrice, getPrice(), args);

    expect(price.updatedAt).toBeInstanceOf(Temporal.Instant);
    expect(price.updatedAt.toString()).toBe('2024-02-03T04:05:06.789Z');
  });

  test('the table has the strings that the server sent', () => {
    const store = new Store();
    store.write(ExchangePrice, getPrice(), { args });

    expect(store.row('ExchangePrice', 'btc-usd')).toEqual(getPrice());
  });

  test('the same answer again leads to the same object, and values are converted once', () => {
    const store = new Store();
    const first = respond<ExchangePrice>(store, ExchangePrice, getPrice(), args);

    const second = respond<ExchangePrice>(store, ExchangePrice, getPrice(), args);

    expect(second).toBe(first);
    expect(second.updatedAt).toBe(first.updatedAt);
  });

  test('fields that the response lacks have their defaults', () => {
    const price = respond<ExchangePrice>(new Store(), ExchangePrice, { exchangePair: 'eth-usd' });

    expect(price.updatedAt.epochMilliseconds).toBe(0);
    expect(price.price.isZero()).toBe(true);
  });

  test('a function in the schema creates a legacy date', () => {
    const store = new Store();
    const price = respond<LegacyPrice>(store, LegacyPrice, getPrice(), args);
    const bare = respond<LegacyPrice>(store, LegacyPrice, { exchangePair: 'eth-usd' });

    expect(price.updatedAt).toBeInstanceOf(Date);
    expect(price.updatedAt.toISOString()).toBe('2024-02-03T04:05:06.789Z');
    expect(bare.updatedAt.getTime()).toBe(0);
  });

  test('null stays null, and is not deserialized', () => {
    const price = respond<LegacyPrice>(new Store(), LegacyPrice, { ...getPrice(), updatedAt: null, price: null });

    expect(price.updatedAt).toBeNull();
    expect(price.price).toBeNull();
  });
});
