import { expect, test } from 'vitest';
import { checkOrder, SIZES } from './check.ts';
import { checkRandom } from './random.ts';

test.each(SIZES)(
  'in every order of $mutations mutations and $reads reads that overlap, the screen shows expected values (one of $every tested)',
  { timeout: 600_000 },
  async (size) => {
    const { pairs, wrong } = await checkOrder(size);

    expect(wrong).toBeUndefined();
    expect(pairs).toBeGreaterThan(0);
  },
);

test('in random histories of up to six mutations, the screen shows expected values', async () => {
  const wrong = await checkRandom(Number(process.env['SEED'] ?? 1), Number(process.env['RUNS'] ?? 300));

  expect(wrong).toBeUndefined();
});
