import { INVALID } from '../../define/schema/schema.ts';
import type { Cell } from './cell.ts';
import { throwLater } from '../../std/thrown.ts';

/** What the observers of a cell that was marked know of it. */
export interface MarkedValue {
  readonly value: unknown;
  /** Whether the cell can have that value still: every way to it from what has changed leads through one that may stay. */
  readonly mayStay: boolean;
}

/** Observed cells to notify. */
export type ToNotify = Map<Cell, MarkedValue>;

/**
 * Marks a changed cell and everything built from it as not clean, and adds the observed cells among them to `toNotify`.
 * Climbing stops where a cell is not settled already. The first step never stops: a cell that is never read as a value can
 * still be the row behind another.
 */
export function mark(changed: Cell, toNotify: ToNotify): void {
  const { value } = changed;
  if (changed.unsettle()) note(changed, value, false, toNotify);
  if (changed.parents !== undefined) new Climb(toNotify, value !== INVALID).from(changed);
}

/** First along the ways on which every value surely is another, so that what lies on one of them is known for that. */
class Climb {
  readonly #toNotify: ToNotify;
  #isSure: boolean;
  #next: Cell | undefined;
  // Most cells have one parent, and nothing is to be kept for later.
  #ahead: Cell[] | undefined;
  #unsure: Cell[] | undefined;

  constructor(toNotify: ToNotify, isSure: boolean) {
    this.#toNotify = toNotify;
    this.#isSure = isSure;
  }

  from(changed: Cell): void {
    for (let cell: Cell | undefined = changed; cell !== undefined; cell = this.#take()) {
      const { parents }: Cell = cell;
      if (Array.isArray(parents) || parents instanceof Set) for (const parent of parents) this.#spoil(cell, parent);
      else if (parents !== undefined) this.#spoil(cell, parents);
    }
  }

  #spoil(part: Cell, parent: Cell): void {
    const { value } = parent;
    if (!parent.spoil(part)) return;
    const isSure = this.#isSure && value !== INVALID && !parent.mayStay(part);
    note(parent, value, !isSure, this.#toNotify);
    if (isSure !== this.#isSure) (this.#unsure ??= []).push(parent);
    else if (this.#next === undefined) this.#next = parent;
    else (this.#ahead ??= []).push(parent);
  }

  #take(): Cell | undefined {
    const cell = this.#next ?? this.#ahead?.pop();
    this.#next = undefined;
    if (cell !== undefined || this.#unsure === undefined) return cell;
    this.#isSure = false;
    this.#ahead = this.#unsure;
    this.#unsure = undefined;
    return this.#ahead.pop();
  }
}

/** The first value counts: one that was read in the middle of a batch was never told to the observers. */
function note(cell: Cell, value: unknown, mayStay: boolean, toNotify: ToNotify): void {
  if (cell.observers !== undefined && !toNotify.has(cell)) toNotify.set(cell, { value, mayStay });
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
