import { memo } from '../../std/memo.ts';
import type { RowCell } from './table.ts';

/** A deleted record that has not yet been removed from a collection. `before` is the one noted before it. */
export interface Departure {
  readonly holder: RowCell;
  readonly member: RowCell;
  readonly before: Departure | undefined;
}

/**
 * Deleted records that are still in the rows of collections. They are removed when the collection is read, or when the batch ends, so that
 * a collection which loses many members is written once.
 */
export class Leaving {
  /** The last noted departure. Other classes only read it. */
  last: Departure | undefined = undefined;
  readonly #cells = new Set<RowCell>();

  /** Returns whether a cell is one of these collections or records. */
  concerns(cell: RowCell): boolean {
    return this.#cells.has(cell);
  }

  add(holder: RowCell, member: RowCell): void {
    this.last = { holder, member, before: this.last };
    this.#cells.add(holder);
    this.#cells.add(member);
  }

  /** Returns the noted records by collection, and forgets them. */
  take(): ReadonlyMap<RowCell, ReadonlySet<RowCell>> {
    const leaving = new Map<RowCell, Set<RowCell>>();
    for (let at = this.last; at !== undefined; at = at.before)
      memo(leaving, at.holder, () => new Set<RowCell>()).add(at.member);
    this.restore(undefined);
    return leaving;
  }

  /** Restores the state in which `last` was the last noted departure. */
  restore(last: Departure | undefined): void {
    if (last === this.last) return;
    this.last = last;
    this.#cells.clear();
    for (let at = last; at !== undefined; at = at.before) this.#cells.add(at.holder).add(at.member);
  }
}
