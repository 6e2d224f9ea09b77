import { expect, test } from 'vitest';
import { seedsInTurn } from '../turn.ts';
import { runQueries } from './run.ts';

const { seed, runs } = seedsInTurn(100, 2);

test(
  'a query equals its recomputation after any history, and what did not change stays the same object',
  async () => {
    expect(await runQueries(seed, runs)).toEqual({ runs, failure: undefined });
  },
  1_000 * (runs + 30),
);
