import type { Cell } from '../graph/cell.ts';
import type { CellMap } from '../graph/cell-map.ts';
import type { Plan } from '../tables/plan.ts';
import type { Space } from '../tables/space.ts';
import type { Variant } from './variant.ts';

/** A check that runs before the next value is read. Its observers were notified when it became due. */
export interface LateCheck {
  check(): void;
}

/** Finds the cells that a value is made of. The kinds of cell know this, and not each other. */
export interface Cells {
  readonly space: Space;
  /** Cells that several values are made of, by what they belong to. */
  readonly shared: CellMap<Cell>;
  /** The checks that are due before the next value is read. */
  readonly late: Set<LateCheck>;
  /** Whether values are frozen. */
  readonly frozen: boolean;
  /**
   * The cell of what `stored` stands for under `plan`; `undefined` where it stands for itself. `old` is the cell that
   * was in this place before: one that belongs to the place is used again.
   */
  find(plan: Plan, stored: unknown, variant: Variant, old: Cell | undefined): Cell | undefined;
}
