import type { Queryable } from '../../define/schema/infer.ts';
import type { Commit, RowChange } from '../../state/store/commit.ts';
import type { RequestRead } from '../../state/store/request-cells.ts';
import type { RequestState } from '../../state/store/request-state.ts';
import type { SnapshotReader } from '../../state/store/snapshot.ts';
import type { Store } from '../../state/store/store.ts';

type Shown = RowChange['after'];
type Rows = Map<string, Map<string, Shown>>;

/** A commit that a screen follows or will follow. */
export interface Entry {
  /** `undefined` while it is under way. */
  commit: Commit | undefined;
  isOnScreen: boolean;
}

/** A store without some of its commits: what is read by a reader that has not followed them yet. */
export class Moment {
  readonly #reader: SnapshotReader;

  /** `log` holds `missing` and every commit after it that changed the same, in order. */
  constructor(store: Store, log: readonly Entry[], missing: ReadonlySet<Entry>) {
    const rows: Rows = new Map();
    const requests = new Map<string, RequestState | undefined>();
    for (const entry of log) {
      const isMissing = missing.has(entry);
      for (const change of entry.commit?.shown ?? []) take(rows, change, isMissing);
      for (const { key, before, after } of entry.commit?.requests ?? [])
        if (isMissing ? !requests.has(key) : requests.has(key)) requests.set(key, isMissing ? before : after);
    }
    this.#reader = store.snapshot({ rows, requests });
  }

  get(queryable: Queryable, args: readonly unknown[]): unknown {
    return this.#reader.get(queryable, ...args);
  }

  /** The value of what a request answered, or else of what its arguments lead to. */
  request(read: RequestRead): unknown {
    return this.#reader.request(read).value;
  }
}

/** Of a row that a missing commit changed, later commits change only the fields that they changed. */
function take(tables: Rows, { table, pk, before, after }: RowChange, isMissing: boolean): void {
  let rows = tables.get(table);
  if (isMissing) {
    if (rows === undefined) tables.set(table, (rows = new Map()));
    if (!rows.has(pk)) rows.set(pk, before);
  } else if (rows?.has(pk) === true) rows.set(pk, rebased(rows.get(pk), before, after));
}

function rebased(row: Shown, before: Shown, after: Shown): Shown {
  if (!isRecord(row) || !isRecord(before) || !isRecord(after)) return after;
  const changed = Object.entries(after).filter(([name, value]) => value !== before[name]);
  return { ...row, ...Object.fromEntries(changed) };
}

/** Lists are taken as they are. */
function isRecord(shown: Shown): shown is Readonly<Record<string, unknown>> {
  return typeof shown === 'object' && !Array.isArray(shown);
}
