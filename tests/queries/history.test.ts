import { expect, test } from 'vitest';
import { runQueries } from './run.ts';

const SEED = Number(process.env['SEED'] ?? 1);
const RUNS = Number(process.env['RUNS'] ?? 100);

test(
  'a query equals its recomputation after any history, and what did not change stays the same object',
  () => {
    expect(runQueries(SEED, RUNS)).toEqual({ runs: RUNS, failure: undefined });
  },
  1_000 * (RUNS + 30),
);
