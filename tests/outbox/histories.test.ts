import { expect, test } from 'vitest';
import { seedsInTurn } from '../turn.ts';
import { runHistory } from './histories.ts';

/** 2,000 histories; `npm run reliability -- outbox --full` runs 20,000. */
const { seed: first, runs } = seedsInTurn(2000, 4);

test(
  'in random histories, each edit has one effect, in the order of its record, and no edit is lost, doubled or sent with a temporary pk',
  { timeout: 600_000 },
  async () => {
    const wrong: string[] = [];
    for (let seed = first; seed < first + runs && wrong.length === 0; seed++) wrong.push(...(await runHistory(seed))); // oxlint-disable-line no-await-in-loop -- one after another
    expect(wrong).toEqual([]);
  },
);
