import { expect, test } from 'vitest';
import type { HistoryOptions } from './history.tsx';
import { seedsInTurn } from '../turn.ts';
import { seedScheduler } from './seeded-scheduler.ts';

const { seed: FIRST, runs: HISTORIES } = seedsInTurn(20, 4);
/** How often React has to yield: then each history plays the same way every time. Without it, React's own scheduler decides. */
const YIELDS = process.env['REJOIN_YIELDS'];
const scheduler = YIELDS === undefined ? undefined : seedScheduler(Number(YIELDS));
// Only now is React loaded.
const { play, shrink } = await import('./history.tsx');
const options: HistoryOptions = {
  steps: 60,
  without: new Set(process.env['REJOIN_WITHOUT']?.split(',')),
  onBegin: (seed) => scheduler?.begin(seed),
};

test(
  `in ${HISTORIES} random histories, no frame shows two versions of one record`,
  { timeout: 1_200_000 },
  async () => {
    const failed: number[] = [];
    let frames = 0;
    for (let seed = FIRST; seed < FIRST + HISTORIES; seed++) {
      // oxlint-disable-next-line no-await-in-loop -- one after the other
      const outcome = await play(seed, options);
      frames += outcome.frames;
      if (outcome.faults.length > 0) failed.push(seed);
    }
    // The smallest history that breaks the same law.
    const [seed] = failed;
    const least = seed === undefined ? undefined : await shrink(seed, options);
    expect({ failed, least }).toEqual({ failed: [], least: undefined });
    // Frames in which nothing changes would prove nothing.
    expect(frames).toBeGreaterThan(HISTORIES * 5);
    expect(scheduler?.tasks).not.toBe(0);
  },
);
