import { withDeadline } from '../../define/endpoint/deadline.ts';
import type { EndpointInterface } from '../../define/endpoint/infer.ts';
import { platform } from '../../define/endpoint/platform.ts';
import type { Store } from '../../state/store/store.ts';
import type { Flight } from './flight.ts';

/** Waits, until the signal of an endpoint ends it. */
export function wait<Value>(until: Promise<Value>, endpoint: EndpointInterface): Promise<Value> {
  const { signal } = endpoint as { readonly signal?: AbortSignal | undefined };
  if (signal === undefined) return until;
  return withDeadline(() => until, { timeout: Number.POSITIVE_INFINITY, signal, what: '' }, platform);
}

/** What had to wait is sent only now: a read is asked for now, and a mutation overlaps none that was answered before. */
export function delay(store: Store, flight: Flight): void {
  const ticket = store.begin();
  if (flight.mutation === undefined) {
    store.settle(flight.ticket);
    flight.ticket = ticket;
  } else {
    store.settle(ticket);
    flight.sent = ticket.issue;
  }
}
