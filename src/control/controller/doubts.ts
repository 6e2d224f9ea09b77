import type { Store } from '../../state/store/store.ts';
import type { ShownRequest } from '../view/responses.ts';
import { DataError } from '../../std/data-error.ts';

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

/** What a server made of a mutation that failed. It may have carried out what it has not answered. */
export type Outcome = 'refused' | 'done' | 'unknown';

/** Reads it from the error. An answer that cannot be read, or filed, says that the mutation was carried out. */
export function outcomeOf(error: unknown): Outcome {
  const { response, status } = Object(error) as { readonly response?: unknown; readonly status?: unknown };
  const { ok } = Object(response) as { readonly ok?: unknown };
  if (ok === true || (ok === undefined && error instanceof DataError && status === 400)) return 'done';
  return typeof status === 'number' && status >= 400 && status < 500 && status !== 408 ? 'refused' : 'unknown';
}
