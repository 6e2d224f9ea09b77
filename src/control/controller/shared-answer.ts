import { INVALID } from '../../define/schema/row.ts';
import type { Store } from '../../state/store/store.ts';
import type { FetchAction } from './action.ts';
import type { RequestInFlight } from './request-in-flight.ts';
import { ResetError } from './reset-error.ts';
import { signalOf } from '../../std/cancelling.ts';
import { waitOrAbort } from './waiting-request.ts';

/**
 * Returns the promise of a fetch that shares the request of another fetch. It resolves to the answer as the schema of this fetch reads it, and rejects as
 * soon as the signal of this fetch aborts. `again` is called if that schema cannot read the answer, or if only the other caller aborts.
 */
export function shareAnswer(
  { promise, call }: RequestInFlight,
  { endpoint, key }: FetchAction,
  store: Store,
  again: () => Promise<unknown>,
): Promise<unknown> {
  const { schema } = call.endpoint;
  const signal = signalOf(call.endpoint);
  if (endpoint.schema === schema && signal === signalOf(endpoint)) return promise;
  const answer = promise.then(
    (value) => {
      if (endpoint.schema === schema) return value;
      // A schema of another form cannot read the answer.
      const read = store.resultView(key, endpoint.schema).current();
      return read === undefined ? again() : read === INVALID ? value : read;
    },
    (error: unknown) => {
      const isWanted = signal?.aborted === true && signalOf(endpoint)?.aborted !== true;
      if (!isWanted || error instanceof ResetError) throw error;
      return again();
    },
  );
  const own = waitOrAbort(answer, endpoint);
  own.catch(() => {});
  return own;
}
