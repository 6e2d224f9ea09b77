import type { Cell } from '../graph/cell.ts';
import type { CellMap } from '../graph/cell-map.ts';
import type { Plan } from '../tables/plan.ts';
import type { Space } from '../tables/space.ts';
import type { Variant } from './variant.ts';

/** A check that runs before the next value is read. Its observers were notified when it became due. */
export interface LateCheck {
  check(): void;
}

/** Finds the cells from which a value is built. The kinds of cell use this interface and do not import each other. */
export interface Cells {
  readonly space: Space;
  /** Cells from which several values are built, by owner. */
  readonly shared: CellMap<Cell>;
  /** The checks that run before the next value is read. */
  readonly late: Set<LateCheck>;
  /** Whether values are frozen. */
  readonly isFrozen: boolean;
  /**
   * Returns the cell for `stored` under `plan`, or `undefined` if `stored` is plain data. `old` is the cell that was in the same place
   * before. It is reused if it belongs to that place alone.
   */
  find(plan: Plan, stored: unknown, variant: Variant, old: Cell | undefined): Cell | undefined;
}
