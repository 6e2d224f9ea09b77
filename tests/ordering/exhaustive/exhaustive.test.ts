import { expect, test } from 'vitest';
import { checkOrder, SIZES } from './check.ts';

test.each(SIZES)(
  'however $mutations mutations and $reads reads overlap, the screen shows what it can know (one pair in $every)',
  { timeout: 60_000 },
  async (slice) => {
    const { pairs, wrong } = await checkOrder(slice);

    expect(wrong).toBeUndefined();
    expect(pairs).toBeGreaterThan(0);
  },
);
