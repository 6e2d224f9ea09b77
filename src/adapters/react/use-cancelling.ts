import { useRef } from 'react';
import type { EndpointInterface } from '../../define/endpoint/infer-endpoint.ts';
import { useIsomorphicLayoutEffect } from './environment.ts';
import { keyIfAny } from './use-request.ts';
import type { ArgsOrNull } from '../../define/endpoint/infer-value.ts';

type CancellableEndpoint = EndpointInterface & {
  extend(options: { readonly signal: AbortSignal }): unknown;
};

interface CancellableRequest {
  readonly endpoint: unknown;
  readonly key: string | undefined;
  readonly made: unknown;
  readonly aborting: AbortController;
}

/** The requests of one component. */
interface CancellableRequests {
  /** The request of the arguments that were on the screen last. */
  shown?: CancellableRequest;
  /** Whether the component is on the screen, and no fallback in its place. */
  isVisible?: boolean;
  /** The request of other arguments, with which the component has rendered and suspends. */
  next?: CancellableRequest | undefined;
}

/** Returns the endpoint with a signal that aborts its request when the arguments change. */
export function useCancelling<E extends CancellableEndpoint>(endpoint: E, ...args: ArgsOrNull<E>): E;
export function useCancelling(endpoint: CancellableEndpoint, ...args: readonly unknown[]): unknown {
  const key = keyIfAny(endpoint, args);
  const { current: requests } = useRef<CancellableRequests>({});
  const { shown, next, isVisible = false } = requests;
  const isShown = shown !== undefined && shown.key === key;
  // In render, because no effects run while a request suspends. While a transition waits for the next request, React also renders the shown one.
  if (next?.key !== key && !(isShown && isVisible)) abortNext(requests);
  const request = requestOf(isShown ? shown : requests.next, endpoint, key);
  requests[isShown ? 'shown' : 'next'] = request;
  useIsomorphicLayoutEffect(() => {
    if (requests.shown?.key !== key) {
      requests.shown?.aborting.abort();
      requests.shown = request;
      requests.next = undefined;
    }
    requests.isVisible = true;
    return () => void (requests.isVisible = false);
  }, [key]);
  return request.made;
}

function abortNext(requests: CancellableRequests): void {
  requests.next?.aborting.abort();
  requests.next = undefined;
}

/** Returns the request for an endpoint. An endpoint that is created in each render keeps the signal with which its request was sent. */
function requestOf(
  before: CancellableRequest | undefined,
  endpoint: CancellableEndpoint,
  key: string | undefined,
): CancellableRequest {
  if (before?.endpoint === endpoint) return before;
  const { aborting = new AbortController() } = before ?? {};
  return { endpoint, key, made: endpoint.extend({ signal: aborting.signal }), aborting };
}
