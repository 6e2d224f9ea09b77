import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { expect, test } from 'vitest';
import { secretsInMemory } from './heap.ts';

setFlagsFromString('--expose-gc');
const gc = runInNewContext('gc') as () => void;

test('in a dump of the memory there is nothing of a user who has left', async () => {
  const { left, came } = await secretsInMemory(gc);

  expect(came).toBeGreaterThan(0);
  expect(left).toBe(0);
});
