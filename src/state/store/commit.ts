import type { Invalid, Row } from '../../define/schema/schema.ts';
import type { RowCell } from '../tables/table.ts';
import type { Result } from './results.ts';

type Shown = Row | Invalid | undefined;

export interface RowChange {
  readonly table: string;
  readonly pk: string;
  readonly before: Shown;
  readonly after: Shown;
}

export interface ResultChange {
  readonly key: string;
  readonly before: Result | undefined;
  readonly after: Result | undefined;
}

/** What changed at once: enough to undo it, to send it, to draw it. Rows and results in it are never written to. */
export interface Commit {
  /** Confirmed rows. */
  readonly rows: readonly RowChange[];
  /** Rows as readers see them, where they differ from before; without optimistic layers the same as `rows`. */
  readonly shown: readonly RowChange[];
  readonly results: readonly ResultChange[];
}

/** Notes what a batch changes, as long as somebody listens, and tells them when it has landed. */
export class Commits {
  readonly #listeners = new Set<(commit: Commit) => void>();
  readonly #rows = new Map<RowCell, { before: Shown; after: Shown }>();
  readonly #shown = new Map<RowCell, { before: Shown; after: Shown }>();
  readonly #results = new Map<string, ResultChange>();

  get isHeard(): boolean {
    return this.#listeners.size > 0;
  }

  listen(listener: (commit: Commit) => void): () => void {
    const own = (commit: Commit): void => listener(commit);
    this.#listeners.add(own);
    return () => void this.#listeners.delete(own);
  }

  row(cell: RowCell, before: Shown, after: Shown): void {
    if (this.isHeard) note(this.#rows, cell, before, after);
  }

  shown(cell: RowCell, before: Shown, after: Shown): void {
    if (this.isHeard) note(this.#shown, cell, before, after);
  }

  result(key: string, before: Result | undefined, after: Result | undefined): void {
    if (this.isHeard) this.#results.set(key, { key, before: (this.#results.get(key) ?? { before }).before, after });
  }

  /** Forgets what was noted: it was undone. */
  drop(): void {
    this.#rows.clear();
    this.#shown.clear();
    this.#results.clear();
  }

  send(): void {
    if (this.#rows.size + this.#shown.size + this.#results.size === 0) return;
    const commit: Commit = { rows: list(this.#rows), shown: list(this.#shown), results: [...this.#results.values()] };
    this.drop();
    for (const listener of this.#listeners) {
      try {
        listener(commit);
      } catch (error) {
        queueMicrotask(() => {
          throw error;
        });
      }
    }
  }
}

function note(map: Map<RowCell, { before: Shown; after: Shown }>, cell: RowCell, before: Shown, after: Shown): void {
  const known = map.get(cell);
  if (known === undefined) map.set(cell, { before, after });
  else known.after = after;
}

function list(map: ReadonlyMap<RowCell, { before: Shown; after: Shown }>): RowChange[] {
  return [...map]
    .filter(([, { before, after }]) => before !== after)
    .map(([{ table, pk }, { before, after }]) => ({ table: table.name, pk, before, after }));
}
