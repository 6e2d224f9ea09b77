import { useCallback, useMemo, useRef, useState } from 'react';
import type { EndpointInterface } from '../../define/endpoint/infer-endpoint.ts';
import type { ValueOf } from '../../define/endpoint/infer-value.ts';
import type { UnknownError } from '../../define/endpoint/options.ts';
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

interface Calls {
  readonly underWay: number;
  readonly error?: unknown;
  readonly data?: unknown;
}

const NONE: Calls = { underWay: 0 };

/** An endpoint to call in events, with its state. Of several calls, `error` and `data` are those of the latest. */
export function useMutation<E extends EndpointInterface>(endpoint: E): MutationState<E>;
export function useMutation(endpoint: EndpointInterface): MutationState<EndpointInterface> {
  const controller = useController();
  const [{ underWay, error, data }, setCalls] = useState(NONE);
  const latest = useRef<object>(undefined);
  const mutate = useCallback(
    async (...args: readonly unknown[]): Promise<unknown> => {
      const call = {};
      latest.current = call;
      const end = (outcome: Pick<Calls, 'error' | 'data'>): void => {
        const isLatest = latest.current === call;
        setCalls((before) => ({ ...before, ...(isLatest && outcome), underWay: before.underWay - 1 }));
      };
      setCalls((before) => ({ underWay: before.underWay + 1 }));
      try {
        const answer: unknown = await controller.fetch(endpoint, ...args);
        end({ data: answer });
        return answer;
      } catch (thrown) {
        end({ error: thrown ?? new Error(String(thrown)) });
        return undefined;
      }
    },
    [controller, endpoint],
  );
  const reset = useCallback(() => {
    latest.current = undefined;
    setCalls((before) => ({ underWay: before.underWay }));
  }, []);
  return useMemo(
    () => ({ mutate, isPending: underWay > 0, error: error as UnknownError | undefined, data, reset }),
    [mutate, underWay > 0, error, data, reset],
  );
}
