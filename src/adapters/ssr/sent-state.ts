import { INVALID } from '../../define/schema/row.ts';
import type { Dehydrated } from '../../state/hydrate/dehydrated.ts';
import type { Commit } from '../../state/store/commit.ts';
import type { KeptRequests, KeptRows } from '../../state/store/kept-states.ts';

/** The rows and requests in a state that came with a page. */
export interface SentState {
  readonly rows: KeptRows;
  readonly requests: KeptRequests;
}

/** Returns the content of a state as it was sent. */
export function sentState({ tables, results }: Dehydrated): SentState {
  const rows: KeptRows = new Map();
  for (const [table, sent] of tables) rows.set(table, new Map(sent.map(([pk, row]) => [pk, row ?? INVALID])));
  const requests: KeptRequests = new Map();
  for (const [key, stored, args, fetchedAt, date, expiresAt] of results) {
    const stamp = { issue: 0, fetchedAt, date, expiresAt: expiresAt ?? Number.POSITIVE_INFINITY };
    requests.set(key, { results: [{ schema: undefined, stored, args, stamp }], note: undefined });
  }
  return { rows, requests };
}

/** Returns the content of a state by the commit that added it to the store. Its rows are the objects of the store. */
export function sentByCommit({ rows: changed, requests }: Commit): SentState {
  const rows: KeptRows = new Map();
  for (const { table, pk, after } of changed) rows.set(table, (rows.get(table) ?? new Map()).set(pk, after));
  return { rows, requests: new Map(requests.map(({ key, after }) => [key, after])) };
}
