import { DataError } from '../../std/data-error.ts';
import { isOrigin, issueAt } from '../store/place.ts';
import type { Store } from '../store/store.ts';

/**
 * Prepares a store for commits of others: from now on each of its rows knows field by field when it was asked for. `origin` tells it from the others: a
 * whole number above 0, another one for each. To be called before anything is written.
 */
export function exchangeCommits(store: Store, origin: number): void {
  if (!isOrigin(origin))
    throw new DataError(
      'origin-invalid',
      `A store was given the origin ${String(origin)}. An origin is a whole number from 1 to 1048575, another one for each store.`,
    );
  store.writer.core.tickets.origin = issueAt([0, origin]);
}
