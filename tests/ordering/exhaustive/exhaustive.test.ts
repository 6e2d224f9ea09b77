import { expect, test } from 'vitest';
import { checkOrder, SIZES } from './check.ts';
import { checkRandom } from './random.ts';

test.each(SIZES)(
  'however $mutations mutations and $reads reads overlap, the screen shows what it can know (one pair in $every)',
  { timeout: 600_000 },
  async (slice) => {
    const { pairs, wrong } = await checkOrder(slice);

    expect(wrong).toBeUndefined();
    expect(pairs).toBeGreaterThan(0);
  },
);

test('in random histories of more mutations the screen shows what it can know', async () => {
  const wrong = await checkRandom(Number(process.env['SEED'] ?? 1), Number(process.env['RUNS'] ?? 300));

  expect(wrong).toBeUndefined();
});
