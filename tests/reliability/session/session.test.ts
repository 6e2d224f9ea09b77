import { expect, test } from 'vitest';
import { runSeeds } from '../network/seeds.ts';
import { changing } from './scan.ts';

const seed = Number(process.env['SEED'] ?? 1);
const runs = Number(process.env['RUNS'] ?? 40);

test(
  'no data of a former user is stored, shown or passed to observers, also with requests of every kind in flight',
  { timeout: 600_000 },
  async () => {
    const { failure } = await runSeeds({ profile: changing, seed, runs });

    expect(failure).toBeUndefined();
  },
);

test(
  'no data of a former user is stored, shown or passed to observers when every answer is stored in slices',
  { timeout: 600_000 },
  async () => {
    const { failure } = await runSeeds({ profile: { ...changing, isSliced: true }, seed, runs });

    expect(failure).toBeUndefined();
  },
);
