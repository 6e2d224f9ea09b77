import { expect, test } from 'vitest';
import { crowd, storm } from '../network/run.ts';
import { runSeeds } from '../network/seeds.ts';

const seed = Number(process.env['SEED'] ?? 1);
const runs = Number(process.env['RUNS'] ?? 150);

test(
  'in whatever order things are asked for, given up, watched, forgotten and taken over, the store shows what the server has',
  { timeout: 600_000 },
  async () => {
    const { failure } = await runSeeds({ profile: crowd, seed, runs });

    expect(failure).toBeUndefined();
  },
);

test.each([
  ['crowd', crowd],
  ['storm', storm],
])(
  'where every answer lands in slices, the store shows what the server has: %s',
  { timeout: 600_000 },
  async (_name, profile) => {
    const { failure } = await runSeeds({ profile: { ...profile, isSliced: true }, seed, runs: Math.ceil(runs / 3) });

    expect(failure).toBeUndefined();
  },
);
