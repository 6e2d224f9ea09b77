import type { Stamp } from '../../define/schema/stamp.ts';
import { restore, type RestoreOptions } from '../store/restore.ts';
import type { Store } from '../store/store.ts';
import { readDehydrated } from './read-dehydrated.ts';

/**
 * Adds a dehydrated store to another store, in one commit. Rows and results that are stored already stay, because they are newer, unless
 * this is a later part of the state from which they came. Throws for anything but the output of `dehydrate`, and then changes nothing.
 */
export function hydrate(store: Store, given: unknown, options: RestoreOptions = {}): void {
  const { rows, results, nestedFields, aliases, invalidated, versions } = readDehydrated(given);
  restore(
    store.writer,
    rows.map((row) => ({ ...row, stamp: olderStamp(row.stamp) })),
    results.map(([key, result]) => [key, { ...result, stamp: olderStamp(result.stamp) }]),
    { ...options, nestedFields, aliases, invalidated, versions },
  );
}

/** Returns a stamp that is older than every request. */
function olderStamp({ fetchedAt, date, expiresAt }: Stamp): Stamp {
  return { issue: 0, fetchedAt, date, expiresAt };
}
