import { expect, test } from 'vitest';
import { crowd } from '../network/run.ts';
import { runSeeds } from '../network/seeds.ts';

const seed = Number(process.env['SEED'] ?? 1);
const runs = Number(process.env['RUNS'] ?? 150);

test(
  'in whatever order things are asked for, given up, watched, forgotten and taken over',
  { timeout: 600_000 },
  async () => {
    const { failure } = await runSeeds({ profile: crowd, seed, runs });

    expect(failure).toBeUndefined();
  },
);
