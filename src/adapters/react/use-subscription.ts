import { useEffect, useState } from 'react';
import type { NoMutation, ReadEndpoint } from '../../define/endpoint/infer-endpoint.ts';
import { useController } from './controller-context.ts';
import { keyIfAny } from './use-request.ts';
import type { ArgsOrNull } from '../../define/endpoint/infer-value.ts';

/** Keeps an endpoint up to date, by polls or a stream, while the component is mounted: `useSubscription(PriceResource.get, { id })`. */
export function useSubscription<E extends NoMutation>(endpoint: E, ...args: ArgsOrNull<E>): void;
export function useSubscription(endpoint: ReadEndpoint, ...args: readonly unknown[]): void {
  const controller = useController();
  const key = keyIfAny(endpoint, args);
  const [, fail] = useState();
  useEffect(() => {
    if (key === undefined) return undefined;
    const rethrow = (error: unknown): void =>
      fail(() => {
        throw error;
      });
    controller.subscribe(endpoint, ...args).catch(rethrow);
    return () => void controller.unsubscribe(endpoint, ...args).catch(rethrow);
    // The key identifies the request.
  }, [controller, key, endpoint.pollFrequency]);
}
