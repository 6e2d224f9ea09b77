import type { EndpointInterface } from '../../define/endpoint/infer.ts';
import { type Answer, answerOf, DELETED, type LiveView, MISSING, nextAnswer } from './answer.ts';
import { ExpiryStatus } from './expiry-status.ts';
import { type Reading, requestRead, type Responses } from './responses.ts';

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
      const { failure } = responses.reading(endpoint, args, found);
      return failure === undefined ? answerOf(found.value) : { status: 'failed', error: failure.error };
    },
  };
}

function answered<Value>(reading: Reading, now: number): Answer<Value> {
  const { data, expiryStatus, expiresAt, failure, isDeleted } = reading;
  if (failure !== undefined) return { status: 'failed', error: failure.error };
  if (isDeleted) return DELETED;
  const isFresh = now <= expiresAt;
  if (expiryStatus === ExpiryStatus.Invalid) return MISSING;
  if (expiryStatus === ExpiryStatus.InvalidIfStale && (data === undefined || !isFresh)) return MISSING;
  // What a schema makes of a response is for the types of the endpoint to say.
  return { status: isFresh ? 'fresh' : 'stale', value: data as Value };
}
