import { expect, test } from 'vitest';
import { play } from './history.tsx';

const HISTORIES = Number(process.env['REJOIN_HISTORIES'] ?? 20);
const FIRST = Number(process.env['REJOIN_SEED'] ?? 1);
const STEPS = 60;

test(`in ${HISTORIES} random histories, no frame shows two versions of one record`, { timeout: 600_000 }, async () => {
  const faults: string[] = [];
  let frames = 0;
  for (let seed = FIRST; seed < FIRST + HISTORIES; seed++) {
    // oxlint-disable-next-line no-await-in-loop -- one after the other
    const outcome = await play(seed, STEPS);
    frames += outcome.frames;
    faults.push(...outcome.faults.slice(0, 1).map((fault) => `seed ${seed}: ${fault}`));
  }
  expect(faults).toEqual([]);
  // Frames in which nothing changes would prove nothing.
  expect(frames).toBeGreaterThan(HISTORIES * 5);
});
