import type { NoMutation, ReadEndpoint } from '../../define/endpoint/infer-endpoint.ts';
import type { NullableValueOf, ValueOf, ArgsOrNull } from '../../define/endpoint/infer-value.ts';
import { useSubscription } from './use-subscription.ts';
import { useSuspense } from './use-suspense.ts';

/** As `useSuspense`, and keeps the answer up to date while the component is mounted: `useLive(PriceResource.get, { id })`. */
export function useLive<E extends NoMutation>(endpoint: E, ...args: Parameters<E>): ValueOf<E>;
export function useLive<E extends NoMutation>(endpoint: E, ...args: ArgsOrNull<E>): NullableValueOf<E>;
export function useLive(endpoint: ReadEndpoint, ...args: readonly unknown[]): unknown {
  useSubscription(endpoint, ...args);
  return useSuspense(endpoint, ...args);
}
