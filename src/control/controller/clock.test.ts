import { afterEach, expect, test, vi } from 'vitest';
import { Controller } from './controller.ts';

afterEach(() => void vi.restoreAllMocks());

test('a controller reads Date.now at each use, so that a test can replace it', () => {
  const controller = new Controller();
  vi.spyOn(Date, 'now').mockReturnValue(5);
  expect(controller.now()).toBe(5);
});
