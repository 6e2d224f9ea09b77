import type { NoMutation, ReadEndpoint } from '../../define/endpoint/infer-endpoint.ts';
import type { NullableValueOf, ValueOf, ArgsOrNull } from '../../define/endpoint/infer-value.ts';
import { emptyOf } from '../../control/view/empty-value.ts';
import { useAnswer } from './use-answer.ts';
import { useRequest } from './use-request.ts';

/**
 * Returns the answer of an endpoint. Fetches it if it is missing or stale, suspends while there is no answer, and throws
 * the error if the request failed: `const post = useSuspense(PostResource.get, { id })`.
 */
export function useSuspense<E extends NoMutation>(endpoint: E, ...args: Parameters<E>): ValueOf<E>;
export function useSuspense<E extends NoMutation>(endpoint: E, ...args: ArgsOrNull<E>): NullableValueOf<E>;
export function useSuspense(endpoint: ReadEndpoint, ...args: readonly unknown[]): unknown {
  const reader = useRequest(endpoint, args, true);
  const { view } = reader;
  const answer = useAnswer(reader);
  switch (answer.status) {
    case 'missing':
      if (view.fetchMissing === undefined) return emptyOf(endpoint.schema);
      // A promise is what React waits for, in all of its versions.
      // oxlint-disable-next-line no-throw-literal, typescript/only-throw-error
      throw reader.wait();
    case 'failed':
      throw answer.error;
    default:
      return answer.value;
  }
}
