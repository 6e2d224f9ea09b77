import type { EndpointInterface } from '../../define/endpoint/infer-endpoint.ts';
import { type Answer, answerOf, DELETED, type LiveView, MISSING, nextAnswer } from './answer.ts';
import { ExpiryStatus } from './expiry-status.ts';
import { type RequestReading, requestRead, type Responses } from './responses.ts';

/** What a request answers, live. Reads only: whether to fetch is for those who look at the status. */
export function endpointView<Value>(
  responses: Responses,
  endpoint: EndpointInterface,
  args: readonly unknown[],
): LiveView<Value> {
  const key: string = endpoint.key(...args);
  const read = requestRead(endpoint, args, key);
  let last: Answer<Value> = MISSING;
  return {
    current: () =>
      (last = nextAnswer(last, () => answered<Value>(responses.read(endpoint, args, key), responses.now()))),
    subscribe: (onChange) => {
      const stops = [responses.show({ endpoint, args, key }), responses.store.watchRequest(read, onChange)];
      return () => {
        for (const stop of stops) stop();
      };
    },
    at: (moment) => {
      const found = moment.request(read);
      const { failure, data } = responses.reading(endpoint, args, found);
      // What a schema makes of a response is for the types of the endpoint to say.
      if (failure !== undefined) return { status: 'failed', error: failure.error, data: data as Value };
      return answerOf(found.value);
    },
  };
}

function answered<Value>(reading: RequestReading, now: number): Answer<Value> {
  const { data, expiryStatus, expiresAt, failure, isDeleted } = reading;
  // What a schema makes of a response is for the types of the endpoint to say.
  if (failure !== undefined) return { status: 'failed', error: failure.error, data: data as Value };
  if (isDeleted) return DELETED;
  const isFresh = now <= expiresAt;
  if (expiryStatus === ExpiryStatus.Invalid) return MISSING;
  if (expiryStatus === ExpiryStatus.InvalidIfStale && (data === undefined || !isFresh)) return MISSING;
  return { status: isFresh ? 'fresh' : 'stale', value: data as Value };
}
