import { DataError } from '../../std/data-error.ts';
import { LONGEST_TIMER, type Platform } from './platform.ts';

/** How long something may take. */
export interface Deadline {
  /** Milliseconds. `Infinity`: for ever. */
  readonly timeout: number;
  /** Ends it before its time. */
  readonly signal?: AbortSignal | null | undefined;
  /** What it is, for the error. */
  readonly what: string;
}

/**
 * Runs something that ends by itself, or by the signal, or by the clock, whether or not it listens to the signal that
 * it is given.
 */
export async function withDeadline<Value>(
  run: (signal: AbortSignal) => Promise<Value>,
  deadline: Deadline,
  platform: Platform,
): Promise<Value> {
  const { signal: outer, what } = deadline;
  const milliseconds = timeoutOf(deadline);
  outer?.throwIfAborted();
  const inner = new AbortController();
  const stopped = new Promise<never>((_, reject) => {
    inner.signal.addEventListener('abort', () => reject(inner.signal.reason), { once: true });
  });
  const onAbort = (): void => inner.abort(outer?.reason);
  outer?.addEventListener('abort', onAbort, { once: true });
  const timer =
    milliseconds === Number.POSITIVE_INFINITY
      ? undefined
      : platform.setTimeout(() => inner.abort(timedOut(what, milliseconds)), milliseconds);
  let value: Value | undefined;
  try {
    value = await Promise.race([run(inner.signal), stopped]);
    return value;
  } finally {
    if (timer !== undefined) platform.clearTimeout(timer);
    // A body that is still being read has to hear of it.
    if (!isStream(value)) outer?.removeEventListener('abort', onAbort);
  }
}

/** Waits, unless the signal ends it. */
export function pause(milliseconds: number, signal: AbortSignal | null | undefined, platform: Platform): Promise<void> {
  const wait = (inner: AbortSignal): Promise<void> =>
    new Promise((resolve) => {
      const timer = platform.setTimeout(resolve, Math.min(milliseconds, LONGEST_TIMER));
      inner.addEventListener('abort', () => platform.clearTimeout(timer));
    });
  return withDeadline(wait, { timeout: Number.POSITIVE_INFINITY, signal, what: 'A pause' }, platform);
}

function timeoutOf({ timeout, what }: Deadline): number {
  if (!(timeout > 0)) throw timeoutInvalid(what, timeout);
  return timeout === Number.POSITIVE_INFINITY ? timeout : Math.min(timeout, LONGEST_TIMER);
}

function timedOut(what: string, milliseconds: number): DataError {
  return new DataError(
    'request-timeout',
    `${what} took longer than ${milliseconds} ms. See why the server does not answer, or give it a longer timeout ` +
      '(Infinity for none).',
  );
}

function timeoutInvalid(what: string, timeout: number): DataError {
  return new DataError(
    'timeout-invalid',
    `The timeout of ${what} is ${timeout}. Give a number of milliseconds above 0, or Infinity for none.`,
  );
}

function isStream(value: unknown): boolean {
  return typeof value === 'object' && value !== null && 'getReader' in value;
}
