import { dehydrateCommit } from '../../state/hydrate/dehydrate-commit.ts';
import type { DehydratedCommit } from '../../state/hydrate/dehydrated.ts';
import { unchanged } from '../../state/store/commit.ts';
import type { Store } from '../../state/store/store.ts';

/** How many rows one message has: few enough that neither tab is busy for long. */
const ROWS_PER_MESSAGE = 500;

/** Returns the content of a store as commits: first the rows, then the results that refer to them. */
export function* storedContent(store: Store): Generator<DehydratedCommit> {
  const nothing = { rows: [], shown: [], requests: [] };
  const rows = Array.from(store.rows(), ({ table, pk, row }) => unchanged(table, pk, row));
  for (let at = 0; at < rows.length; at += ROWS_PER_MESSAGE)
    yield dehydrateCommit(store, { ...nothing, confirmed: rows.slice(at, at + ROWS_PER_MESSAGE) });
  const requests = Array.from(store.requests(), ([key, after]) => ({ key, before: undefined, after }));
  yield dehydrateCommit(store, { ...nothing, requests });
}
