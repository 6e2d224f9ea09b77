import { afterEach, expect, test, vi } from 'vitest';
import { seedsInTurn } from '../turn.ts';
import { play } from './form-history.tsx';
import { playAll } from './histories.ts';

// React 18 reports the errors that boundaries catch.
const logs = (['warn', 'error'] as const).map((name) => vi.spyOn(console, name).mockImplementation(() => undefined));
afterEach(() => logs.forEach((log) => log.mockClear()));

const seeds = seedsInTurn(80, 4);
const options = { steps: 25, without: new Set(process.env['REJOIN_WITHOUT']?.split(',')) };

test(
  `in ${seeds.runs} random histories of a form, what the user typed is on the server and on the screen, or in the form with an error`,
  { timeout: 3_600_000 },
  async () => {
    const { outcomes, failed, least } = await playAll(play, seeds, options);
    const saves = outcomes.reduce((sum, one) => sum + one.saves, 0);
    if (process.env['TOLD'] !== undefined) process.stdout.write(`${saves} mutations, failed: ${failed.join()}\n`);
    expect({ failed, least }).toEqual({ failed: [], least: undefined });
    // Histories in which nothing is typed would prove nothing.
    expect(saves).toBeGreaterThan(seeds.runs);
  },
);
