import { expect, test } from 'vitest';
import { runSeeds } from '../network/seeds.ts';
import { changing } from './scan.ts';

const seed = Number(process.env['SEED'] ?? 1);
const runs = Number(process.env['RUNS'] ?? 40);

test(
  'of a user who has left nothing is stored, shown or told, whatever is under way',
  { timeout: 600_000 },
  async () => {
    const { failure } = await runSeeds({ profile: changing, seed, runs });

    expect(failure).toBeUndefined();
  },
);

test(
  'of a user who has left nothing is stored, shown or told where every answer lands in slices',
  { timeout: 600_000 },
  async () => {
    const { failure } = await runSeeds({ profile: { ...changing, isSliced: true }, seed, runs });

    expect(failure).toBeUndefined();
  },
);
