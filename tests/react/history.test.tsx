import { expect, test } from 'vitest';
import { seedsInTurn } from '../turn.ts';
import { type HistoryOptions, playAll } from './histories.ts';
import { kindOf, play } from './history.tsx';

const seeds = seedsInTurn(20, 4);
const options: HistoryOptions = { steps: 60, without: new Set(process.env['REJOIN_WITHOUT']?.split(',')) };

test(
  `in ${seeds.runs} random histories, no frame shows two versions of one record`,
  { timeout: 1_200_000 },
  async () => {
    const { outcomes, failed, least } = await playAll(play, seeds, options, kindOf);
    expect({ failed, least }).toEqual({ failed: [], least: undefined });
    // Histories in which nothing changes would prove nothing.
    const frames = outcomes.reduce((sum, one) => sum + one.frames, 0);
    expect(frames).toBeGreaterThan(seeds.runs * 5);
  },
);
