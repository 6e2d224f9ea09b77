import type { Store } from '../../state/store/store.ts';
import type { ShownRequest } from '../view/responses.ts';

/** What is stale because records are in doubt. */
export interface Doubts {
  /** The request keys. */
  readonly stale: ReadonlySet<string>;
  /** The requests among them that are shown. */
  readonly shown: readonly ShownRequest[];
}

/**
 * Finds the requests that show records which are in doubt. Of those on the screen only the ones count that show the
 * records most directly: a list of records rather than the page that shows one of them inside another.
 */
export function doubtsOf(
  store: Store,
  records: Iterable<readonly [table: string, pk?: string]>,
  onScreen: Iterable<ShownRequest>,
): Doubts {
  const showing = store.showing(records);
  showing.expire();
  const shown: { readonly request: ShownRequest; readonly distance: number }[] = [];
  const others = new Set(Array.from(store.results(), ([key]) => key));
  for (const request of onScreen) {
    others.delete(request.key);
    const distance = showing.distance(request.key);
    if (distance !== undefined) shown.push({ request, distance });
  }
  const stale = [...others].filter((key) => showing.distance(key) !== undefined);
  let nearest = Number.POSITIVE_INFINITY;
  for (const { distance } of shown) nearest = Math.min(nearest, distance);
  const requests = shown.filter(({ distance }) => distance === nearest).map(({ request }) => request);
  return { stale: new Set([...stale, ...requests.map(({ key }) => key)]), shown: requests };
}

/** Whether the server refused a mutation, which then changed nothing. After any other failure it may have been carried out. */
export function isRefusal(error: unknown): boolean {
  const { status } = Object(error) as { readonly status?: unknown };
  return typeof status === 'number' && status >= 400 && status < 500 && status !== 408;
}
