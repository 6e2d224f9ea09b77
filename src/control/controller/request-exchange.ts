import type { Exchange, Refresh } from '../../define/endpoint/exchange.ts';
import type { Retry } from '../../define/endpoint/retry.ts';
import type { Responses } from '../view/responses.ts';
import type { OriginQueues } from './origin-queues.ts';
import type { RequestInFlight } from './request-in-flight.ts';

/** What the requests of a network have in common. */
export interface RequestLine {
  readonly session: object;
  readonly retry: Retry | undefined;
  readonly refresh: Refresh | undefined;
  readonly originQueues: OriginQueues;
}

/** What an endpoint finds out of the store for one request. */
type StoreReads = Required<Pick<Exchange, 'record' | 'stored'>>;

/** One request, as the endpoint that sends it sees it. */
export function exchangeOf(
  { session, retry, refresh, originQueues }: RequestLine,
  responses: Responses,
  request: RequestInFlight,
  { record, stored }: StoreReads,
): Exchange {
  const { endpoint, key } = request.asked;
  return {
    key,
    session,
    get signal() {
      request.abort ??= new AbortController();
      if (request.failure !== undefined) request.abort.abort(request.failure.error);
      return request.abort.signal;
    },
    retry,
    refresh,
    answered: request.answered,
    stored,
    record,
    version: (other) => {
      const { written, version } = responses.note(other);
      return written ?? version;
    },
    enter: async (origin, signal) => {
      const leave = await originQueues.enter(origin, Boolean(endpoint.sideEffect), signal);
      request.isOnLine = true;
      return () => {
        request.isOnLine = false;
        leave();
        // Its callers have been told already that it failed: it is not sent another time.
        if (request.failure !== undefined) request.abort?.abort(request.failure.error);
      };
    },
  };
}
