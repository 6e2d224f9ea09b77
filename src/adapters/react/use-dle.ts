import { useMemo, useRef } from 'react';
import type { ReadEndpoint, NoMutation } from '../../define/endpoint/infer-endpoint.ts';
import type { NullableValueOf, ValueOf, ArgsOrNull } from '../../define/endpoint/infer-value.ts';
import type { UnknownError } from '../../define/endpoint/options.ts';
import { type Answer, dataOf, valueOf } from '../../control/view/answer.ts';
import { dataOrEmpty } from '../../control/view/empty-value.ts';
import { responseView } from '../../control/view/endpoint-view.ts';
import { useAnswer } from './use-answer.ts';
import { IS_SERVER, useIsomorphicLayoutEffect } from './environment.ts';
import { keyIfAny, useReader, useRequest } from './use-request.ts';

/** Data, loading, error. Without `loading` and `error`, `data` is a `Value`. `Nullable` is its type if there may be none. */
export type DLE<Value, Nullable = Value | undefined> =
  | { readonly data: Value; readonly loading: false; readonly error: undefined; readonly previous: undefined }
  | {
      readonly data: Nullable;
      readonly loading: true;
      readonly error: undefined;
      /** The data of the previous arguments while new data is loading: `const posts = previous ?? data` keeps a list on the screen. */
      readonly previous: Value | undefined;
    }
  | {
      readonly data: Nullable;
      readonly loading: false;
      readonly error: UnknownError;
      readonly previous: undefined;
    };

/** Without arguments, there is nothing to load. */
interface NotAsked<Nullable> {
  readonly data: Nullable;
  readonly loading: false;
  readonly error: undefined;
  readonly previous: undefined;
}

/**
 * As `useSuspense`, for components that show loading and errors themselves. While the data of new arguments is loading,
 * `previous` is the data of the previous arguments. `const { data, loading, error } = useDLE(PostResource.get, { id })`.
 */
export function useDLE<E extends NoMutation>(endpoint: E, ...args: Parameters<E>): DLE<ValueOf<E>, NullableValueOf<E>>;
export function useDLE<E extends NoMutation>(
  endpoint: E,
  ...args: ArgsOrNull<E>
): DLE<ValueOf<E>, NullableValueOf<E>> | NotAsked<NullableValueOf<E>>;
export function useDLE(endpoint: ReadEndpoint, ...args: readonly unknown[]): object {
  const reader = useRequest(endpoint, args);
  const { view } = reader;
  const answer = useAnswer(reader);
  const loading = answer.status === 'missing' && view.fetchMissing !== undefined;
  // A server runs no effects, so the fetch starts in render. A request that failed there is not sent again.
  if (IS_SERVER && loading && view.current().status === 'missing') void view.fetchMissing?.();
  const previous = usePrevious(endpoint, args, answer, loading);
  return useMemo(() => {
    if ('value' in answer) return { data: answer.value, loading, error: undefined, previous };
    const error = answer.status === 'failed' ? answer.error : undefined;
    const data = dataOrEmpty(dataOf(answer), endpoint.schema);
    return { data, loading, error, previous };
    // There is one view for each endpoint with arguments, so `view` stands for both.
  }, [answer, view, previous]);
}

/** While data is loading: the data of the previous arguments. */
function usePrevious(endpoint: ReadEndpoint, args: readonly unknown[], answer: Answer, loading: boolean): unknown {
  const shown = useRef({ endpoint, args: NOT_ASKED });
  useIsomorphicLayoutEffect(() => {
    if ('value' in answer) shown.current = { endpoint, args };
  });
  const { current: before } = shown;
  const isRead = loading && isAlike(before.endpoint, endpoint, args);
  return valueOf(useAnswer(useReader(before.endpoint, isRead ? before.args : NOT_ASKED, responseView)));
}

/**
 * Returns whether an endpoint returns the same kind of data as the one before. It need not be the same object, because it may be created in each render. Without
 * a schema, only the key of the request tells.
 */
function isAlike(before: ReadEndpoint, endpoint: ReadEndpoint, args: readonly unknown[]): boolean {
  if (before.schema !== endpoint.schema) return false;
  return Object(endpoint.schema) === endpoint.schema || before.testKey(keyIfAny(endpoint, args) ?? '');
}

const NOT_ASKED: readonly unknown[] = [null];
