import { expect, test } from 'vitest';
import { Wakers } from './wakers.ts';

test('code that is held is not woken before it can go on', async () => {
  const wakers = new Wakers();
  const { signal } = new AbortController();
  const woken: string[] = [];
  let isHeld = true;
  const held = wakers.wait(signal, { isHeld: () => isHeld }).then(() => woken.push('held'));
  const free = wakers.wait(signal).then(() => woken.push('free'));
  wakers.wake();
  await free;
  expect(woken).toEqual(['free']);
  isHeld = false;
  wakers.wake();
  await held;
  expect(woken).toEqual(['free', 'held']);
});
