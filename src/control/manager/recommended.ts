import { retrying } from '../../define/rest/retrying.ts';
import type { Retry } from '../../define/endpoint/retry.ts';
import { type GCInterface, GCPolicy, ImmortalGCPolicy } from '../controller/gc-policy.ts';
import type { Manager } from '../controller/manager.ts';
import type { NetworkManagerOptions } from '../controller/network-manager.ts';
import { type DefaultManagersOptions, getDefaultManagers } from './default-managers.ts';
import { RefetchManager } from './refetch-manager.ts';

/** The options of `recommended`. */
export interface RecommendedOptions extends Omit<DefaultManagersOptions, 'networkManager'> {
  /** Whether a failed read is sent again if the failure may be temporary: up to three times, with growing delays. Default: true. */
  readonly retry?: boolean;
  /** Whether stale data on the screen is fetched when the user comes back to the page. Default: true. */
  readonly refetchOnFocus?: boolean;
  /** Whether stale data on the screen is fetched when the network comes back. Default: true. */
  readonly refetchOnReconnect?: boolean;
  /** Whether data that no component shows is removed after some time. Default: true. */
  readonly collect?: boolean;
  readonly networkManager?: NetworkManagerOptions;
}

/** Options of a `Controller` and props of a `DataProvider`. */
export interface Recommended {
  readonly managers: readonly Manager[];
  readonly gcPolicy: GCInterface;
}

/**
 * Options for an application in a browser: `<DataProvider {...recommended()}>`. In addition to `getDefaultManagers()`, reads are retried,
 * stale data is fetched on focus and reconnect, and data that is not shown is removed.
 */
export function recommended(options: RecommendedOptions = {}): Recommended {
  const { retry = true, refetchOnFocus: onFocus = true, refetchOnReconnect: onReconnect = true } = options;
  const { collect = true, networkManager, ...others } = options;
  const refetching = onFocus || onReconnect ? [new RefetchManager({ onFocus, onReconnect })] : [];
  const managers = getDefaultManagers({
    ...others,
    networkManager: { ...(retry && { retry: retryReads }), ...networkManager },
  });
  return { managers: [...managers, ...refetching], gcPolicy: collect ? new GCPolicy() : new ImmortalGCPolicy() };
}

const retryAny: Retry = /* #__PURE__ */ retrying();

/** Retries reads only. The server may have carried out a write whose answer was lost, so each endpoint decides whether to send it again. */
const retryReads: Retry = (attempt, request) => (request.method === 'GET' ? retryAny(attempt, request) : attempt());
