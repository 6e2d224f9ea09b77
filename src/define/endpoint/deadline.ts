import { abortWith, reasonOf, throwIfAborted } from '../../std/cancelling.ts';
import { DataError } from '../../std/data-error.ts';
import { inDevelopment } from '../../std/development.ts';
import { MAX_TIMER_MS, type Platform } from '../../std/platform.ts';

/** Limits for the time that an operation may take. */
export interface Deadline {
  /** In milliseconds. `Infinity`: no limit. */
  readonly timeout: number;
  /** Aborts the operation before its timeout. */
  readonly signal?: AbortSignal | null | undefined;
  /** Names the operation in the error. */
  readonly what: string;
}

/**
 * Runs an operation until it settles, its signal aborts, or its timeout ends. The returned promise settles at that moment, even if the
 * operation ignores the signal that it gets.
 */
export async function withDeadline<Value>(
  run: (signal: AbortSignal) => Promise<Value>,
  { timeout, signal: outer, what }: Deadline,
  platform: Platform,
): Promise<Value> {
  if (!(timeout > 0)) throw timeoutInvalid(what, timeout);
  throwIfAborted(outer);
  const inner = new AbortController();
  const stopped = new Promise<never>((_, reject) => {
    inner.signal.addEventListener('abort', () => reject(reasonOf(inner.signal) as Error));
  });
  const onAbort = (): void => abortWith(inner, outer && reasonOf(outer));
  outer?.addEventListener('abort', onAbort);
  const milliseconds = Math.min(timeout, MAX_TIMER_MS);
  const isTimed = Number.isFinite(timeout);
  const timer = isTimed && platform.setTimeout(() => abortWith(inner, timedOut(what, milliseconds)), milliseconds);
  let value: Value | undefined;
  try {
    value = await Promise.race([run(inner.signal), stopped]);
    return value;
  } finally {
    if (isTimed) platform.clearTimeout(timer);
    // A stream that is returned is still being read, and must be aborted by the outer signal later.
    if (!('getReader' in Object(value))) outer?.removeEventListener('abort', onAbort);
  }
}

/** Waits. Rejects if the signal aborts. */
export function delay(milliseconds: number, signal: AbortSignal | null | undefined, platform: Platform): Promise<void> {
  const wait = (inner: AbortSignal): Promise<void> =>
    new Promise((resolve) => {
      const timer = platform.setTimeout(resolve, Math.min(milliseconds, MAX_TIMER_MS));
      inner.addEventListener('abort', () => platform.clearTimeout(timer));
    });
  return withDeadline(wait, { timeout: Number.POSITIVE_INFINITY, signal, what: 'A pause' }, platform);
}

function timedOut(what: string, milliseconds: number): DataError {
  return new DataError('request-timeout', `${what} took longer than ${milliseconds} ms.`, {
    cure: inDevelopment(() => 'Give it a longer timeout, or see why the server does not answer.'),
  });
}

function timeoutInvalid(what: string, timeout: number): DataError {
  return new DataError('timeout-invalid', `The timeout of ${what} is ${timeout}.`, {
    cure: inDevelopment(() => 'Give a number of milliseconds above 0, or Infinity for none.'),
  });
}
