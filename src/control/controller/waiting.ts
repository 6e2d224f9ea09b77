import { withDeadline } from '../../define/endpoint/deadline.ts';
import type { EndpointInterface } from '../../define/endpoint/infer-endpoint.ts';
import { platform } from '../../std/platform.ts';
import type { Store } from '../../state/store/store.ts';
import type { RequestInFlight } from './request-in-flight.ts';

/** Waits, until the signal of an endpoint ends it. */
export function wait<Value>(until: Promise<Value>, endpoint: EndpointInterface): Promise<Value> {
  const { signal } = endpoint as { readonly signal?: AbortSignal | undefined };
  if (signal === undefined) return until;
  return withDeadline(() => until, { timeout: Number.POSITIVE_INFINITY, signal, what: '' }, platform);
}

/** What had to wait is sent only now: a read is asked for now, and a mutation overlaps none that was answered before. */
export function delay(store: Store, request: RequestInFlight): void {
  const ticket = store.begin();
  if (request.mutation === undefined) {
    store.settle(request.ticket);
    request.ticket = ticket;
  } else {
    store.settle(ticket);
    request.sent = ticket.issue;
  }
}
