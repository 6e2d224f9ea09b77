import { type DependencyList, useCallback, useRef, useState } from 'react';

type LoadingFunction<Args extends readonly unknown[], Result> = (...args: Args) => Promise<Result>;

const IDLE = { loading: false, error: undefined };

/**
 * `[run, loading, error]`: a function, whether it is under way, and why it failed the last time, if it did. A failure
 * does not reject; `run` then resolves to `undefined`.
 */
export function useLoading<Args extends readonly unknown[], Result>(
  run: LoadingFunction<Args, Result>,
  deps?: DependencyList,
): [run: (...args: Args) => Promise<Result | undefined>, loading: boolean, error: Error | undefined] {
  const [state, setState] = useState<{ loading: boolean; error: Error | undefined }>(IDLE);
  const latest = useRef(0);
  const wrapped = useCallback(
    async (...args: Args) => {
      const turn = ++latest.current;
      const end = (error?: unknown): void => {
        // A later call is still under way.
        if (turn === latest.current) setState({ loading: false, error: error as Error | undefined });
      };
      setState({ loading: true, error: undefined });
      try {
        const result = await run(...args);
        end();
        return result;
      } catch (error) {
        end(error);
        return undefined;
      }
      // As given.
    },
    deps ?? [run],
  );
  return [wrapped, state.loading, state.error];
}
