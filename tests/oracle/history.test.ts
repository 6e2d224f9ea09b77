import { expect, test } from 'vitest';
import { everyday, optimistic, requested } from './history.ts';
import { seedsInTurn } from '../turn.ts';
import { describe as tell, runHistories } from './run.ts';

test('after every step of random histories the store shows what the naive model shows', { timeout: 600_000 }, () => {
  const { failure } = runHistories({ ...seedsInTurn(4_000, 4), profile: everyday });

  expect(failure && tell(failure)).toBeUndefined();
});

test('whatever the order in which guesses are settled, what shows is right at every step', { timeout: 600_000 }, () => {
  const { failure } = runHistories({ ...seedsInTurn(1_500, 4), profile: optimistic });

  expect(failure && tell(failure)).toBeUndefined();
});

test(
  'a write done ahead in slices, with other writes between them, is the write done whole when it lands',
  { timeout: 600_000 },
  () => {
    const ahead = { begun: 0, landed: 0 };
    const { failure, runs } = runHistories({ ...seedsInTurn(4_000, 4), profile: requested, ahead });

    expect(failure && tell(failure)).toBeUndefined();
    expect(ahead.landed).toBeGreaterThan(runs);
  },
);
