import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { expect, test } from 'vitest';
import { bytesLeft } from './creates.ts';
import { stillHeld } from './let-go.ts';
import { soak } from './soak.ts';

setFlagsFromString('--expose-gc');
const gc = runInNewContext('gc') as () => void;

test('when all readers have gone, no timer, listener, row, result or query is left', { timeout: 60_000 }, async () => {
  const { polls, mounts, left } = await soak(0.1, 500, () => {});

  expect(polls).toBeGreaterThan(8000);
  expect(mounts).toBeGreaterThan(490);
  expect(left).toEqual({ timers: 0, listeners: 0, rows: 0, results: 0, queries: 0, layers: 0 });
});

test('what is not referenced any more is garbage for the engine', async () => {
  expect(await stillHeld(gc)).toEqual([]);
});

test.each([
  ['that was confirmed and whose record was deleted', false],
  ['that failed', true],
])(
  'nothing is left of an optimistic create %s, once garbage was collected',
  { timeout: 60_000 },
  async (_, isFailing) => {
    expect(await bytesLeft(gc, 10_000, isFailing)).toBeLessThanOrEqual(1);
  },
);
