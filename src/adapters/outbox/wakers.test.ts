import { expect, test } from 'vitest';
import { Wakers } from './wakers.ts';

test('code that waits is woken once, and can wait again', async () => {
  const wakers = new Wakers();
  const { signal } = new AbortController();
  const first = wakers.wait(signal);
  wakers.wake();
  await expect(first).resolves.toBe(false);
  const stopped = new AbortController();
  const second = wakers.wait(stopped.signal);
  stopped.abort(new Error('Stopped.'));
  wakers.wake();
  await expect(second).rejects.toThrow('Stopped.');
});
