import { FieldOrder } from '../normalize/field-order.ts';
import type { RowCell } from '../tables/table.ts';

/**
 * The order of the fields as it will be: that of the store, and what the walk makes of it. It knows of no deletions,
 * since no walk lands that was asked for before one.
 */
export class FieldOrderAhead extends FieldOrder {
  readonly #ground: FieldOrder;
  readonly #homes: ReadonlyMap<RowCell, RowCell>;
  readonly #issues = new Map<RowCell, ReadonlyMap<string, number> | undefined>();
  readonly #deletions = new Map<RowCell, number>();

  constructor(ground: FieldOrder, homes: ReadonlyMap<RowCell, RowCell>) {
    super();
    this.#ground = ground;
    this.#homes = homes;
  }

  #home(cell: RowCell): RowCell {
    return this.#homes.get(cell) as RowCell;
  }

  override get(cell: RowCell): ReadonlyMap<string, number> | undefined {
    return this.#issues.has(cell) ? this.#issues.get(cell) : this.#ground.get(this.#home(cell));
  }

  override set(cell: RowCell, issues: ReadonlyMap<string, number> | undefined): void {
    this.#issues.set(cell, issues);
  }

  override setDeletion(cell: RowCell, issue: number): void {
    this.#deletions.set(cell, issue);
  }

  /** Gives what undoes it. */
  land(to: FieldOrder): () => void {
    const issues = Array.from(this.#issues, ([cell, next]) => {
      const home = this.#home(cell);
      const before = to.get(home);
      to.set(home, next);
      return [home, before] as const;
    });
    const deletions = Array.from(this.#deletions, ([cell, next]) => {
      const home = this.#home(cell);
      const before = to.deletion(home);
      to.setDeletion(home, next);
      return [home, before] as const;
    });
    return () => {
      for (const [home, before] of issues) to.set(home, before);
      for (const [home, before] of deletions) to.setDeletion(home, before);
    };
  }
}
