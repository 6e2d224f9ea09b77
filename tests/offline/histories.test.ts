import { expect, test } from 'vitest';
import { seedsInTurn } from '../turn.ts';
import { runOfflineHistories } from './histories.ts';

/** 400 histories; `npm run reliability -- offline --full` runs 4,000. */
const { seed, runs } = seedsInTurn(400, 4);

test(
  'with a disk, an outbox and other tabs, each edit has one effect, no user sees data of another one, and all tabs show what the server has when everything has settled',
  { timeout: 60_000 + runs * 500 },
  async () => {
    const { logouts, wrong } = await runOfflineHistories(runs, seed);
    expect(wrong).toBeUndefined();
    expect(logouts).toBeGreaterThan(runs);
  },
);
