import { expect, test } from 'vitest';
import { Random } from '../../../tests/oracle/random.ts';
import { ExactSum } from './exact-sum.ts';

function sumOf(numbers: readonly number[]): number {
  const sum = new ExactSum();
  for (const number of numbers) sum.add(number);
  return sum.value;
}

test('a sum is that of the exact numbers, rounded once', () => {
  expect(sumOf([0.1, 0.2, 0.3])).toBe(0.6);
  expect(sumOf([1e100, 1, -1e100])).toBe(1);
  expect(sumOf([1, 2 ** -53, 2 ** -106])).toBe(1 + 2 ** -52);
  expect(sumOf([1, 2 ** -53, -(2 ** -106)])).toBe(1);
  expect(sumOf([1, 2 ** -53])).toBe(1);
  expect(sumOf([])).toBe(0);
});

test('adding and removing the same numbers leaves nothing behind, in any order', () => {
  const random = new Random(3);
  const numbers = Array.from({ length: 200 }, () => (random.next() - 0.5) * 10 ** random.below(30));
  const sum = new ExactSum();
  for (const number of numbers) sum.add(number);
  const backwards = sumOf([...numbers].reverse());
  expect(sum.value).toBe(backwards);
  for (const number of numbers.slice(1)) sum.subtract(number);
  expect(sum.value).toBe(numbers[0]);
});

test('Infinity and NaN count as long as they are in the sum', () => {
  const sum = new ExactSum();
  sum.add(5);
  sum.add(Number.POSITIVE_INFINITY);
  expect(sum.value).toBe(Number.POSITIVE_INFINITY);
  sum.add(Number.NEGATIVE_INFINITY);
  expect(sum.value).toBeNaN();
  sum.subtract(Number.POSITIVE_INFINITY);
  expect(sum.value).toBe(Number.NEGATIVE_INFINITY);
  sum.subtract(Number.NEGATIVE_INFINITY);
  sum.add(Number.NaN);
  expect(sum.value).toBeNaN();
  sum.subtract(Number.NaN);
  expect(sum.value).toBe(5);
});
