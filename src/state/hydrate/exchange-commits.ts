import { DataError } from '../../std/data-error.ts';
import { inDevelopment } from '../../std/development.ts';
import { isOrigin, issueOfParts } from '../store/issue-parts.ts';
import type { Store } from '../store/store.ts';

/**
 * Prepares a store for commits of other stores: from now on it records for each field of a row when it was requested. `origin` identifies
 * the store: a whole number from 1 to 1048575 that no other store has. Call it before anything is written.
 */
export function exchangeCommits(store: Store, origin: number): void {
  if (!isOrigin(origin))
    throw new DataError('origin-invalid', `A store was given the origin ${String(origin)}.`, {
      cure: inDevelopment(() => 'Pass a whole number from 1 to 1048575, and another one to each store.'),
    });
  store.writer.core.tickets.origin = issueOfParts([0, origin]);
}
