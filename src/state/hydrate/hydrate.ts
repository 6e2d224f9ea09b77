import type { Stamp } from '../../define/schema/schema.ts';
import type { RestoreOptions, Store } from '../store/store.ts';
import { readDehydrated } from './read-dehydrated.ts';

/**
 * Puts a dehydrated store into another, in one commit. Rows and results that are there already stay: they are newer,
 * unless this is a later part of what they came from.
 * Anything but the output of `dehydrate` is refused and changes nothing.
 */
export function hydrate(store: Store, given: unknown, options: RestoreOptions = {}): void {
  const { rows, results, nestedFields, aliases } = readDehydrated(given);
  store.restore(
    rows.map((row) => ({ ...row, stamp: older(row.stamp) })),
    results.map(([key, result]) => [key, { ...result, stamp: older(result.stamp) }]),
    { ...options, nestedFields, aliases },
  );
}

/** What is restored is older than every request. */
function older({ fetchedAt, date, expiresAt }: Stamp): Stamp {
  return { issue: 0, fetchedAt, date, expiresAt };
}
