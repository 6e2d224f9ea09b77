import { afterEach, expect, test, vi } from 'vitest';
import { seedsInTurn } from '../turn.ts';
import { play } from './deal-history.tsx';
import { playAll } from './histories.ts';

// React 18 reports the errors that boundaries catch.
const logs = (['warn', 'error'] as const).map((name) => vi.spyOn(console, name).mockImplementation(() => undefined));
afterEach(() => logs.forEach((log) => log.mockClear()));

const seeds = seedsInTurn(120, 4);
const options = { steps: 25, without: new Set(process.env['REJOIN_WITHOUT']?.split(',')) };

test(
  `in ${seeds.runs} random histories of a page with several lists, each list is that of a fresh GET once everything has settled`,
  { timeout: 3_600_000 },
  async () => {
    const { outcomes, failed, least } = await playAll(play, seeds, options);
    const mutations = outcomes.reduce((sum, one) => sum + one.mutations, 0);
    const reads = outcomes.reduce((sum, one) => sum + one.reads, 0);
    if (process.env['TOLD'] !== undefined)
      process.stdout.write(`${mutations} mutations, ${reads / mutations} reads a mutation; failed: ${failed.join()}\n`);
    expect({ failed, least }).toEqual({ failed: [], least: undefined });
    // Histories in which nothing changes would prove nothing.
    expect(mutations).toBeGreaterThan(seeds.runs);
  },
);
