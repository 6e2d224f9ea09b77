// @vitest-environment happy-dom
import { afterEach, beforeAll, describe, expect, it, vi } from 'vitest';
import type { renderDataHook } from '../../src/testing.ts';

// Files that share their process share React, which keeps the timers that exist when it is loaded. So React is loaded with the real timers.
beforeAll(() => import('react-dom/client'));

afterEach(() => {
  vi.useRealTimers();
  vi.unstubAllGlobals();
  vi.resetModules();
});

/** The library, loaded again, with the present timers. */
async function load(): Promise<{ readonly renderDataHook: typeof renderDataHook }> {
  vi.resetModules();
  return import('../../src/testing.ts');
}

describe('waitFor', () => {
  it('advances fake time that was installed before the library was loaded', async () => {
    vi.useFakeTimers();
    const testing = await load();
    const { waitFor } = testing.renderDataHook(() => 1);
    let isOver = false;
    setTimeout(() => (isOver = true), 700);
    await waitFor(() => isOver);
    await expect(waitFor(() => false)).rejects.toThrow('returned false until the timeout');
  });

  it('waits in real time after fake timers were removed that were installed when the library was loaded', async () => {
    vi.useFakeTimers();
    const testing = await load();
    vi.useRealTimers();
    const { waitFor } = testing.renderDataHook(() => 1);
    let asked = 0;
    await waitFor(() => ++asked > 2, { interval: 1 });
    await expect(waitFor(() => false, { timeout: 5, interval: 1 })).rejects.toThrow('returned false until the timeout');
  });

  it('advances the legacy fake time of Jest', async () => {
    const testing = await load();
    const { waitFor } = testing.renderDataHook(() => 1);
    let time = 0;
    vi.stubGlobal('jest', { advanceTimersByTime: (milliseconds: number) => void (time += milliseconds) });
    vi.stubGlobal(
      'setTimeout',
      Object.assign(() => 0, { _isMockFunction: true }),
    );
    await waitFor(() => time >= 150);
    expect(time).toBe(150);
  });
});
