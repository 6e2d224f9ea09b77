import type { RowState } from '../../define/schema/schema.ts';
import { notifyEach } from '../graph/mark.ts';
import type { RowCell } from '../tables/table.ts';
import type { RequestState } from './request-state.ts';

export interface RowChange {
  readonly table: string;
  readonly pk: string;
  readonly before: RowState;
  readonly after: RowState;
}

export interface RequestChange {
  readonly key: string;
  readonly before: RequestState | undefined;
  readonly after: RequestState | undefined;
}

/** What changed at once: enough to undo it, to send it, to draw it. Nothing in it is ever written to. */
export interface Commit {
  /** Confirmed rows. */
  readonly rows: readonly RowChange[];
  /** Rows as readers see them, where they differ from before; without optimistic layers the same as `rows`. */
  readonly shown: readonly RowChange[];
  readonly requests: readonly RequestChange[];
  /** Rows that are as they were, and were asked for later than before. Told by a store that exchanges commits with others. */
  readonly confirmed?: readonly Pick<RowChange, 'table' | 'pk'>[];
}

/** What is there at the end of a batch. */
export interface CommitEnd {
  /** The confirmed row of a cell. */
  row(cell: RowCell): RowState;
  request(key: string): RequestState | undefined;
}

/** Notes what was there before a batch, as long as there are listeners, and notifies them at its end. */
export class Commits {
  readonly #end: CommitEnd;
  readonly #listeners = new Set<(commit: Commit) => void>();
  readonly #rows = new Map<RowCell, RowState>();
  readonly #shown = new Map<RowCell, RowState>();
  readonly #requests = new Map<string, RequestState | undefined>();
  readonly #confirmed = new Set<RowCell>();

  constructor(end: CommitEnd) {
    this.#end = end;
  }

  listen(listener: (commit: Commit) => void): () => void {
    const own = (commit: Commit): void => listener(commit);
    this.#listeners.add(own);
    return () => void this.#listeners.delete(own);
  }

  row(cell: RowCell, before: RowState): void {
    if (this.#listeners.size > 0) note(this.#rows, cell, before);
  }

  shown(cell: RowCell, before: RowState): void {
    if (this.#listeners.size > 0) note(this.#shown, cell, before);
  }

  request(key: string, before: RequestState | undefined): void {
    if (this.#listeners.size > 0) note(this.#requests, key, before);
  }

  /** A row has been found to be what it was. */
  confirmed(cell: RowCell): void {
    if (this.#listeners.size > 0) this.#confirmed.add(cell);
  }

  /** Tells what is not as it was: parts of a batch can have been undone, or have come back to where they began. */
  send(): void {
    if (this.#rows.size + this.#shown.size + this.#requests.size + this.#confirmed.size > 0) this.#sendChanges();
  }

  #sendChanges(): void {
    const rows = changes(this.#rows, (cell) => this.#end.row(cell));
    const shown = changes(this.#shown, (cell) => cell.row);
    const requests: RequestChange[] = [];
    for (const [key, before] of this.#requests) {
      const after = this.#end.request(key);
      if (before !== after) requests.push({ key, before, after });
    }
    this.#rows.clear();
    this.#shown.clear();
    this.#requests.clear();
    const confirmed = Array.from(this.#confirmed, ({ table, pk }) => ({ table: table.name, pk }));
    this.#confirmed.clear();
    const isAny = rows.length + shown.length + requests.length + confirmed.length > 0;
    const commit: Commit = { rows, shown, requests, ...(confirmed.length > 0 && { confirmed }) };
    if (isAny) notifyEach(this.#listeners, commit);
  }
}

/** What was there first counts. */
function note<Key, Before>(noted: Map<Key, Before>, key: Key, before: Before): void {
  if (!noted.has(key)) noted.set(key, before);
}

function changes(noted: ReadonlyMap<RowCell, RowState>, now: (cell: RowCell) => RowState): RowChange[] {
  const changed: RowChange[] = [];
  for (const [cell, before] of noted) {
    const after = now(cell);
    if (before !== after) changed.push({ table: cell.table.name, pk: cell.pk, before, after });
  }
  return changed;
}
