import { expect, test } from 'vitest';
import { History } from './history.ts';

const SEED = Number(process.env['SEED'] ?? 1);
const RUNS = Number(process.env['RUNS'] ?? 100);

test(
  'a query equals its recomputation after any history, and what did not change stays the same object',
  { timeout: 1_000 * (RUNS + 30) },
  () => {
    for (let seed = SEED; seed < SEED + RUNS; seed++) {
      const history = new History(seed);
      for (let step = 0; step < 30; step++) {
        history.step();
        expect(history.check(), `seed ${seed}, step ${step}`).toBeUndefined();
      }
      history.end();
    }
  },
);
