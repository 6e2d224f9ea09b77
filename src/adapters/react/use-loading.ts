import { type DependencyList, useCallback, useRef, useState } from 'react';

type LoadingFunction<Args extends readonly unknown[], Result> = (...args: Args) => Promise<Result>;

const IDLE = { loading: false, error: undefined };

/**
 * `[run, loading, error]`: the function, whether a call is running, and the error of the latest call. A failed
 * call does not reject: `run` resolves to `undefined` then.
 */
export function useLoading<Args extends readonly unknown[], Result>(
  run: LoadingFunction<Args, Result>,
  deps?: DependencyList,
): [run: (...args: Args) => Promise<Result | undefined>, loading: boolean, error: Error | undefined] {
  const [state, setState] = useState<{ loading: boolean; error: Error | undefined }>(IDLE);
  const latest = useRef(0);
  const running = useRef(0);
  const wrapped = useCallback(
    async (...args: Args) => {
      const turn = ++latest.current;
      const end = (error?: unknown): void => {
        const loading = --running.current > 0;
        const isLatest = turn === latest.current;
        if (isLatest) setState({ loading, error: error as Error | undefined });
        else if (!loading) setState((before) => ({ ...before, loading }));
      };
      running.current++;
      setState({ loading: true, error: undefined });
      try {
        const result = await run(...args);
        end();
        return result;
      } catch (error) {
        end(error);
        return undefined;
      }
      // The caller gives the dependencies.
    },
    deps ?? [run],
  );
  return [wrapped, state.loading, state.error];
}
