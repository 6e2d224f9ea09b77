import type { Arrival } from './arrivals.ts';
import type { Queryable } from '../../define/schema/infer-schema.ts';
import type { Commit, RowChange } from '../../state/store/commit.ts';
import { EarlierStore, type EarlierValue, rebased, rebasedState } from '../../state/store/earlier-store.ts';
import type { KeptRequests, KeptRows } from '../../state/store/kept.ts';
import type { Found } from '../../state/store/request-cell.ts';
import type { RequestRead } from '../../state/store/request-cells.ts';
import type { Store } from '../../state/store/store.ts';

/** A commit that a screen follows or will follow. */
export interface Entry extends Arrival {
  /** `undefined` while it is under way, and for a change that is no commit, such as an error. */
  commit: Commit | undefined;
  isOnScreen: boolean;
  /** The screen shows it before the render in which its readers follow it. */
  isHurried?: boolean;
  /** Readers that go on without it, though it is on the screen. */
  holders?: Set<unknown>;
}

/** A store without some of its commits, for readers that have not followed them yet. */
export class Moment {
  readonly missing: readonly Entry[];
  /** Counts the later commits that changed something which was read here. */
  version = 0;
  readonly #earlier: EarlierStore;
  #isPresent = true;

  /**
   * `log` holds `missing` and every commit after it that changed the same, in order. Of a commit that is on the screen,
   * only what it invalidated is left out: all other readers show its rows.
   */
  constructor(store: Store, log: readonly Entry[], missing: readonly Entry[]) {
    const isMissing = new Set(missing);
    const rows: KeptRows = new Map();
    const requests: KeptRequests = new Map();
    for (const entry of log) {
      const isLeft = isMissing.has(entry);
      for (const change of entry.commit?.shown ?? []) keep(rows, change, isLeft && !entry.isOnScreen);
      for (const { key, before, after } of entry.commit?.requests ?? [])
        if (!isLeft || (entry.isOnScreen && after?.note?.isInvalidated !== true)) {
          if (requests.has(key)) requests.set(key, rebasedState(requests.get(key), before, after));
        } else if (!requests.has(key)) requests.set(key, before);
    }
    this.missing = missing;
    this.#earlier = new EarlierStore(store.writer.core, rows, requests);
  }

  get(queryable: Queryable, args: readonly unknown[]): unknown {
    return this.#noted(this.#earlier.get(queryable, args));
  }

  /** What a request had to say. */
  request(read: RequestRead): Found {
    return this.#noted(this.#earlier.request(read));
  }

  #noted<Value>({ value, isPresent }: EarlierValue<Value>): Value {
    if (!isPresent) this.#isPresent = false;
    return value;
  }

  /** Runs something that reads, and says whether it would read the same in the store. */
  read<T>(run: () => T): { readonly made: T; readonly isPresent: boolean } {
    this.#isPresent = true;
    const made = run();
    return { made, isPresent: this.#isPresent };
  }

  /** Takes in a commit that came later. True if it changed something that has been read here. */
  follow(commit: Commit): boolean {
    const isRead = this.#earlier.follow(commit);
    if (isRead) this.version++;
    return isRead;
  }
}

/** Of a row that a missing commit changed, later commits change only the fields that they changed. */
function keep(tables: KeptRows, { table, pk, before, after }: RowChange, isMissing: boolean): void {
  const rows = tables.get(table) ?? new Map<string, RowChange['after']>();
  if (isMissing) {
    tables.set(table, rows);
    if (!rows.has(pk)) rows.set(pk, before);
  } else if (rows.has(pk)) rows.set(pk, rebased(rows.get(pk), before, after));
}
