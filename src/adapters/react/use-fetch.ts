import { useMemo } from 'react';
import type { NoMutation, ReadEndpoint } from '../../define/endpoint/infer-endpoint.ts';
import type { NullableValueOf, ValueOf, ArgsOrNull } from '../../define/endpoint/infer-value.ts';
import { type Usable, usable } from '../../control/screen/usable.ts';
import { IS_SERVER } from './environment.ts';
import { useAnswer } from './use-answer.ts';
import { useRequest } from './use-request.ts';

/** Returns a promise of the answer of an endpoint, for React's `use`. Fetches the answer if it is missing or stale. */
export function useFetch<E extends NoMutation>(endpoint: E, ...args: Parameters<E>): Usable<ValueOf<E>>;
export function useFetch<E extends NoMutation>(
  endpoint: E,
  ...args: ArgsOrNull<E>
): Usable<NullableValueOf<E>> | undefined;
export function useFetch(endpoint: ReadEndpoint, ...args: readonly unknown[]): Usable<unknown> | undefined {
  const reader = useRequest(endpoint, args, true);
  const { view } = reader;
  const answer = useAnswer(reader);
  return useMemo(() => view.fetchMissing && usable(reader, answer, IS_SERVER), [reader, answer]);
}
