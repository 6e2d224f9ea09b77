import { INVALID } from '../../define/schema/schema.ts';
import { warn } from '../../std/warn.ts';
import { type Cell, Failed, NO_PARTS, type Parts } from './cell.ts';

/** Thrown to restart a walk: a member of a cycle has found a part that was not known when the walk began. */
export const FOUND_LATE: unique symbol = Symbol('FOUND_LATE');

/**
 * Makes a cell clean. Rebuilds only the cells below it that are not clean, and keeps the old value of a cell if nothing that it is built
 * from has changed. If a build throws, rethrows the error, and every cell that is built from the failed one fails too.
 *
 * Cells that depend on each other in a cycle are rebuilt together or not at all, so the unit of work is the strongly connected component
 * (Tarjan's algorithm, with a stack of its own, so that deep data does not overflow the call stack). Every component that a component
 * depends on is settled first, so its outside parts are final when it is judged.
 */
export function resolve(root: Cell): unknown {
  if (!root.clean) settle(root);
  return root.value;
}

function settle(root: Cell): void {
  for (;;) {
    try {
      return walk(root);
    } catch (error) {
      if (error === FOUND_LATE) continue;
      root.fail(new Failed(error));
      throw error;
    }
  }
}

/** After a write, most reads find one changed record without parts of its own. They need no full walk. */
function walk(root: Cell): void {
  const parts = root.prepare();
  for (const part of parts) {
    if (part === undefined || part.clean) continue;
    const inner = part === root || part.order > 0 ? undefined : partsOf(part);
    if (inner?.length !== 0 || part.looksInside) return new Resolution(part, inner).run(root, parts);
    settleOne(part);
  }
  if (root.looksInside) new Resolution(root, undefined).run(root, parts);
  else settleOne(root);
}

function partsOf(cell: Cell): Parts {
  try {
    return cell.prepare();
  } catch (error) {
    cell.fail(new Failed(error));
    throw error;
  }
}

/** A cell on the path from the root to the current cell. */
interface PathStep {
  readonly cell: Cell;
  parts: Parts;
  /** How many of the parts were visited. */
  seen: number;
  /** The lowest order that was met from here. */
  lowest: number;
  /** The step before. */
  readonly from: PathStep | undefined;
}

class Resolution {
  /** The one cell that was prepared before the walk, and its parts. */
  readonly #prepared: Cell;
  readonly #inner: Parts | undefined;
  #last: PathStep | undefined = undefined;
  /** Cells whose component is not complete yet. */
  readonly #open: Cell[] = [];
  #next = 1;

  constructor(prepared: Cell, inner: Parts | undefined) {
    this.#prepared = prepared;
    this.#inner = inner;
  }

  run(root: Cell, parts: Parts): void {
    try {
      this.#enter(root, parts);
      while (this.#last !== undefined) this.#advance(this.#last);
    } catch (error) {
      // Each open cell is on the path to the failed cell, or in a cycle with a cell that is.
      const failed = new Failed(error);
      for (const cell of this.#open)
        if (error === FOUND_LATE) cell.order = 0;
        else cell.fail(failed);
      throw error;
    }
  }

  #enter(cell: Cell, parts: Parts): void {
    if (parts.length === 0 && !cell.looksInside) {
      settleOne(cell);
      return;
    }
    cell.order = this.#next++;
    this.#open.push(cell);
    this.#last = { cell, parts, seen: 0, lowest: cell.order, from: this.#last };
  }

  /** Continues with the last step: enters its next part, or leaves the cell if all parts were visited. */
  #advance(step: PathStep): void {
    const { cell, parts } = step;
    while (step.seen < parts.length) {
      const part = parts[step.seen++];
      if (part === undefined || part.clean) continue;
      if (part.order > 0) {
        if (part.order < step.lowest) step.lowest = part.order;
        continue;
      }
      this.#enter(part, (part === this.#prepared ? this.#inner : undefined) ?? partsOf(part));
      if (this.#last !== step) return;
    }
    const found = cell.looksInside ? cell.discover() : NO_PARTS;
    if (found.length === 0) this.#leave(step);
    else step.parts = [...parts, ...found];
  }

  #leave({ cell, parts, lowest, from }: PathStep): void {
    this.#last = from;
    if (lowest < cell.order) {
      // Only the root has no step before it, and nothing has a lower order.
      (from as PathStep).lowest = Math.min((from as PathStep).lowest, lowest);
      return;
    }
    // The cells stay open until they are settled, so that `run` finds them if that throws.
    if (cell === this.#open.at(-1) && !parts.includes(cell)) {
      settleOne(cell);
      this.#open.pop();
      return;
    }
    const first = this.#open.lastIndexOf(cell);
    settleCycle(this.#open.slice(first).reverse());
    this.#open.length = first;
  }
}

function settleOne(cell: Cell): void {
  try {
    if (isChanged(cell)) {
      // This build decides again whether the value is invalid.
      if (cell.value === INVALID) cell.value = undefined;
      cell.open(false);
      if (cell.value !== INVALID) cell.fill(false);
    }
    cell.seal();
  } catch (error) {
    cell.fail(new Failed(error));
    throw error;
  }
  cell.clean = true;
  cell.order = 0;
}

/** Returns whether a cell must be rebuilt. A failed cell must, because it has no value to keep. */
function isChanged(cell: Cell): boolean {
  if (!(cell.value instanceof Failed)) return cell.isChanged();
  cell.value = undefined;
  return true;
}

/** `component` is sorted so that parts come before the cells built from them, as far as the cycle allows. */
function settleCycle(component: readonly Cell[]): void {
  try {
    if (component.some(isChanged)) fillCycle(component);
    if (component.length > LARGE) warnOfCircle(component);
    for (const cell of component) cell.seal();
  } catch (error) {
    const failed = new Failed(error);
    for (const cell of component) cell.fail(failed);
    throw error;
  }
  for (const cell of component) {
    cell.clean = true;
    cell.order = 0;
  }
}

const LARGE = 1000;
const warnedOf = {};

function warnOfCircle(component: readonly Cell[]): void {
  warn(warnedOf, 'circle-large', () => {
    const kinds = [...new Set(component.map(({ kind }) => kind))].filter((kind) => kind !== undefined).sort();
    return `More than ${LARGE} records refer to each other in a circle, so each change rebuilds all of them: ${kinds.join(', ')}. Read one direction as a query: static posts = hasMany(() => Post, 'author').`;
  });
}

function fillCycle(component: readonly Cell[]): void {
  for (const cell of component) cell.open(true);
  let passes = component.some((cell) => cell.looksInside) ? 2 : 1;
  while (passes > 0) passes = fillOnce(component) ? Math.max(passes, 1) : passes - 1;
}

/** Returns true if a member became invalid. Members that were filled before may depend on it. */
function fillOnce(component: readonly Cell[]): boolean {
  let broke = false;
  for (const cell of component) {
    if (cell.value === INVALID) continue;
    cell.fill(true);
    broke ||= cell.value === INVALID;
  }
  return broke;
}
