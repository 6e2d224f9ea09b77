import { expect, test } from 'vitest';
import { everyday, optimistic, requested } from './history.ts';
import { seedsInTurn } from '../turn.ts';
import { describe as describeFailure, runHistories } from './run.ts';

test(
  'after every step of a random history, the store has the values of a naive model',
  { timeout: 600_000 },
  async () => {
    const { failure } = await runHistories({ ...seedsInTurn(4_000, 4), profile: everyday });

    expect(failure && describeFailure(failure)).toBeUndefined();
  },
);

test(
  'guesses may be confirmed and dropped in any order: after every step, the store has the values of the model',
  { timeout: 600_000 },
  async () => {
    const { failure } = await runHistories({ ...seedsInTurn(1_500, 4), profile: optimistic });

    expect(failure && describeFailure(failure)).toBeUndefined();
  },
);

test(
  'a write that is prepared in slices, with other writes between them, has the same result as a write in one step',
  { timeout: 600_000 },
  async () => {
    const ahead = { begun: 0, stored: 0 };
    const { failure, runs } = await runHistories({ ...seedsInTurn(4_000, 4), profile: requested, ahead });

    expect(failure && describeFailure(failure)).toBeUndefined();
    expect(ahead.stored).toBeGreaterThan(runs);
  },
);
