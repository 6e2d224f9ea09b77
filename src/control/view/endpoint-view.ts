import type { EndpointInterface } from '../../define/endpoint/infer-endpoint.ts';
import { type Answer, answerOf, DELETED, type LiveView, MISSING, nextAnswer, type View } from './answer.ts';
import { ExpiryStatus } from './expiry-status.ts';
import { type RequestReading, requestRead, type Responses } from './responses.ts';

/** What a request answers, live, and all that is known of it. */
export interface EndpointView<Value = unknown> extends LiveView<Value> {
  /** Throws where the value cannot be made. */
  readonly read: () => RequestReading;
}

export interface ViewingController {
  view(endpoint: EndpointInterface, ...args: readonly unknown[]): View;
}

/** The view that a controller has of an endpoint, or of the fixture that stands in for it. */
export function responseView<Value = unknown>(
  controller: ViewingController,
  endpoint: EndpointInterface,
  args: readonly unknown[],
): EndpointView<Value> {
  // An application is told less of it.
  return controller.view(endpoint, ...args) as EndpointView<Value>;
}

/** What a request answers, live. Reads only: whether to fetch is decided by the readers of the status. */
export function endpointView<Value = unknown>(
  responses: Responses,
  endpoint: EndpointInterface,
  args: readonly unknown[],
): EndpointView<Value> {
  const key: string = endpoint.key(...args);
  const read = requestRead(endpoint, args, key);
  const current = (): RequestReading => responses.read(endpoint, args, key);
  let last: Answer<Value> = MISSING;
  return {
    read: current,
    current: () => (last = nextAnswer(last, () => answerOfReading<Value>(current(), responses.now()))),
    subscribe: (onChange) => {
      const stops = [responses.show({ endpoint, args, key }), responses.store.watchRequest(read, onChange)];
      return () => {
        for (const stop of stops) stop();
      };
    },
    at: (earlier) => {
      const found = earlier.request(read);
      const { failure, data } = responses.reading(endpoint, args, found);
      // What a schema makes of a response is for the types of the endpoint to say.
      if (failure !== undefined) return { status: 'failed', error: failure.error, data: data as Value };
      return answerOf(found.value);
    },
  };
}

/**
 * What a reading comes to. `isKept` says that it is shown or was waited for: that does not become missing because time has passed.
 */
export function answerOfReading<Value>(reading: RequestReading, now: number, isKept = false): Answer<Value> {
  const { data, expiryStatus, expiresAt, failure, isDeleted } = reading;
  // What a schema makes of a response is for the types of the endpoint to say.
  if (failure !== undefined) return { status: 'failed', error: failure.error, data: data as Value };
  if (isDeleted) return DELETED;
  const isFresh = now <= expiresAt;
  if (expiryStatus === ExpiryStatus.Invalid) return MISSING;
  if (expiryStatus === ExpiryStatus.InvalidIfStale && (data === undefined || !(isFresh || isKept))) return MISSING;
  return { status: isFresh ? 'fresh' : 'stale', value: data as Value };
}
