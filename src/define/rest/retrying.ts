import { type Retry, type RetryOptions, withRetry } from '../endpoint/retry.ts';
import { failuresOf, isRepeatable } from './retryable.ts';

/**
 * The option `retry` of a REST endpoint or a NetworkManager: repeats a request that failed for a temporary reason. It repeats only requests
 * that are safe to send twice: GET, PUT, DELETE, and those with an `Idempotency-Key`.
 */
export function retrying(options: RetryOptions = {}): Retry {
  return (attempt, { method, headers, body, platform, signal }) =>
    isRepeatable(method, headers, body)
      ? withRetry(attempt, options, failuresOf(platform), platform, signal)
      : attempt();
}
