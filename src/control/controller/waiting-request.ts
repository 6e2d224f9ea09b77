import { withDeadline } from '../../define/endpoint/deadline.ts';
import type { EndpointInterface } from '../../define/endpoint/infer-endpoint.ts';
import { signalOf } from '../../std/cancelling.ts';
import { platform } from '../../std/platform.ts';
import type { Store } from '../../state/store/store.ts';
import type { RequestInFlight } from './request-in-flight.ts';

/** Returns a promise with the outcome of another one, that rejects as soon as the signal of the endpoint aborts. */
export function waitOrAbort<Value>(until: Promise<Value>, endpoint: EndpointInterface): Promise<Value> {
  const signal = signalOf(endpoint);
  if (signal === undefined) return until;
  // If the signal has aborted already, nothing else handles the error of this promise.
  until.catch(() => {});
  return withDeadline(() => until, { timeout: Number.POSITIVE_INFINITY, signal, what: '' }, platform);
}

/**
 * Orders a request that had to wait by the time when it is sent. A read gets its place in the order now. A mutation does not overlap mutations that
 * were answered before now. `settled` is the number of mutations that have settled: the answer of the request has their effects.
 */
export function orderFromNow(store: Store, request: RequestInFlight, settled: number): void {
  request.settledBefore = settled;
  request.isExpired = false;
  const ticket = store.begin();
  if (request.mutation === undefined) {
    store.settle(request.ticket);
    request.ticket = ticket;
  } else {
    store.settle(ticket);
    request.sent = ticket.issue;
  }
}
