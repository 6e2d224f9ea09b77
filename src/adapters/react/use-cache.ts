import { dataOf } from '../../control/view/answer.ts';
import { dataOrEmpty } from '../../control/view/empty-value.ts';
import { responseView } from '../../control/view/endpoint-view.ts';
import type { EndpointInterface } from '../../define/endpoint/infer-endpoint.ts';
import type { NullableValueOf, ArgsOrNull } from '../../define/endpoint/infer-value.ts';
import { useAnswer } from './use-answer.ts';
import { useReader } from './use-request.ts';

/** Returns the stored answer of an endpoint; `undefined` if there is none. Never fetches. `useCache(PostResource.get, { id })`. */
export function useCache<E extends EndpointInterface>(endpoint: E, ...args: ArgsOrNull<E>): NullableValueOf<E>;
export function useCache(endpoint: EndpointInterface, ...args: readonly unknown[]): unknown {
  return dataOrEmpty(dataOf(useAnswer(useReader(endpoint, args, responseView))), endpoint.schema);
}
