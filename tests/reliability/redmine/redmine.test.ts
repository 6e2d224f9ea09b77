import { expect, test } from 'vitest';
import { World } from './world.ts';

const first = Number(process.env['SEED'] ?? 1);
const runs = Number(process.env['RUNS'] ?? 8);

test.each([
  ['with guesses', { isOptimistic: true, isSerial: false }],
  ['without guesses', { isOptimistic: false, isSerial: false }],
  ['one after another, without guesses', { isOptimistic: false, isSerial: true }],
  ['one after another, with guesses', { isOptimistic: true, isSerial: true }],
])(
  'after 40 changes over a bad network, %s, the screen equals the data of the server',
  { timeout: 600_000 },
  async (_name, setting) => {
    for (let seed = first; seed < first + runs; seed++) {
      // oxlint-disable-next-line no-await-in-loop -- one run after another
      const wrong: string | undefined = await new World({
        ...setting,
        seed,
        mutations: Number(process.env['MUTATIONS'] ?? 40),
      }).run();
      expect(wrong).toBeUndefined();
    }
  },
);
