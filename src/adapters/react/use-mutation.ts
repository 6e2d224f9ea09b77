import { useCallback, useMemo, useState, useSyncExternalStore } from 'react';
import type { EndpointInterface } from '../../define/endpoint/infer-endpoint.ts';
import type { ListArgs, NoListArgs, ValueOf } from '../../define/endpoint/infer-value.ts';
import type { UnknownError } from '../../define/endpoint/options.ts';
import { isEntity } from '../../define/schema/entity.ts';
import type { IsAny, List } from '../../define/schema/infer-schema.ts';
import { MutationCalls } from '../../control/view/mutation-calls.ts';
import { warn } from '../../std/warn.ts';
import { useController } from './controller-context.ts';

/** Calls a mutation. With a list as the body, where the endpoint takes one, it resolves to a list. */
type Mutate<E extends EndpointInterface> = [ListArgs<E>] extends [NoListArgs]
  ? (...args: Parameters<E>) => Promise<ValueOf<E> | undefined>
  : {
      (...args: ListArgs<E>): Promise<List<ValueOf<E>> | undefined>;
      (...args: Parameters<E>): Promise<ValueOf<E> | undefined>;
    };

/** An error of the compiler for an endpoint that only reads. */
type Mutating<SideEffect> =
  IsAny<SideEffect> extends true
    ? unknown
    : [SideEffect] extends [undefined | false]
      ? 'useMutation() was given an endpoint that only reads. Write useSuspense(endpoint, ...args), or give the endpoint sideEffect: true.'
      : unknown;

/** A mutation, and the state of its calls. */
export interface MutationState<E extends EndpointInterface> {
  /** Sends the request. Resolves to the answer, or to `undefined` if it failed. Never rejects. */
  readonly mutate: Mutate<E>;
  /** Whether a call is in flight. */
  readonly isPending: boolean;
  /** The error of the latest call. */
  readonly error: UnknownError | undefined;
  /** The answer of the latest call. */
  readonly data: ValueOf<E> | undefined;
  /** Clears `error` and `data`. Calls in flight continue. */
  readonly reset: () => void;
}

/**
 * Returns a function that calls an endpoint, for event handlers, with the state of the call. With several calls, `error` and `data` belong to
 * the latest one. The component is rendered when a field of the state changes that it has read.
 * `const { mutate, isPending } = useMutation(PostResource.create)`.
 */
export function useMutation<E extends EndpointInterface>(endpoint: E & Mutating<E['sideEffect']>): MutationState<E>;
export function useMutation(endpoint: EndpointInterface): MutationState<EndpointInterface> {
  // `mutate` never rejects, so the error of the call shows only where a component shows errors.
  warn(endpoint, 'mutation-invalid', () => {
    if (typeof endpoint.key === 'function') return undefined;
    const given = isEntity(endpoint) ? `the class ${endpoint.name}` : 'something else';
    return `useMutation() was given ${given} instead of an endpoint. Write, for example, useMutation(todos.partialUpdate).`;
  });
  const controller = useController();
  const [calls] = useState(() => new MutationCalls());
  const state = useSyncExternalStore(calls.subscribe, calls.current, calls.current);
  const mutate = useCallback(
    (...args: readonly unknown[]) => calls.run(() => controller.fetch(endpoint, ...args)),
    [calls, controller, endpoint],
  );
  return useMemo(
    () => ({
      mutate,
      reset: calls.reset,
      get isPending() {
        return calls.read('isPending');
      },
      get error() {
        return calls.read('error') as UnknownError | undefined;
      },
      get data() {
        return calls.read('data');
      },
    }),
    // A new state is a new object, for components that compare it.
    [state, mutate, calls],
  );
}
