import type { EndpointInterface } from '../../define/endpoint/infer-endpoint.ts';
import { requestKey } from '../../define/endpoint/request-key.ts';
import {
  type Answer,
  answerOf,
  DELETED,
  type LiveView,
  MISSING,
  nextAnswer,
  type ViewingController,
} from './answer.ts';
import { ExpiryStatus } from './expiry-status.ts';
import { type RequestReading, requestRead, type Responses, type ShownRequest } from './responses.ts';

/** The live answer of a request, with its expiry and failure. */
export interface EndpointView<Value = unknown> extends LiveView<Value> {
  /** Throws if the value cannot be built. */
  readonly read: () => RequestReading;
  /** The request as readers call it now. */
  readonly request: ShownRequest;
  readonly renew: NonNullable<LiveView['renew']>;
}

/** Returns the view of an endpoint, or of the fixture that replaces it in tests. */
export function responseView<Value = unknown>(
  controller: ViewingController,
  endpoint: EndpointInterface,
  args: readonly unknown[],
): EndpointView<Value> {
  // The public type of `view` has fewer members.
  return controller.view(endpoint, ...args) as EndpointView<Value>;
}

/** Returns the live answer of a request. It only reads; readers of the status decide whether to fetch. */
export function endpointView<Value = unknown>(
  responses: Responses,
  endpoint: EndpointInterface,
  args: readonly unknown[],
): EndpointView<Value> {
  const key = requestKey(endpoint, args, 'view()');
  const read = requestRead(endpoint, args, key);
  let given = endpoint;
  const request = { endpoint, args, key };
  const current = (): RequestReading => responses.read(request.endpoint, args, read);
  let last: Answer<Value> = MISSING;
  return {
    read: current,
    request,
    renew: (controller, next) => {
      if (next === given) return;
      given = next;
      request.endpoint = responseView(controller, next, args).request.endpoint;
    },
    current: () => (last = nextAnswer(last, () => answerOfReading<Value>(current(), responses.now()))),
    subscribe: (onChange) => {
      const stops = [responses.show(request), responses.store.watchRequest(read, onChange)];
      return () => {
        // An application may call it twice.
        for (const stop of stops.splice(0)) stop();
      };
    },
    at: (earlier) => {
      const { failure, data } = responses.reading(request.endpoint, args, earlier.request(read), read);
      // The type of the value follows from the types of the endpoint.
      if (failure !== undefined) return { status: 'failed', error: failure.error, data: data as Value };
      return answerOf(data);
    },
  };
}

/**
 * Turns a reading into an answer. `isKept` says that it is shown or was awaited, so that it does not become missing only because time has passed.
 */
export function answerOfReading<Value>(reading: RequestReading, now: number, isKept = false): Answer<Value> {
  const { data, expiryStatus, expiresAt, failure, isDeleted } = reading;
  // The type of the value follows from the types of the endpoint.
  if (failure !== undefined) return { status: 'failed', error: failure.error, data: data as Value };
  if (isDeleted) return DELETED;
  const isFresh = now <= expiresAt;
  if (expiryStatus === ExpiryStatus.Invalid) return MISSING;
  if (expiryStatus === ExpiryStatus.InvalidIfStale && (data === undefined || !(isFresh || isKept))) return MISSING;
  return { status: isFresh ? 'fresh' : 'stale', value: data as Value };
}
