import { expect, test } from 'vitest';
import type { HistoryOptions } from './histories.ts';
import { seedsInTurn } from '../turn.ts';
import { seedScheduler } from './seeded-scheduler.ts';

const seeds = seedsInTurn(20, 4);
/** How often React has to yield: then each history plays the same way every time. Without it, React's own scheduler decides. */
const YIELDS = process.env['REJOIN_YIELDS'];
const scheduler = YIELDS === undefined ? undefined : seedScheduler(Number(YIELDS));
// React must be loaded after the scheduler was replaced.
const [{ kindOf, play }, { playAll }] = await Promise.all([import('./history.tsx'), import('./histories.ts')]);
const options: HistoryOptions = {
  steps: 60,
  without: new Set(process.env['REJOIN_WITHOUT']?.split(',')),
  onBegin: (seed) => scheduler?.begin(seed),
};

test(
  `in ${seeds.runs} random histories, no frame shows two versions of one record`,
  { timeout: 1_200_000 },
  async () => {
    const { outcomes, failed, least } = await playAll(play, seeds, options, kindOf);
    expect({ failed, least }).toEqual({ failed: [], least: undefined });
    // Histories in which nothing changes would prove nothing.
    const frames = outcomes.reduce((sum, one) => sum + one.frames, 0);
    expect(frames).toBeGreaterThan(seeds.runs * 5);
    expect(scheduler?.tasks).not.toBe(0);
  },
);
