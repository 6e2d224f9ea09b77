import BigNumber from 'bignumber.js';
import { Temporal } from 'temporal-polyfill';
import { expect, it } from 'vitest';
import { Store } from '../../state/store/store.ts';
import { convertOf } from './convert.ts';
import { Entity } from './entity.ts';

it('Temporal.Instant.from makes an instant of ISO 8601 text', () => {
  const instant = convertOf(Temporal.Instant.from)('2024-01-02T03:04:05Z') as Temporal.Instant;
  expect(instant.epochMilliseconds).toBe(Date.UTC(2024, 0, 2, 3, 4, 5));
});

it('BigNumber makes a decimal without losing a digit', () => {
  const price = convertOf(BigNumber)('12345.678901234567890123') as BigNumber;
  expect(BigNumber.isBigNumber(price)).toBe(true);
  expect(price.toFixed()).toBe('12345.678901234567890123');
});

it('a function of one line makes a legacy date', () => {
  expect(convertOf((iso: string) => new Date(iso))('1970-01-01T00:00:01Z')).toEqual(new Date(1000));
});

it('Number, String and BigInt convert, and make no wrapper objects', () => {
  expect(convertOf(Number)('5')).toBe(5);
  expect(convertOf(String)(5)).toBe('5');
  expect(convertOf(BigInt)('5')).toBe(5n);
});

it('classes and native constructors are constructed, also Date, which would otherwise ignore the value', () => {
  class Money {
    readonly amount: string;
    constructor(amount: string) {
      this.amount = amount;
    }
  }
  const money = convertOf(Money)('5.00') as Money;
  expect(money).toBeInstanceOf(Money);
  expect(money.amount).toBe('5.00');
  expect(convertOf(Date)('1970-01-01T00:00:01Z')).toEqual(new Date(1000));
  expect(convertOf(URL)('https://example.org/')).toBeInstanceOf(URL);
});

it('a class that Babel has compiled to a function, as for React Native, is constructed', () => {
  const amounts = new WeakMap<object, unknown>();
  function Money(this: object, amount: unknown): void {
    if (new.target === undefined) throw new TypeError('Cannot call a class as a function');
    amounts.set(this, amount);
  }
  Object.defineProperty(Money, 'prototype', { writable: false });
  expect(amounts.get(convertOf(Money)('5.00') as object)).toBe('5.00');
});

it('a function gets the value and no other argument', () => {
  expect(convertOf(Number.parseInt)('11')).toBe(11);
  expect(convertOf((...all: unknown[]) => all)('x')).toEqual(['x']);
});

it('an entity is read with converted values, and stored with the original ones', () => {
  class Ticker extends Entity {
    product_id = '';
    price = 0;
    time = Temporal.Instant.fromEpochMilliseconds(0);
    override pk(): string {
      return this.product_id;
    }
    static override key = 'Ticker';
    static override schema = { price: Number, time: Temporal.Instant.from };
  }
  const store = new Store();
  store.write(Ticker, { product_id: 'BTC-USD', price: '7.5', time: null });
  const ticker = store.get(Ticker, 'BTC-USD') as Ticker;
  expect(ticker.price).toBe(7.5);
  expect(ticker.time).toBeNull();
  expect(store.row('Ticker', 'BTC-USD')).toEqual({ product_id: 'BTC-USD', price: '7.5', time: null });
});
