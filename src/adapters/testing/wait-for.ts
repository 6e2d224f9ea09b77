import { act, surroundings } from './act.ts';

export interface WaitOptions {
  /** After how many milliseconds it fails. Default: 1,000. */
  readonly timeout?: number;
  /** How often it looks, while nothing renders. Default: 50. */
  readonly interval?: number;
}

// Those of the world as it was when this was loaded: a test may have replaced them since, and would wait for ever.
const { setTimeout: wake, clearTimeout: cancel } = globalThis;
const now = performance.now.bind(performance);

/** Where Jest's timers are in the place of the real ones, time goes on when it is told to. */
function jestTimers(): ((milliseconds: number) => void) | undefined {
  const { jest } = globalThis as { jest?: { advanceTimersByTime(milliseconds: number): void } };
  return jest !== undefined && globalThis.setTimeout !== wake ? (by) => jest.advanceTimersByTime(by) : undefined;
}

/** Calls `listener` once, at the next change. Gives what ends it. */
export type OnceChanged = (listener: () => void) => () => void;

/** Resolves once `check` neither throws nor is false; rejects with what it threw last. */
export async function waitFor(
  check: () => unknown,
  onceChanged: OnceChanged,
  { timeout = 1000, interval = 50 }: WaitOptions = {},
): Promise<void> {
  const until = now() + timeout;
  // What arrives while we wait is rendered as it is in a browser.
  const restore = surroundings(false);
  try {
    for (;;) {
      const doubt = await doubtOf(check);
      if (doubt === undefined) break;
      if (now() >= until) throw doubt;
      await (jestTimers() ? act(async () => jestTimers()?.(interval)) : change(onceChanged, interval));
    }
  } finally {
    restore();
  }
  // Effects of what was rendered last.
  await act(async () => {});
}

async function doubtOf(check: () => unknown): Promise<Error | undefined> {
  try {
    return (await check()) === false ? new Error('waitFor: its check was false to the end.') : undefined;
  } catch (error) {
    return error as Error;
  }
}

async function change(onceChanged: OnceChanged, interval: number): Promise<void> {
  return new Promise((resolve) => {
    const done = (): void => {
      cancel(timer);
      stop();
      resolve();
    };
    const timer = wake(done, interval);
    const stop = onceChanged(done);
  });
}
