import type { Queryable } from '../../define/schema/infer-schema.ts';
import type { RowState } from '../../define/schema/row.ts';
import { type Commit, type RowChange, rowsSeen } from '../../state/store/commit.ts';
import {
  EarlierStore,
  type EarlierValue,
  keepLaterChange,
  withLaterRequestChange,
} from '../../state/store/earlier-store.ts';
import type { KeptRequests, KeptRows } from '../../state/store/kept-states.ts';
import type { Found } from '../../state/store/request-cell.ts';
import type { RequestRead } from '../../state/store/request-cells.ts';
import type { Store } from '../../state/store/store.ts';
import { memo } from '../../std/memo.ts';
import type { Entry } from './commit-entry.ts';

/** The state of a store without some commits, for readers that must not show them yet. */
export class Moment {
  readonly missing: readonly Entry[];
  /** Counts the later commits that changed data which was read here. */
  version = 0;
  readonly #earlier: EarlierStore;
  #isPresent = true;

  /**
   * `log` contains `missing` and every later commit that changed the same rows or requests, in order. Of a missing commit on the screen,
   * only its invalidations are left out, because all other readers show its rows.
   */
  constructor(store: Store, log: readonly Entry[], missing: readonly Entry[]) {
    const missingEntries = new Set(missing);
    const rows: KeptRows = new Map();
    const requests: KeptRequests = new Map();
    const { core } = store.writer;
    for (const entry of log) {
      const { commit } = entry;
      const isEntryMissing = missingEntries.has(entry);
      for (const change of commit === undefined ? [] : rowsSeen(commit))
        if (isEntryMissing && !entry.isOnScreen) keepBefore(rows, change);
        else keepLaterChange(rows, change, core);
      for (const { key, before, after } of commit?.requests ?? [])
        if (!isEntryMissing || (entry.isOnScreen && after?.note?.isInvalidated !== true)) {
          if (requests.has(key)) requests.set(key, withLaterRequestChange(requests.get(key), before, after));
        } else if (!requests.has(key)) requests.set(key, before);
    }
    this.missing = missing;
    this.#earlier = new EarlierStore(core, rows, requests);
  }

  get(queryable: Queryable, args: readonly unknown[]): unknown {
    return this.#noteDifference(this.#earlier.get(queryable, args));
  }

  /** Returns the answer of a request in this state. */
  request(read: RequestRead): Found {
    return this.#noteDifference(this.#earlier.request(read));
  }

  #noteDifference<Value>({ value, isPresent }: EarlierValue<Value>): Value {
    if (!isPresent) this.#isPresent = false;
    return value;
  }

  /** Runs a function that reads in this state. Also returns whether the present store has the same data. */
  read<T>(run: () => T): { readonly result: T; readonly isPresent: boolean } {
    this.#isPresent = true;
    const result = run();
    return { result, isPresent: this.#isPresent };
  }

  /** Applies a later commit. Returns true if it changed data that was read here. */
  apply(commit: Commit): boolean {
    const isRead = this.#earlier.apply(commit);
    if (isRead) this.version++;
    return isRead;
  }
}

/** Keeps the row before a change, unless an earlier one is kept. */
function keepBefore(kept: KeptRows, { table, pk, before }: RowChange): void {
  const rows = memo(kept, table, () => new Map<string, RowState>());
  if (!rows.has(pk)) rows.set(pk, before);
}
