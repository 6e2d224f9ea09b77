import { DataError } from '../../std/data-error.ts';
import { pause } from './deadline.ts';
import type { Platform } from '../../std/platform.ts';

/** How a request that failed is sent again. */
export interface RetryOptions {
  /** How many times it is sent again, at most. Default: 3. */
  readonly limit?: number;
  /** Up to how many milliseconds it waits the first time; doubled each time. Default: 300. */
  readonly baseDelay?: number;
  /** Up to how many milliseconds it ever waits. A server that asks for more is not asked again. Default: 30,000. */
  readonly maxDelay?: number;
  /** Whether this error may go away by itself. Default: no answer, no time, or a status that says so. */
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

/** Runs `attempt`, which sends a request, as often as it has to. Make one with `retrying()`. */
export type Retry = (attempt: () => Promise<unknown>, request: Repeated) => Promise<unknown>;

/** What `withRetry` has to be told of an attempt that failed. */
export interface Failures {
  isTransient(error: unknown): boolean;
  /** For how many milliseconds the server asked not to be asked. */
  delayAsked(error: unknown): number | undefined;
}

/**
 * Runs `attempt` until it succeeds or there is no point in another try, and waits in between: up to twice as long each
 * time, by chance, so that requests that failed together do not come back together; never less than the server asked for.
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
      // oxlint-disable-next-line no-await-in-loop -- one after the other is the point
      return await attempt();
    } catch (error) {
      const asked = failures.delayAsked(error) ?? 0;
      if (tries >= limit || signal?.aborted || !isTransient(error) || asked > maxDelay) throw error;
      const drawn = platform.random() * Math.min(maxDelay, baseDelay * 2 ** tries);
      // oxlint-disable-next-line no-await-in-loop
      await pause(Math.max(asked, drawn), signal, platform);
    }
  }
}

function retryInvalid(name: string, value: number): DataError {
  return new DataError('retry-invalid', `The ${name} of retry is ${value}. Give a number that is not below 0.`);
}
