import { expect, test } from 'vitest';
import { hasChromium } from '../offline/own-chromium.ts';
import { runKills } from './kills.ts';

/** How often the browser is killed. `npm run reliability -- R10 --full` kills it 200 times. */
const CYCLES = Number(process.env['CYCLES'] ?? 4);

test.runIf(hasChromium)(
  'a browser that is killed during a write restores a whole state at its next start, no state before the last saved one, and each saved edit',
  { timeout: 60_000 + CYCLES * 20_000 },
  async () => {
    const { cycles, wrong } = await runKills(CYCLES, Number(process.env['SEED'] ?? 1));
    expect(wrong).toEqual([]);
    expect(cycles).toBe(CYCLES);
  },
);
