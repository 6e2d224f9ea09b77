import { expect, test } from 'vitest';
import { Random } from '../oracle/random.ts';
import { seedsInTurn } from '../turn.ts';
import { TicketsWorld } from './tickets-world.ts';

/* oxlint-disable no-await-in-loop -- one history after the other */

test.each([true, false])(
  'a user whose object is part of the body of a ticket shows the latest name that has arrived; with guesses: %s',
  async (optimistic) => {
    const { seed: from, runs } = seedsInTurn(150, 5);
    for (let seed = from; seed < from + runs; seed++)
      expect(await new TicketsWorld(new Random(seed), optimistic).run(16), `seed ${seed}`).toEqual([]);
  },
);
