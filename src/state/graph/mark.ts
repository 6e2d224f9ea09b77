import type { Cell } from './cell.ts';

/**
 * Marks a changed cell and everything built from it as not clean, and adds to `told` the observed cells among them.
 * Climbing stops where a cell is not clean already. The first step never stops: a cell that nobody reads as a value can
 * still be the row behind another.
 */
export function mark(changed: Cell, told: Cell[]): void {
  if (changed.clean) {
    changed.clean = false;
    if (changed.observers !== undefined) told.push(changed);
  }
  if (changed.parents !== undefined) climb(changed, told);
}

function climb(changed: Cell, told: Cell[]): void {
  const ahead: Cell[] = [changed];
  for (let cell = ahead.pop(); cell !== undefined; cell = ahead.pop()) {
    const parents = cell.parents;
    if (parents === undefined) continue;
    if (Array.isArray(parents) || parents instanceof Set) {
      for (const parent of parents) step(cell, parent, ahead, told);
    } else step(cell, parents, ahead, told);
  }
}

function step(part: Cell, parent: Cell, ahead: Cell[], told: Cell[]): void {
  if (!parent.spoil(part)) return;
  if (parent.observers !== undefined) told.push(parent);
  ahead.push(parent);
}

/** Calls every observer of the cells once. */
export function tell(cells: readonly Cell[]): void {
  for (const { observers } of cells) if (observers !== undefined) tellEach(observers, undefined);
}

/** One listener that throws does not keep the others from hearing. */
export function tellEach<T>(listeners: Iterable<(said: T) => void>, said: T): void {
  for (const listener of listeners) {
    try {
      listener(said);
    } catch (error) {
      queueMicrotask(() => {
        throw error;
      });
    }
  }
}
