import { afterEach, expect, test, vi } from 'vitest';
import { seedsInTurn } from '../turn.ts';
import { play, shrink } from './form-history.tsx';

// React 18 reports the errors that boundaries catch.
const logs = (['warn', 'error'] as const).map((name) => vi.spyOn(console, name).mockImplementation(() => undefined));
afterEach(() => logs.forEach((log) => log.mockClear()));

const { seed: FIRST, runs: HISTORIES } = seedsInTurn(80, 4);
const options = { steps: 25, without: new Set(process.env['REJOIN_WITHOUT']?.split(',')) };

test(
  `in ${HISTORIES} random histories of a form, what the user typed is on the server and on the screen, or in the form with an error`,
  { timeout: 3_600_000 },
  async () => {
    const failed: number[] = [];
    let saves = 0;
    for (let seed = FIRST; seed < FIRST + HISTORIES; seed++) {
      // oxlint-disable-next-line no-await-in-loop -- one after the other
      const outcome = await play(seed, options);
      saves += outcome.saves;
      if (outcome.faults.length > 0) failed.push(seed);
    }
    if (process.env['TOLD'] !== undefined) process.stdout.write(`${saves} mutations, failed: ${failed.join()}\n`);
    const [seed] = failed;
    const least = seed === undefined ? undefined : await shrink(seed, options);
    expect({ failed, least: least && [...least.told, ...least.faults] }).toEqual({ failed: [], least: undefined });
    // Histories in which nothing is typed would prove nothing.
    expect(saves).toBeGreaterThan(HISTORIES);
  },
);
