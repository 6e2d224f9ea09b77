import { afterEach, expect, test, vi } from 'vitest';
import { platform } from './platform.ts';

afterEach(() => {
  vi.useRealTimers();
  vi.unstubAllGlobals();
});

test('the platform reads the global functions at each call', async () => {
  vi.useFakeTimers({ now: 5000 });
  vi.stubGlobal('fetch', async (url: string) => new Response(url));
  const response = await platform.fetch('/posts', {});
  expect(await response.text()).toBe('/posts');
  expect(platform.now()).toBe(5000);
  const random = platform.random();
  expect(random >= 0 && random < 1).toBe(true);
});

test('the timers of the platform run, unless they are cleared', () => {
  vi.useFakeTimers();
  const ran: string[] = [];
  platform.setTimeout(() => ran.push('one'), 10);
  platform.clearTimeout(platform.setTimeout(() => ran.push('two'), 10));
  vi.advanceTimersByTime(10);
  expect(ran).toEqual(['one']);
});
