import type { Cell } from './cell.ts';

/**
 * The cells that were built from one cell. Most have one, some a few, a shared record thousands: each form is the
 * smallest that stays fast at its size. A parent that uses a part twice has one edge.
 */
export type Parents = undefined | Cell | Cell[] | Set<Cell>;

const FEW = 8;

export function withParent(parents: Parents, parent: Cell): Parents {
  if (parents === undefined || parents === parent) return parent;
  if (parents instanceof Set) return parents.add(parent);
  if (!Array.isArray(parents)) return [parents, parent];
  if (parents.includes(parent)) return parents;
  if (parents.length === FEW) return new Set(parents).add(parent);
  parents.push(parent);
  return parents;
}

export function withoutParent(parents: Parents, parent: Cell): Parents {
  if (parents === parent) return undefined;
  if (parents instanceof Set) {
    parents.delete(parent);
    return parents.size === 0 ? undefined : parents;
  }
  if (!Array.isArray(parents)) return parents;
  const at = parents.indexOf(parent);
  if (at < 0) return parents;
  if (parents.length === 1) return undefined;
  parents[at] = parents[parents.length - 1] as Cell;
  parents.pop();
  return parents;
}

const NONE: readonly Cell[] = [];

export function parentsOf(parents: Parents): Iterable<Cell> {
  if (parents === undefined) return NONE;
  return parents instanceof Set || Array.isArray(parents) ? parents : [parents];
}
