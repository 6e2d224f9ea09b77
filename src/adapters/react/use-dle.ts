import { useMemo } from 'react';
import type { Controller } from '../../control/controller/controller.ts';
import type { NullableValueOf, ReadEndpoint, ValueOf } from '../../define/endpoint/infer.ts';
import type { UnknownError } from '../../define/endpoint/options.ts';
import { emptyOf } from '../../control/view/empty.ts';
import { useController } from './controller-context.ts';
import { useAnswer } from './use-answer.ts';
import { IS_SERVER } from './surroundings.ts';
import { type ArgsOrNull, useRequest } from './use-request.ts';

/** Data, loading, error. */
export type DLE<E extends ReadEndpoint> =
  | { readonly data: ValueOf<E>; readonly loading: false; readonly error: undefined }
  | { readonly data: NullableValueOf<E>; readonly loading: boolean; readonly error: UnknownError | undefined };

/** As `useSuspense`, for those who show by themselves that there is nothing yet, or why. */
export function useDLE<E extends ReadEndpoint>(endpoint: E, ...args: ArgsOrNull<E>): DLE<E>;
export function useDLE(endpoint: ReadEndpoint, ...args: readonly unknown[]): object {
  const controller = useController();
  const reader = useRequest(endpoint, args);
  const { view } = reader;
  const answer = useAnswer(reader);
  const loading = answer.status === 'missing' && view.ask !== undefined;
  // Where there are no effects, it is asked for all the same, so that it is on its way.
  if (IS_SERVER && loading) void view.ask?.();
  return useMemo(() => {
    if ('value' in answer) return { data: answer.value, loading, error: undefined };
    const error = answer.status === 'failed' ? answer.error : undefined;
    const data = (error && dataOf(controller, endpoint, args)) ?? emptyOf(endpoint.schema);
    return { data, loading, error };
    // The view says what the request is.
  }, [answer, view]);
}

/** What there is although the latest request failed. A value that cannot be made is nothing. */
function dataOf(controller: Controller, endpoint: ReadEndpoint, args: readonly unknown[]): unknown {
  try {
    return controller.getResponse(endpoint, ...args).data;
  } catch {
    return undefined;
  }
}
