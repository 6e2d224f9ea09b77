import { useMemo } from 'react';
import type { NullableValueOf, ReadEndpoint, ValueOf } from '../../define/endpoint/infer.ts';
import type { UnknownError } from '../../define/endpoint/options.ts';
import { UNASKED } from '../../control/view/request-view.ts';
import { emptyOf } from '../../control/view/empty.ts';
import { useController } from './controller-context.ts';
import { useAnswer } from './use-answer.ts';
import { type ArgsOrNull, useRequestView } from './use-request-view.ts';

/** Data, loading, error. */
export type DLE<E extends ReadEndpoint> =
  | { readonly data: ValueOf<E>; readonly loading: false; readonly error: undefined }
  | { readonly data: NullableValueOf<E>; readonly loading: boolean; readonly error: UnknownError | undefined };

/** As `useSuspense`, for those who show by themselves that there is nothing yet, or why. */
export function useDLE<E extends ReadEndpoint>(endpoint: E, ...args: ArgsOrNull<E>): DLE<E>;
export function useDLE(endpoint: ReadEndpoint, ...args: readonly unknown[]): object {
  const controller = useController();
  const view = useRequestView(endpoint, args);
  const answer = useAnswer(view ?? UNASKED);
  return useMemo(() => {
    const loading = answer.status === 'missing' && view !== undefined;
    if ('value' in answer) return { data: answer.value, loading, error: undefined };
    const error = answer.status === 'failed' ? answer.error : undefined;
    const data = (error && controller.getResponse(endpoint, ...args).data) ?? emptyOf(endpoint.schema);
    return { data, loading, error };
    // The view says what the request is.
  }, [answer, view]);
}
