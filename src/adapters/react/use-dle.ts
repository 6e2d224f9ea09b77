import { useMemo } from 'react';
import type { ReadEndpoint } from '../../define/endpoint/infer-endpoint.ts';
import type { NullableValueOf, ValueOf, ArgsOrNull } from '../../define/endpoint/infer-value.ts';
import type { UnknownError } from '../../define/endpoint/options.ts';
import { dataOf } from '../../control/view/answer.ts';
import { emptyOf } from '../../control/view/empty.ts';
import { useAnswer } from './use-answer.ts';
import { IS_SERVER } from './environment.ts';
import { useRequest } from './use-request.ts';

/** Data, loading, error. */
export type DLE<E extends ReadEndpoint> =
  | { readonly data: ValueOf<E>; readonly loading: false; readonly error: undefined }
  | { readonly data: NullableValueOf<E>; readonly loading: boolean; readonly error: UnknownError | undefined };

/** As `useSuspense`, for components that show by themselves that there is nothing yet, or why. */
export function useDLE<E extends ReadEndpoint>(endpoint: E, ...args: ArgsOrNull<E>): DLE<E>;
export function useDLE(endpoint: ReadEndpoint, ...args: readonly unknown[]): object {
  const reader = useRequest(endpoint, args);
  const { view } = reader;
  const answer = useAnswer(reader);
  const loading = answer.status === 'missing' && view.ask !== undefined;
  // Where there are no effects, it is asked for all the same, so that it is on its way.
  if (IS_SERVER && loading) void view.ask?.();
  return useMemo(() => {
    if ('value' in answer) return { data: answer.value, loading, error: undefined };
    const error = answer.status === 'failed' ? answer.error : undefined;
    const data = (error && dataOf(answer)) ?? emptyOf(endpoint.schema);
    return { data, loading, error };
    // The view says what the request is.
  }, [answer, view]);
}
