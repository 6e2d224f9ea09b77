import { useCallback, useMemo, useState, useSyncExternalStore } from 'react';
import type { EndpointInterface } from '../../define/endpoint/infer-endpoint.ts';
import type { ValueOf } from '../../define/endpoint/infer-value.ts';
import type { UnknownError } from '../../define/endpoint/options.ts';
import { MutationCalls } from '../../control/view/mutation-calls.ts';
import { useController } from './controller-context.ts';

/** A mutation that a component sends, and what became of it. */
export interface MutationState<E extends EndpointInterface> {
  /** Sends the request. Resolves to what was answered, or to `undefined` where it failed: it never rejects. */
  readonly mutate: (...args: Parameters<E>) => Promise<ValueOf<E> | undefined>;
  /** Whether a call is under way. */
  readonly isPending: boolean;
  /** Why the latest call failed. */
  readonly error: UnknownError | undefined;
  /** What the latest call was answered. */
  readonly data: ValueOf<E> | undefined;
  /** Forgets `error` and `data`. What is under way goes on. */
  readonly reset: () => void;
}

/** An endpoint to call in events, with its state. Of several calls, `error` and `data` are those of the latest. */
export function useMutation<E extends EndpointInterface>(endpoint: E): MutationState<E>;
export function useMutation(endpoint: EndpointInterface): MutationState<EndpointInterface> {
  const controller = useController();
  const [calls] = useState(() => new MutationCalls());
  const state = useSyncExternalStore(calls.subscribe, calls.current, calls.current);
  const mutate = useCallback(
    (...args: readonly unknown[]) => calls.run(() => controller.fetch(endpoint, ...args)),
    [calls, controller, endpoint],
  );
  return useMemo(
    () => ({ ...state, error: state.error as UnknownError | undefined, mutate, reset: calls.reset }),
    [state, mutate, calls],
  );
}
