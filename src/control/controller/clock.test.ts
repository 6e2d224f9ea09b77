import { afterEach, expect, test, vi } from 'vitest';
import { Controller } from './controller.ts';

afterEach(() => void vi.restoreAllMocks());

test('a controller looks the clock up each time that it uses it, so that it can be replaced', () => {
  const controller = new Controller();
  vi.spyOn(Date, 'now').mockReturnValue(5);
  expect(controller.now()).toBe(5);
});
