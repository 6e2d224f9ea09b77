import { retrying } from '../../define/rest/retrying.ts';
import type { Retry } from '../../define/endpoint/retry.ts';
import { type GCInterface, GCPolicy, ImmortalGCPolicy } from '../controller/gc-policy.ts';
import type { Manager } from '../controller/manager.ts';
import type { NetworkManagerOptions } from '../controller/network-manager.ts';
import { type DefaultManagersOptions, getDefaultManagers } from './default-managers.ts';
import { RefetchManager } from './refetch-manager.ts';

export interface RecommendedOptions extends Omit<DefaultManagersOptions, 'networkManager'> {
  /** Whether a read that failed for a reason that may go away is sent again, up to three times, later each time. Default: true. */
  readonly retry?: boolean;
  /** Whether what is stale and on the screen is fetched when the user comes back to the page. Default: true. */
  readonly refetchOnFocus?: boolean;
  /** The same when the network comes back. Default: true. */
  readonly refetchOnReconnect?: boolean;
  /** Whether data that no component shows is thrown away in time. Default: true. */
  readonly collect?: boolean;
  readonly networkManager?: NetworkManagerOptions;
}

/** What a `Controller` and a `DataProvider` take. */
export interface Recommended {
  readonly managers: readonly Manager[];
  readonly gcPolicy: GCInterface;
}

/**
 * Defaults for an application in a browser: `<DataProvider {...recommended()}>`. Those of `getDefaultManagers()`, and reads are retried,
 * stale data is fetched on focus and reconnect, and what is not shown is collected.
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

const again: Retry = /* #__PURE__ */ retrying();

/** A write may have done its work although its answer is lost: whether to send it again is for its endpoint to say. */
const retryReads: Retry = (attempt, request) => (request.method === 'GET' ? again(attempt, request) : attempt());
