import { INVALID } from '../../define/schema/row.ts';
import type { Cell } from './cell.ts';

/**
 * The value that observers know, for a marked cell that may still have this value: each path from the changed cell to it leads through a
 * cell for which `mayStay` returns true.
 */
export class PerhapsSame {
  readonly value: unknown;

  constructor(value: unknown) {
    this.value = value;
  }
}

/** Observed cells to notify, each with the value that its observers know, which may be a `PerhapsSame`. */
export type ToNotify = Map<Cell, unknown>;

/**
 * Marks a changed cell, and all cells that are built from it, as not clean. Adds the observed cells among them to `toNotify`. Marking stops
 * at cells that are marked already, except at the changed cell itself: a row that was never read as a value can still be a part of other
 * cells.
 */
export function mark(changed: Cell, toNotify: ToNotify): void {
  const { value } = changed;
  if (changed.markUnclean()) note(changed, value, false, toNotify);
  if (changed.parents !== undefined) new MarkWalk(toNotify, value !== INVALID).markAbove(changed);
}

/** Follows paths first on which every value certainly changes, so that a cell on such a path is noted as certain. */
class MarkWalk {
  readonly #toNotify: ToNotify;
  #isSure: boolean;
  #next: Cell | undefined;
  // Most cells have one parent, so these lists are rarely needed.
  #toVisit: Cell[] | undefined;
  #unsure: Cell[] | undefined;

  constructor(toNotify: ToNotify, isSure: boolean) {
    this.#toNotify = toNotify;
    this.#isSure = isSure;
  }

  markAbove(changed: Cell): void {
    for (let cell: Cell | undefined = changed; cell !== undefined; cell = this.#take()) {
      const { parents }: Cell = cell;
      if (Array.isArray(parents) || parents instanceof Set)
        for (const parent of parents) this.#markUncleanBy(cell, parent);
      else if (parents !== undefined) this.#markUncleanBy(cell, parents);
    }
  }

  #markUncleanBy(part: Cell, parent: Cell): void {
    const { value } = parent;
    if (!parent.markUncleanBy(part)) return;
    const isSure = this.#isSure && value !== INVALID && !parent.mayStay(part);
    note(parent, value, !isSure, this.#toNotify);
    if (isSure !== this.#isSure) (this.#unsure ??= []).push(parent);
    else if (this.#next === undefined) this.#next = parent;
    else (this.#toVisit ??= []).push(parent);
  }

  #take(): Cell | undefined {
    const cell = this.#next ?? this.#toVisit?.pop();
    this.#next = undefined;
    if (cell !== undefined || this.#unsure === undefined) return cell;
    this.#isSure = false;
    this.#toVisit = this.#unsure;
    this.#unsure = undefined;
    return this.#toVisit.pop();
  }
}

/** Keeps the first value. A value that was read in the middle of a batch was never reported to observers. */
function note(cell: Cell, value: unknown, mayStay: boolean, toNotify: ToNotify): void {
  if (!cell.isObserved || toNotify.has(cell)) return;
  toNotify.set(cell, mayStay ? new PerhapsSame(value) : value);
}

/** Calls every observer of the cells once. */
export function notify(cells: Iterable<Cell>): void {
  for (const cell of cells) cell.notify();
}
