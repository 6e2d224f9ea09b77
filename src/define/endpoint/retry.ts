import { DataError } from '../../std/data-error.ts';
import { inDevelopment } from '../../std/development.ts';
import { delay } from './deadline.ts';
import type { Platform } from '../../std/platform.ts';

/** Options for sending a failed request again. */
export interface RetryOptions {
  /** How many times a request is sent again, at most. Default: 3. */
  readonly limit?: number;
  /** The longest wait before the first repeat, in milliseconds. It doubles with each repeat. Default: 300. */
  readonly baseDelay?: number;
  /** The longest wait before any repeat, in milliseconds. If the server asks for a longer wait, the request fails. Default: 30,000. */
  readonly maxDelay?: number;
  /** Returns whether a repeat can succeed after this error. Default: after network errors, timeouts, and statuses such as 429 and 503. */
  readonly isTransient?: (error: unknown) => boolean;
}

/** A request that may be sent more than once. */
export interface Repeated {
  readonly method: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body?: unknown;
  readonly signal: AbortSignal | null | undefined;
  readonly platform: Platform;
}

/** Runs `attempt`, which sends a request, and repeats it if it fails. `retrying()` makes such a function. */
export type Retry = (attempt: () => Promise<unknown>, request: Repeated) => Promise<unknown>;

/** Tells `withRetry` about the error of a failed attempt. */
export interface Failures {
  isTransient(error: unknown): boolean;
  /** Returns how many milliseconds the server asked to wait, if it did. */
  delayAsked(error: unknown): number | undefined;
}

/**
 * Runs `attempt` until it succeeds, fails for good, or has used all its tries. The wait before each repeat is random, with a limit that
 * doubles, so that requests which failed together are not repeated together. It is never shorter than the server asked for.
 */
export async function withRetry<Value>(
  attempt: () => Promise<Value>,
  options: RetryOptions,
  failures: Failures,
  platform: Platform,
  signal?: AbortSignal | null,
): Promise<Value> {
  const { limit = 3, baseDelay = 300, maxDelay = 30_000 } = options;
  const { isTransient = (error) => failures.isTransient(error) } = options;
  for (const [name, value] of Object.entries({ limit, baseDelay, maxDelay }))
    if (!(value >= 0)) throw retryInvalid(name, value);
  for (let tries = 0; ; tries++) {
    try {
      // oxlint-disable-next-line no-await-in-loop -- each attempt waits for the one before
      return await attempt();
    } catch (error) {
      const requestedDelay = failures.delayAsked(error) ?? 0;
      if (tries >= limit || signal?.aborted || !isTransient(error) || requestedDelay > maxDelay) throw error;
      const randomDelay = platform.random() * Math.min(maxDelay, baseDelay * 2 ** tries);
      // oxlint-disable-next-line no-await-in-loop
      await delay(Math.max(requestedDelay, randomDelay), signal, platform);
    }
  }
}

/** Throws if the option `retry` is a number or `true`, as other libraries have it. */
export function checkRetry(retry: unknown): void {
  if (!retry || typeof retry === 'function') return;
  throw new DataError('retry-invalid', 'The option retry is not a function.', {
    cure: inDevelopment(() => 'Write retry: retrying(), or retrying({ limit: 5 }). Write false for no repeats.'),
  });
}

function retryInvalid(name: string, value: number): DataError {
  return new DataError('retry-invalid', `The ${name} of retry is ${value}.`, {
    cure: inDevelopment(() => 'Give a number that is not below 0.'),
  });
}
