import { type DependencyList, useCallback, useState, useSyncExternalStore } from 'react';
import { MutationCalls } from '../../control/view/mutation-calls.ts';

type LoadingFunction<Args extends readonly unknown[], Result> = (...args: Args) => Promise<Result>;

/**
 * Returns `[run, loading, error]`: the function, whether a call is running, and the error of the latest call. A failed
 * call does not reject: `run` resolves to `undefined` then. Also in an action of React, `loading` is true at once.
 */
export function useLoading<Args extends readonly unknown[], Result>(
  run: LoadingFunction<Args, Result>,
  deps?: DependencyList,
): [run: (...args: Args) => Promise<Result | undefined>, loading: boolean, error: Error | undefined] {
  const [calls] = useState(() => new MutationCalls('isPending', 'error'));
  const { isPending, error } = useSyncExternalStore(calls.subscribe, calls.current, calls.current);
  const wrapped = useCallback(
    (...args: Args) => calls.run(() => run(...args)) as Promise<Result | undefined>,
    // The caller gives the dependencies.
    deps ?? [run],
  );
  return [wrapped, isPending, error as Error | undefined];
}
