import { expect, test } from 'vitest';
import { Gaps } from './gaps.ts';

test('gaps behind replaced slots move with the slots', () => {
  const gaps = new Gaps();
  for (const slot of [4, 8, 1]) gaps.add(slot);
  gaps.replace({ at: 3, removed: 3, added: 1 });
  const slots = Array.from({ length: 14 }, (_, slot) => slot);
  expect(slots.filter((slot) => gaps.has(slot))).toEqual([1, 6]);
  expect(gaps.indexOf(7)).toBe(5);
});
