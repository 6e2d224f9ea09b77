import { expect, test } from 'vitest';
import { crowd, storm } from '../network/run.ts';
import { seedsInTurn } from '../../turn.ts';
import { runSeeds } from '../network/seeds.ts';

const { seed, runs } = seedsInTurn(150, 3);

test(
  'the store shows the data of the server after random orders of fetches, aborts, watches, resets and handovers',
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
  'if every answer is stored in slices, the store has the data of the server: %s',
  { timeout: 600_000 },
  async (_name, profile) => {
    const { failure } = await runSeeds({ profile: { ...profile, isSliced: true }, seed, runs: Math.ceil(runs / 3) });

    expect(failure).toBeUndefined();
  },
);
