import type { RowCell } from './table.ts';

/** A deleted record that is still to leave a collection, and what was noted before it. */
export interface Departure {
  readonly holder: RowCell;
  readonly member: RowCell;
  readonly before: Departure | undefined;
}

/**
 * Deleted records that are still in the rows of collections. They leave when the collection is read, or when the batch is over:
 * a collection that many of its members leave is then written once.
 */
export class Leaving {
  /** What was noted last. Only read outside. */
  last: Departure | undefined = undefined;
  readonly #cells = new Set<RowCell>();

  /** Whether a cell is such a collection, or such a record. */
  concerns(cell: RowCell): boolean {
    return this.#cells.has(cell);
  }

  add(holder: RowCell, member: RowCell): void {
    this.last = { holder, member, before: this.last };
    this.#cells.add(holder);
    this.#cells.add(member);
  }

  /** Takes what was noted: the records by the collection that they leave. */
  take(): ReadonlyMap<RowCell, ReadonlySet<RowCell>> {
    const leaving = new Map<RowCell, Set<RowCell>>();
    for (let at = this.last; at !== undefined; at = at.before) {
      const members = leaving.get(at.holder);
      if (members === undefined) leaving.set(at.holder, new Set([at.member]));
      else members.add(at.member);
    }
    this.restore(undefined);
    return leaving;
  }

  /** Makes it what it was when `last` was noted. */
  restore(last: Departure | undefined): void {
    if (last === this.last) return;
    this.last = last;
    this.#cells.clear();
    for (let at = last; at !== undefined; at = at.before) this.#cells.add(at.holder).add(at.member);
  }
}
