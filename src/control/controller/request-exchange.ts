import type { Exchange, Refresh } from '../../define/endpoint/exchange.ts';
import type { Retry } from '../../define/endpoint/retry.ts';
import type { Responses } from '../view/responses.ts';
import type { OriginQueues } from './origin-queues.ts';
import type { RequestInFlight } from './request-in-flight.ts';

/** The options and parts that all requests of a network manager share. */
export interface RequestParts {
  readonly session: object;
  readonly retry: Retry | undefined;
  readonly refresh: Refresh | undefined;
  readonly originQueues: OriginQueues;
}

/** The functions by which an endpoint reads the store for one request. */
type StoreReads = Required<Pick<Exchange, 'record' | 'stored'>>;

/** Returns the exchange of a request: the view of it that its endpoint gets. */
export function exchangeOf(
  { session, retry, refresh, originQueues }: RequestParts,
  responses: Responses,
  request: RequestInFlight,
  { record, stored }: StoreReads,
): Exchange {
  const { endpoint, key } = request.call;
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
      request.isSending = true;
      return () => {
        request.isSending = false;
        leave();
        // Its callers have the error already, so it is not sent again.
        if (request.failure !== undefined) request.abort?.abort(request.failure.error);
      };
    },
  };
}
