import { act, setActEnvironment } from './act.ts';
import { advanceOf } from './fake-timers.ts';

export interface WaitOptions {
  /** After how many milliseconds it fails. Default: 1,000. */
  readonly timeout?: number;
  /** How often it looks, while nothing renders. Default: 50. */
  readonly interval?: number;
}

/** Real time, as it was when this was loaded: a test may put something in its place. */
const loaded = { wake: globalThis.setTimeout, cancel: globalThis.clearTimeout, now: performance.now.bind(performance) };

/** Where even that was not real time, what there is now. */
function timeOf(): typeof loaded {
  if (advanceOf(loaded.wake) === undefined) return loaded;
  return { wake: globalThis.setTimeout, cancel: globalThis.clearTimeout, now: performance.now.bind(performance) };
}

/** Calls `listener` once, at the next change. Returns an unsubscribe function. */
export type OnceChanged = (listener: () => void) => () => void;

/** Resolves once `check` neither throws nor is false; rejects with what it threw last. */
export async function waitFor(
  check: () => unknown,
  onceChanged: OnceChanged,
  { timeout = 1000, interval = 50 }: WaitOptions = {},
): Promise<void> {
  const { now } = timeOf();
  const until = now() + timeout;
  // What arrives while we wait is rendered as it is in a browser.
  const restore = setActEnvironment(false);
  try {
    for (;;) {
      const doubt = await doubtOf(check);
      if (doubt === undefined) break;
      if (now() >= until) throw doubt;
      const advance = advanceOf(globalThis.setTimeout);
      // Where time is a fake, it goes on when it is told to.
      await (advance ? act(async () => advance(interval)) : change(onceChanged, interval));
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
  const { wake, cancel } = timeOf();
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
