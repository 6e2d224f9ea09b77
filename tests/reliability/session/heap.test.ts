import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { expect, test } from 'vitest';
import { secretsInMemory } from './heap.ts';

setFlagsFromString('--expose-gc');
const gc = runInNewContext('gc') as () => void;

test('a dump of the memory contains no data of a user who has logged out', async () => {
  const { left, came } = await secretsInMemory(gc);

  expect(came).toBeGreaterThan(0);
  expect(left).toBe(0);
});
