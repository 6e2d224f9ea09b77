import { expect, test } from 'vitest';
import { checkOrder } from './check.ts';

/** Two mutations, or three, and up to two reads; of each size a part of all pairs of a history and a plan. */
test.each([
  { mutations: 1, reads: 2, every: 31 },
  { mutations: 2, reads: 0, every: 17 },
  { mutations: 2, reads: 1, every: 997 },
  { mutations: 2, reads: 2, every: 30_011 },
  { mutations: 3, reads: 0, every: 20_011 },
  { mutations: 3, reads: 1, every: 1_000_003 },
  { mutations: 3, reads: 2, every: 50_000_017 },
])(
  'however $mutations mutations and $reads reads overlap, the screen shows what it can know (one pair in $every)',
  { timeout: 60_000 },
  async (slice) => {
    const { pairs, wrong } = await checkOrder(slice);

    expect(wrong).toBeUndefined();
    expect(pairs).toBeGreaterThan(0);
  },
);
