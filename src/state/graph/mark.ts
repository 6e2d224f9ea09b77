import type { Cell } from './cell.ts';
import { throwLater } from '../../std/thrown.ts';

/** Observed cells to notify, each with the value that its observers know. */
export type ToNotify = Map<Cell, unknown>;

/**
 * Marks a changed cell and everything built from it as not clean, and adds the observed cells among them to `toNotify`.
 * Climbing stops where a cell is not settled already. The first step never stops: a cell that is never read as a value can
 * still be the row behind another.
 */
export function mark(changed: Cell, toNotify: ToNotify): void {
  const before = changed.value;
  if (changed.unsettle()) note(changed, before, toNotify);
  if (changed.parents !== undefined) climb(changed, toNotify);
}

function climb(changed: Cell, toNotify: ToNotify): void {
  // Most cells have one parent, and nothing is to be kept for later.
  let ahead: Cell[] | undefined;
  let cell: Cell | undefined = changed;
  while (cell !== undefined) {
    const { parents }: Cell = cell;
    let next: Cell | undefined;
    if (Array.isArray(parents) || parents instanceof Set) {
      for (const parent of parents) if (spoil(cell, parent, toNotify)) (ahead ??= []).push(parent);
    } else if (parents !== undefined && spoil(cell, parents, toNotify)) next = parents;
    cell = next ?? ahead?.pop();
  }
}

function spoil(part: Cell, parent: Cell, toNotify: ToNotify): boolean {
  const before = parent.value;
  if (!parent.spoil(part)) return false;
  note(parent, before, toNotify);
  return true;
}

/** The first value counts: one that was read in the middle of a batch was never told to the observers. */
function note(cell: Cell, before: unknown, toNotify: ToNotify): void {
  if (cell.observers !== undefined && !toNotify.has(cell)) toNotify.set(cell, before);
}

/** Calls every observer of the cells once. */
export function notify(cells: Iterable<Cell>): void {
  for (const { observers } of cells) if (observers !== undefined) notifyEach(observers, undefined);
}

/**
 * Calls each listener that was there at the beginning and still is. A listener that throws does not keep the others from
 * being called; its error goes to the window.
 */
export function notifyEach<T>(listeners: ReadonlySet<(said: T) => void>, said: T): void {
  for (const listener of [...listeners]) {
    if (!listeners.has(listener)) continue;
    try {
      listener(said);
    } catch (error) {
      throwLater(error);
    }
  }
}
