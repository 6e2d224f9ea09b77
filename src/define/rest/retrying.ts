import { type Retry, type RetryOptions, withRetry } from '../endpoint/retry.ts';
import { failuresOf, isRepeatable } from './retryable.ts';

/**
 * The option `retry` of a REST endpoint, or of a NetworkManager: a request that failed for a reason that may go away is
 * sent again, if it can be sent twice with the effect of once.
 */
export function retrying(options: RetryOptions = {}): Retry {
  return (attempt, { method, headers, body, platform, signal }) =>
    isRepeatable(method, headers, body)
      ? withRetry(attempt, options, failuresOf(platform), platform, signal)
      : attempt();
}
