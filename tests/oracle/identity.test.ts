import { expect, test } from 'vitest';
import { runIdentity } from './identity.ts';

const seed = Number(process.env['SEED'] ?? 1);

test('after each of many writes, exactly the readers of changed records are notified and have new objects', () => {
  expect(runIdentity(seed, Number(process.env['RUNS'] ?? 1_000))).toBeUndefined();
});
