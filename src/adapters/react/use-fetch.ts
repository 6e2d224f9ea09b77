import { useMemo } from 'react';
import type { NullableValueOf, ReadEndpoint, ValueOf } from '../../define/endpoint/infer.ts';
import { type Usable, usable } from '../../control/view/usable.ts';
import { UNASKED } from '../../control/view/request-view.ts';
import { useAnswer } from './use-answer.ts';
import { type ArgsOrNull, useRequestView } from './use-request-view.ts';

/** A promise of what an endpoint answers, for React's `use`. Asks for what is missing or stale. */
export function useFetch<E extends ReadEndpoint>(endpoint: E, ...args: Parameters<E>): Usable<ValueOf<E>>;
export function useFetch<E extends ReadEndpoint>(
  endpoint: E,
  ...args: ArgsOrNull<E>
): Usable<NullableValueOf<E>> | undefined;
export function useFetch(endpoint: ReadEndpoint, ...args: readonly unknown[]): Usable<unknown> | undefined {
  const view = useRequestView(endpoint, args);
  const answer = useAnswer(view ?? UNASKED, true);
  return useMemo(() => view && usable(view, answer), [view, answer]);
}
