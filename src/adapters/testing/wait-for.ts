import { act, setActEnvironment } from './act.ts';
import { advanceOf } from './fake-timers.ts';

/** How long `waitFor` waits, and how often it checks. */
export interface WaitOptions {
  /** After how many milliseconds it fails. Default: 1,000. */
  readonly timeout?: number;
  /** The milliseconds between two checks while nothing renders. Default: 50. */
  readonly interval?: number;
}

/** The real timers, saved when this module was loaded, because tests may replace the globals. */
const saved = { wake: globalThis.setTimeout, cancel: globalThis.clearTimeout, now: performance.now.bind(performance) };

/** Returns the saved timers. If a test had replaced them before this module was loaded, returns the present ones. */
function timers(): typeof saved {
  if (advanceOf(saved.wake) === undefined) return saved;
  return { wake: globalThis.setTimeout, cancel: globalThis.clearTimeout, now: performance.now.bind(performance) };
}

/** Calls `listener` once, at the next render. Returns an unsubscribe function. */
export type OnceChanged = (listener: () => void) => () => void;

/** Resolves when `check` neither throws nor returns false. After the timeout, rejects with its last error. */
export async function waitFor(
  check: () => unknown,
  onChange: OnceChanged,
  { timeout = 1000, interval = 50 }: WaitOptions = {},
): Promise<void> {
  const { now } = timers();
  const until = now() + timeout;
  // Renders that happen during the wait run as in a browser, without `act`.
  const restore = setActEnvironment(false);
  try {
    for (;;) {
      const failure = await failureOf(check);
      if (failure === undefined) break;
      if (now() >= until) throw failure;
      const advance = advanceOf(globalThis.setTimeout);
      // Fake timers have to be advanced.
      await (advance ? act(async () => advance(interval)) : waitForChange(onChange, interval));
    }
  } finally {
    restore();
  }
  await runEffects();
}

/** The `act` of the wait that ended last. React cannot render any more after acts that overlap. */
let lastAct = Promise.resolve();

async function emptyAct(): Promise<void> {
  await act(async () => {});
}

/** Runs the effects of the last render. */
function runEffects(): Promise<void> {
  lastAct = lastAct.then(emptyAct, emptyAct);
  return lastAct;
}

async function failureOf(check: () => unknown): Promise<Error | undefined> {
  try {
    return (await check()) === false ? new Error('waitFor: its check returned false until the timeout.') : undefined;
  } catch (error) {
    return error as Error;
  }
}

/** Resolves at the next render, or after the interval. */
async function waitForChange(onChange: OnceChanged, interval: number): Promise<void> {
  const { wake, cancel } = timers();
  return new Promise((resolve) => {
    const done = (): void => {
      cancel(timer);
      stop();
      resolve();
    };
    const timer = wake(done, interval);
    const stop = onChange(done);
  });
}
