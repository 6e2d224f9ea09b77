import { useRef } from 'react';
import type { EndpointInterface } from '../../define/endpoint/infer-endpoint.ts';
import { keyIfAny } from './use-request.ts';
import type { ArgsOrNull } from '../../define/endpoint/infer-value.ts';

type CancellableEndpoint = EndpointInterface & {
  extend(options: { readonly signal: AbortSignal }): unknown;
};

interface CancellableEntry {
  readonly endpoint: unknown;
  readonly key: string | undefined;
  readonly made: unknown;
  readonly aborting: AbortController;
}

/** Returns the endpoint with a signal that aborts its request when the arguments change. */
export function useCancelling<E extends CancellableEndpoint>(endpoint: E, ...args: ArgsOrNull<E>): E;
export function useCancelling(endpoint: CancellableEndpoint, ...args: readonly unknown[]): unknown {
  const key = keyIfAny(endpoint, args);
  const held = useRef<CancellableEntry>(undefined);
  const last = held.current;
  if (last !== undefined && last.key === key && last.endpoint === endpoint) return last.made;
  // In render, because no effects run while the next request suspends.
  if (last?.key !== key) last?.aborting.abort();
  // An endpoint that is created in each render keeps the signal with which its request was sent.
  const aborting = last?.aborting.signal.aborted === false ? last.aborting : new AbortController();
  const made = endpoint.extend({ signal: aborting.signal });
  held.current = { endpoint, key, made, aborting };
  return made;
}
