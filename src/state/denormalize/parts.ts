import type { Cell } from '../graph/cell.ts';
import type { Plan } from '../tables/plan.ts';
import type { Space } from '../tables/space.ts';
import type { Variant } from './variant.ts';

/** Finds the cells that a value is made of. The kinds of cell know this, and not each other. */
export interface Parts {
  readonly space: Space;
  /** Whether values are frozen. */
  readonly frozen: boolean;
  /**
   * The cell of what `stored` stands for under `plan`; `undefined` where it stands for itself. `old` is the cell that
   * was in this place before: one that belongs to the place is used again.
   */
  find(plan: Plan, stored: unknown, variant: Variant, old: Cell | undefined): Cell | undefined;
}

type PartList = readonly (Cell | undefined)[];

/** Links `owner` to its new parts and unlinks it from those that it has no more. */
export function relink(owner: Cell, old: PartList, parts: PartList): void {
  if (old.length > 0) {
    const stays = membership(parts);
    for (const part of old) if (part !== undefined && !stays(part)) part.unlinkFrom(owner);
  }
  // Linking twice is linking once.
  for (const part of parts) if (part !== undefined) part.linkTo(owner);
}

/** Up to here, looking through a list is quicker than making a set of it. */
export const FEW = 16;

export function membership(parts: PartList): (part: Cell) => boolean {
  if (parts.length <= FEW) return (part) => parts.includes(part);
  const set = new Set(parts);
  return (part) => set.has(part);
}
