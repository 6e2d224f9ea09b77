import type { EndpointInterface } from '../../define/endpoint/infer-endpoint.ts';
import { sentenceOf } from '../../std/thrown.ts';
import { warn } from '../../std/warn.ts';
import { actionTypes } from './action.ts';
import { doubtsOf, notifyStale } from './doubts.ts';
import type { MiddlewareAPI } from './manager.ts';
import type { DataToRefetch } from './pending-refetches.ts';
import { type EndpointCall, shareKeyOf } from './request-in-flight.ts';
import type { SharedReads } from './shared-reads.ts';

/**
 * Makes answers stale that may have data from before a mutation, and fetches those on the screen again, once. `isAll`: no mutation is pending any
 * more, not even one from before a reset.
 */
export function refetchShown(
  controller: MiddlewareAPI,
  pending: DataToRefetch,
  sharedReads: SharedReads,
  isAll: boolean,
): void {
  try {
    refetch(controller, pending, sharedReads, isAll);
  } catch (error) {
    // The callers of the last request have their answer already, so they must not get this error.
    const { endpoint, key } = pending.last.call;
    warn(
      endpoint,
      'request-unfinished',
      () => `Shown data could not be fetched again after ${key}: ${sentenceOf(error)}`,
    );
  }
}

function refetch(
  controller: MiddlewareAPI,
  { doubted, refetched }: DataToRefetch,
  sharedReads: SharedReads,
  isAll: boolean,
): void {
  const outdated = sharedReads.takeOutdated(controller.mutations.ended, isAll);
  if (outdated.length === 0 && doubted.length === 0 && refetched === undefined) return;
  const { store } = controller;
  const { stale, shown, ofRows } = doubtsOf(store, doubted, doubted.length === 0 ? [] : [...controller.shown()]);
  const wanted = new Map<string, EndpointCall>(shown.map((request) => [request.key, request]));
  for (const call of outdated) if (controller.isShown(call.key)) wanted.set(shareKeyOf(call), call);
  if (refetched !== undefined)
    for (const request of controller.shown()) if (refetched(request.key)) wanted.set(request.key, request);
  // A page has the cursor of the former list, so it is not fetched together with its list.
  for (const [shareKey, { key }] of wanted) if (shareKey !== key && wanted.has(key)) wanted.delete(shareKey);
  for (const { endpoint, args } of wanted.values())
    // Fetch before the observers are notified, so that their own fetches share the request.
    fetchAgain(controller, sharedReads, endpoint, args);
  const keys = new Set(outdated.map(({ key }) => key));
  void controller.dispatch({
    type: actionTypes.EXPIREALL,
    testKey: (key) => keys.has(key) || stale.has(key) || refetched?.(key) === true,
    areReadsNewer: true,
  });
  notifyStale(store, ofRows);
}

function fetchAgain(
  controller: MiddlewareAPI,
  sharedReads: SharedReads,
  endpoint: EndpointInterface,
  args: readonly unknown[],
): void {
  controller.request(endpoint, ...args).catch(() => {});
  const request = sharedReads.shared({ endpoint, args, key: endpoint.key(...args) }, controller.mutations.ended);
  if (request !== undefined) request.isAskedAgain = true;
}
