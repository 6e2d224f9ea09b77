import { withDeadline } from '../../define/endpoint/deadline.ts';
import type { EndpointInterface } from '../../define/endpoint/infer-endpoint.ts';
import { signalOf } from '../../std/cancelling.ts';
import { platform } from '../../std/platform.ts';
import type { Store } from '../../state/store/store.ts';
import type { RequestInFlight } from './request-in-flight.ts';

/** Waits for a promise. Rejects as soon as the signal of the endpoint aborts. */
export function wait<Value>(until: Promise<Value>, endpoint: EndpointInterface): Promise<Value> {
  const signal = signalOf(endpoint);
  if (signal === undefined) return until;
  // Nothing else handles its error if the signal has aborted before.
  until.catch(() => {});
  return withDeadline(() => until, { timeout: Number.POSITIVE_INFINITY, signal, what: '' }, platform);
}

/**
 * Orders a request that had to wait by the time when it is sent. A read gets its place in the order now, and cannot have data from before the
 * `settled` mutations that have ended. A mutation does not overlap mutations that were answered before now.
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
