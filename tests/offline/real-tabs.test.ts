import { expect, test } from 'vitest';
import { hasChromium } from './own-chromium.ts';
import { runRealTabs } from './real-tabs.ts';

/** The number of edits of each tab. `npm run reliability -- R12 --full` makes 300, and kills 30 tabs. */
const EDITS = Number(process.env['EDITS'] ?? 30);

test.runIf(hasChromium)(
  'when three tabs in Chromium are killed at random, each edit is carried out once, in the order of its record, and all tabs show the same at the end',
  { timeout: 600_000 },
  async () => {
    const { wrong } = await runRealTabs(EDITS, EDITS / 10, Number(process.env['SEED'] ?? 1));
    expect(wrong).toEqual([]);
  },
);
