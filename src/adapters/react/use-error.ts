import { responseView } from '../../control/view/endpoint-view.ts';
import type { EndpointInterface } from '../../define/endpoint/infer-endpoint.ts';
import type { UnknownError } from '../../define/endpoint/options.ts';
import { useAnswer } from './use-answer.ts';
import { useReader } from './use-request.ts';
import type { ArgsOrNull } from '../../define/endpoint/infer-value.ts';

/** Returns the error of a request; `undefined` if it has not failed, or if its data stays on the screen in spite of a temporary failure. */
export function useError<E extends EndpointInterface>(endpoint: E, ...args: ArgsOrNull<E>): UnknownError | undefined;
export function useError(endpoint: EndpointInterface, ...args: readonly unknown[]): unknown {
  const answer = useAnswer(useReader(endpoint, args, responseView));
  return answer.status === 'failed' ? answer.error : undefined;
}
