import { expect, test } from 'vitest';
import { Random } from '../oracle/random.ts';
import { seedsInTurn } from '../turn.ts';
import { nestings, OrdersWorld } from './orders-world.ts';

/* oxlint-disable no-await-in-loop -- one history after the other */

test.each(Object.entries(nestings))(
  'orders that are created with lines in %s show each change at once, and at the end what the server has',
  async (_, nesting) => {
    const { seed: from, runs } = seedsInTurn(150, 5);
    for (let seed = from; seed < from + runs; seed++)
      expect(await new OrdersWorld(nesting, new Random(seed)).run(16), `seed ${seed}`).toEqual([]);
  },
);
