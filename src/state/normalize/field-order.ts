import type { RowCell } from '../tables/row-cell.ts';

/**
 * Which fields of a row come from an earlier request than the row's own stamp says. Kept only where an answer could
 * still arrive that must win over some fields of the row and lose to others.
 */
export class FieldOrder {
  readonly #issues = new Map<RowCell, ReadonlyMap<string, number>>();

  get(cell: RowCell): ReadonlyMap<string, number> | undefined {
    return this.#issues.get(cell);
  }

  set(cell: RowCell, issues: ReadonlyMap<string, number> | undefined): void {
    if (issues === undefined || issues.size === 0) this.#issues.delete(cell);
    else this.#issues.set(cell, issues);
  }

  /** No request is under way any more: the next answer wins over everything there is. */
  clear(): void {
    this.#issues.clear();
  }

  get size(): number {
    return this.#issues.size;
  }
}
