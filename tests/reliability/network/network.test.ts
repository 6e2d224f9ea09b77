import { expect, test } from 'vitest';
import { FAULTS, TROUBLES } from './network.ts';
import { storm } from './run.ts';
import { runSeeds } from './seeds.ts';

const seed = Number(process.env['SEED'] ?? 1);
const runs = Number(process.env['RUNS'] ?? 30);

test(
  'clients show the right data with random faults of networks, servers and clocks',
  { timeout: 600_000 },
  async () => {
    const { failure } = await runSeeds({ profile: storm, seed, runs });

    expect(failure).toBeUndefined();
  },
);

test('every kind of fault happens, and the same seeds give the same events', async () => {
  const first = await runSeeds({ profile: storm, seed: 1, runs: 6 });
  const second = await runSeeds({ profile: storm, seed: 1, runs: 6 });

  expect(first.kinds).toBe(FAULTS.length + TROUBLES.length);
  expect(FAULTS.length + TROUBLES.length).toBe(16);
  expect(second).toEqual(first);
});
