import { dataOf } from '../../control/view/answer.ts';
import { emptyOf } from '../../control/view/empty.ts';
import { responseView } from '../../control/view/endpoint-view.ts';
import type { EndpointInterface } from '../../define/endpoint/infer-endpoint.ts';
import type { NullableValueOf, ArgsOrNull } from '../../define/endpoint/infer-value.ts';
import { useAnswer } from './use-answer.ts';
import { useReader } from './use-request.ts';

/** What is there of what an endpoint answers. Never asks for it. */
export function useCache<E extends EndpointInterface>(endpoint: E, ...args: ArgsOrNull<E>): NullableValueOf<E>;
export function useCache(endpoint: EndpointInterface, ...args: readonly unknown[]): unknown {
  return dataOf(useAnswer(useReader(endpoint, args, responseView))) ?? emptyOf(endpoint.schema);
}
