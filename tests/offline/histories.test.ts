import { expect, test } from 'vitest';
import { runOfflineHistories } from './histories.ts';

/** How many histories. `npm run reliability -- offline --full` runs 4,000. */
const RUNS = Number(process.env['RUNS'] ?? 400);

test(
  'with a disk, an outbox and other tabs, each edit has one effect, no user sees data of another one, and all tabs show what the server has when everything has settled',
  { timeout: 60_000 + RUNS * 500 },
  async () => {
    const { logouts, wrong } = await runOfflineHistories(RUNS, Number(process.env['SEED'] ?? 1));
    expect(wrong).toBeUndefined();
    expect(logouts).toBeGreaterThan(RUNS);
  },
);
