import type { Queryable } from '../../define/schema/infer.ts';
import { INVALID } from '../../define/schema/schema.ts';
import type { Commit, RowChange } from '../../state/store/commit.ts';
import type { Result } from '../../state/store/results.ts';
import type { Kept, SnapshotReader } from '../../state/store/snapshot.ts';
import type { Store } from '../../state/store/store.ts';

type Shown = RowChange['after'];

/** A commit that a screen follows or will follow. */
export interface Entry {
  /** `undefined` while it is under way. */
  commit: Commit | undefined;
  isOnScreen: boolean;
}

/** A store without some of its commits: what is read by who has not followed them yet. */
export class Moment {
  readonly #store: Store;
  readonly #results: ReadonlyMap<string, Result | undefined>;
  readonly #reader: SnapshotReader;

  /** `log` holds `missing` and every commit after it that changed the same, in order. */
  constructor(store: Store, log: readonly Entry[], missing: ReadonlySet<Entry>) {
    const rows: Kept = new Map();
    const results = new Map<string, Result | undefined>();
    for (const entry of log) {
      const isMissing = missing.has(entry);
      for (const change of entry.commit?.shown ?? []) take(rows, change, isMissing);
      for (const { key, before, after } of entry.commit?.results ?? [])
        if (isMissing ? !results.has(key) : results.has(key)) results.set(key, isMissing ? before : after);
    }
    this.#store = store;
    this.#results = results;
    this.#reader = store.snapshot(rows);
  }

  get(queryable: Queryable, args: readonly unknown[]): unknown {
    return this.#reader.get(queryable, ...args);
  }

  /** The value of what a request answered, or else of what its arguments lead to. */
  respond(key: string, schema: Queryable | undefined, args: readonly unknown[]): unknown {
    const result = this.#results.has(key) ? this.#results.get(key) : this.#store.result(key);
    if (result === undefined) return schema === undefined ? undefined : this.get(schema, args);
    // What was restored knows of no schema before it is read.
    const value = this.#reader.read(result.schema ?? schema, result.stored, result.args);
    return value === INVALID ? undefined : value;
  }
}

/** Of a row that a missing commit changed, later commits change only the fields that they changed. */
function take(tables: Kept, { table, pk, before, after }: RowChange, isMissing: boolean): void {
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
