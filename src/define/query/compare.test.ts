import { describe, expect, test } from 'vitest';
import { Entity } from '../schema/entity.ts';
import { compareValues, isSameValue } from './compare.ts';
import { compareOrderKeys, orderKeyOf, type OrderStep } from './order.ts';

class Money {
  readonly cents: number;

  constructor(cents: number) {
    this.cents = cents;
  }

  valueOf(): number {
    return this.cents;
  }
}

/** Compared as the classes of Temporal are. */
class Day {
  readonly day: number;

  constructor(day: number) {
    this.day = day;
  }

  static compare(one: Day, other: Day): number {
    return one.day - other.day;
  }

  valueOf(): never {
    throw new TypeError('use compare()');
  }
}

/** Compared as the classes of bignumber.js and decimal.js are: by a method, while `valueOf()` returns a text. */
class Decimal {
  readonly digits: string;

  constructor(digits: string) {
    this.digits = digits;
  }

  comparedTo(other: Decimal): number | null {
    const difference = Number(this.digits) - Number(other.digits);
    return Number.isNaN(difference) ? null : difference;
  }

  valueOf(): string {
    return this.digits;
  }
}

/** Compared as the class of big.js is. */
class Big extends Decimal {
  override readonly comparedTo = undefined as never;

  cmp(other: Big): number {
    return Number(this.digits) - Number(other.digits);
  }
}

class User extends Entity {
  id = '';
}

describe('two values', () => {
  test.each<[unknown, unknown, number]>([
    [1, 2, -1],
    [2, 1, 1],
    [2, 2, 0],
    [2n, 1, 1],
    ['a', 'b', -1],
    ['b', 'a', 1],
    ['B', 'a', -1],
    ['a', 'a', 0],
    [false, true, -1],
    [new Date(1), new Date(2), -1],
    [new Money(3), new Money(2), 1],
    [new Day(3), new Day(2), 1],
    [new Day(3), {}, 0],
    [new Decimal('9.5'), new Decimal('10'), -1],
    [new Big('10'), new Big('9.5'), 1],
    [new Decimal('9.5'), new Decimal('soon'), -1],
    [new Decimal('soon'), null, 0],
    [new Day(3), new Error('cannot be converted'), -1],
    [{}, {}, 0],
    [{ constructor: null, valueOf: 1 }, Object.create(null), 0],
    [true, 0, -1],
    [9, 'a', -1],
    ['a', {}, -1],
    [{}, null, -1],
    [undefined, null, 0],
    [Number.NaN, null, 0],
    [new Date(Number.NaN), null, 0],
    [new Date(1), new Date(Number.NaN), -1],
    [User.fromJS({ id: 'a' }), User.fromJS({ id: 'b' }), -1],
  ])('are compared by their types and contents: %o, %o', (one, other, sign) => {
    expect(Math.sign(compareValues(one, other))).toBe(sign);
    expect(Math.sign(compareValues(other, one))).toBe(sign === 0 ? 0 : -sign);
  });

  test.each<[unknown, unknown, boolean]>([
    [1, 1, true],
    [1, '1', false],
    [null, null, true],
    [null, undefined, false],
    [new Date(1), new Date(1), true],
    [new Day(1), new Day(1), true],
    [new Day(1), new Day(2), false],
    [new Day(1), new Money(1), false],
    [new Decimal('9.5'), new Decimal('9.50'), true],
    [new Decimal('9.5'), new Decimal('9.6'), false],
    [{}, {}, false],
    [new Date(1), new Date(2), false],
    [new Date(1), 1, false],
    [new Money(1), new Money(1), true],
    [{}, {}, false],
    [{}, null, false],
    [User.fromJS({ id: 'a' }), User.fromJS({ id: 'a' }), true],
    [User.fromJS({ id: 'a' }), 'a', true],
    [User.fromJS({ id: '1' }), 1, true],
    [User.fromJS({ id: 'a' }), 'b', false],
    [User.fromJS({ id: '9007199254740992' }), 2 ** 53, false],
  ])('are the same value or not: %o, %o', (one, other, isSame) => {
    expect(isSameValue(one, other)).toBe(isSame);
  });
});

/** Returns a function that compares records by the steps of an order. */
function compareBy(steps: readonly OrderStep[]): (one: unknown, other: unknown) => number {
  const [keyOf, compareKeys] = [orderKeyOf(steps), compareOrderKeys(steps)];
  return (one, other) => compareKeys(keyOf(one), keyOf(other));
}

describe('an order', () => {
  const sorted = (values: readonly unknown[], ...steps: readonly OrderStep[]): unknown[] =>
    values
      .map((by) => ({ by }))
      .sort(compareBy(steps))
      .map(({ by }) => by);

  test('puts null, undefined and NaN last in both directions, unless nulls is first', () => {
    const values = [2, null, 1];
    expect(sorted(values, { by: 'by', options: {} })).toEqual([1, 2, null]);
    expect(sorted(values, { by: 'by', options: { direction: 'desc' } })).toEqual([2, 1, null]);
    expect(sorted(values, { by: 'by', options: { nulls: 'first' } })).toEqual([null, 1, 2]);
    expect(sorted([null, 1, undefined], { by: 'by', options: { direction: 'desc', nulls: 'first' } })).toEqual([
      null,
      undefined,
      1,
    ]);
  });

  test('compares texts by a collation', () => {
    const values = ['b', 'A', 'a', 'B'];
    const { compare } = new Intl.Collator('en', { sensitivity: 'base' });
    expect(sorted(values, { by: 'by', options: {} })).toEqual(['A', 'B', 'a', 'b']);
    expect(sorted(values, { by: 'by', options: { collation: compare } })).toEqual(['A', 'a', 'b', 'B']);
    expect(sorted(values, { by: 'by', options: { collation: new Intl.Collator('en') } })).toEqual(['a', 'A', 'b', 'B']);
  });

  test('uses the next step for equal values, and keeps the order of records that are equal in all steps', () => {
    const one = { by: 1, next: 2 };
    const other = { by: 1, next: 1 };
    const compare = compareBy([
      { by: 'by', options: {} },
      { by: ({ next }: { next: number }) => next, options: {} },
    ]);
    expect([one, other].sort(compare)).toEqual([other, one]);
    expect(compare(one, one)).toBe(0);
    expect(compareBy([])(one, other)).toBe(0);
  });
});
