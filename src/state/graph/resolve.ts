import { INVALID } from '../../define/schema/schema.ts';
import { type Cell, Failed, NO_PARTS, type Parts } from './cell.ts';

/** Thrown to begin a walk anew: a member of a circle has found a part that was not known when the walk began. */
export const FOUND_LATE: unique symbol = Symbol('FOUND_LATE');

/**
 * Makes a cell clean: rebuilds what is not clean below it, and only that, and keeps the old value wherever nothing that
 * it is made of has changed. Throws what a build below it throws; every cell that is made of it has failed then.
 *
 * Cells that depend on each other in a circle change together or not at all, so the unit of work is the strongly
 * connected component (Tarjan's algorithm, on a stack of its own: the depth of the data is not the depth of the calls).
 * A component is settled after everything it depends on, so its outside parts are final when it is judged.
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

/** Most reads after a write find one record changed that has no parts of its own; they need no walk. */
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

class Resolution {
  /** The one cell that was prepared before the walk, and its parts. */
  readonly #prepared: Cell;
  readonly #inner: Parts | undefined;
  /** The way from the root to the cell at hand: cells, their parts, how many of those were seen, the lowest order met. */
  readonly #way: Cell[] = [];
  readonly #parts: Parts[] = [];
  readonly #seen: number[] = [];
  readonly #lowest: number[] = [];
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
      while (this.#way.length > 0) this.#advance();
    } catch (error) {
      // Each of them is on the way to the cell that failed, or in a circle with one that is.
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
    this.#way.push(cell);
    this.#parts.push(parts);
    this.#seen.push(0);
    this.#lowest.push(cell.order);
  }

  /** Goes on with the cell at the end of the way: enters one of its parts, or leaves it where all are seen. */
  #advance(): void {
    const at = this.#way.length - 1;
    const parts = this.#parts[at] as Parts;
    let seen = this.#seen[at] as number;
    let lowest = this.#lowest[at] as number;
    while (seen < parts.length) {
      const part = parts[seen++];
      if (part === undefined || part.clean) continue;
      if (part.order > 0) {
        if (part.order < lowest) lowest = part.order;
        continue;
      }
      this.#seen[at] = seen;
      this.#lowest[at] = lowest;
      this.#enter(part, (part === this.#prepared ? this.#inner : undefined) ?? partsOf(part));
      if (this.#way.length - 1 > at) return;
    }
    const cell = this.#way[at] as Cell;
    const found = cell.looksInside ? cell.discover() : NO_PARTS;
    if (found.length === 0) return this.#leave(lowest);
    this.#parts[at] = [...parts, ...found];
    this.#seen[at] = seen;
    this.#lowest[at] = lowest;
  }

  #leave(lowest: number): void {
    const cell = this.#way.pop() as Cell;
    const parts = this.#parts.pop() as Parts;
    this.#seen.pop();
    this.#lowest.pop();
    const above = this.#way.length - 1;
    if (lowest < cell.order) {
      this.#lowest[above] = Math.min(this.#lowest[above] as number, lowest);
      return;
    }
    const first = this.#open.lastIndexOf(cell);
    if (first === this.#open.length - 1 && !parts.includes(cell)) settleOne(cell);
    else settleCycle(this.#open.slice(first).reverse());
    // Only now: what fails to settle must be found among the open ones.
    this.#open.length = first;
  }
}

function settleOne(cell: Cell): void {
  try {
    if (isChanged(cell)) {
      // Whether it still is invalid is for this build to say.
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

/** What failed has no value that could be kept. */
function isChanged(cell: Cell): boolean {
  if (!(cell.value instanceof Failed)) return cell.isChanged();
  cell.value = undefined;
  return true;
}

/** `component` is in the order in which parts come before what is made of them, as far as a circle has one. */
function settleCycle(component: readonly Cell[]): void {
  try {
    if (component.some(isChanged)) fillCycle(component);
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

function fillCycle(component: readonly Cell[]): void {
  for (const cell of component) cell.open(true);
  let passes = component.some((cell) => cell.looksInside) ? 2 : 1;
  while (passes > 0) passes = fillOnce(component) ? Math.max(passes, 1) : passes - 1;
}

/** True if a member turned out invalid, which may break others that were filled before. */
function fillOnce(component: readonly Cell[]): boolean {
  let broke = false;
  for (const cell of component) {
    if (cell.value === INVALID) continue;
    cell.fill(true);
    broke ||= cell.value === INVALID;
  }
  return broke;
}
