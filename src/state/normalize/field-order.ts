import type { RowCell } from '../tables/table.ts';

type Issues = ReadonlyMap<string, number>;

/**
 * What the stamp of a row does not tell: which fields come from an earlier request than the others, and before which
 * request the record was deleted. Kept only while an answer can still arrive to which it makes a difference.
 */
export class FieldOrder {
  readonly #issues = new Map<RowCell, Issues>();
  readonly #deletions = new Map<RowCell, number>();
  /** The highest issue of any deletion. */
  latestDeletion = 0;

  get(cell: RowCell): Issues | undefined {
    return this.#issues.size === 0 ? undefined : this.#issues.get(cell);
  }

  set(cell: RowCell, issues: Issues | undefined): void {
    if (issues === undefined || issues.size === 0) this.#issues.delete(cell);
    else this.#issues.set(cell, issues);
  }

  /** The issue of the deletion after which the record came back; 0 if there was none. */
  deletion(cell: RowCell): number {
    return this.#deletions.size === 0 ? 0 : (this.#deletions.get(cell) ?? 0);
  }

  setDeletion(cell: RowCell, issue: number): void {
    if (issue === 0) this.#deletions.delete(cell);
    else this.#deletions.set(cell, issue);
  }

  forget(cell: RowCell): void {
    this.#issues.delete(cell);
    this.#deletions.delete(cell);
  }

  /** No request is under way any more: the next answer wins over everything there is. */
  clear(): void {
    if (this.#issues.size > 0) this.#issues.clear();
    if (this.#deletions.size > 0) this.#deletions.clear();
  }

  /** Calling the result brings back what was forgotten since. */
  memo(): () => void {
    const issues = [...this.#issues];
    const deletions = [...this.#deletions];
    return () => {
      for (const [cell, known] of issues) this.#issues.set(cell, known);
      for (const [cell, issue] of deletions) this.#deletions.set(cell, issue);
    };
  }
}
