import { INVALID } from '../../define/schema/row.ts';
import { warn } from '../../std/warn.ts';
import { type Cell, Failed, NO_PARTS, type Parts } from './cell.ts';

/** Thrown to restart a walk: a member of a cycle has found a part that was not known when the walk began. */
export const FOUND_LATE: unique symbol = Symbol('FOUND_LATE');

/** A cell on the path from the root to the current cell. */
interface PathStep {
  readonly cell: Cell;
  parts: Parts;
  /** How many of the parts were visited. */
  seen: number;
  /** The lowest order of any cell that was reached from here. */
  lowest: number;
  /** The step before. */
  readonly from: PathStep | undefined;
  /** The step of the open cell that was entered before. */
  readonly below: PathStep | undefined;
}

/** The cells whose component is not complete yet: each is on the path to the current cell, or in a cycle with a cell that is. */
interface OpenCells {
  last: PathStep | undefined;
}

/**
 * Makes a cell clean. Rebuilds only the cells below it that are not clean, and keeps the old value of a cell if nothing that it is built
 * from has changed. If a build throws, rethrows the error, and every cell that is built from the failed one fails too.
 *
 * Cells that depend on each other in a cycle are rebuilt together or not at all, so the unit of work is the strongly connected component
 * (Tarjan's algorithm, with a stack of its own, so that deep data does not overflow the call stack). Every component that a component
 * depends on is settled first, so its outside parts are final when it is checked.
 */
export function resolve(root: Cell): unknown {
  if (root.clean) return root.value;
  const open: OpenCells = { last: undefined };
  for (;;) {
    try {
      walk(root, open);
      return root.value;
    } catch (error) {
      const failed = new Failed(error);
      for (let step = open.last; step !== undefined; step = step.below)
        if (error === FOUND_LATE) step.cell.order = 0;
        else step.cell.fail(failed);
      open.last = undefined;
      if (error !== FOUND_LATE) throw error;
    }
  }
}

function walk(root: Cell, open: OpenCells): void {
  let entered: Cell | undefined = root;
  let step: PathStep | undefined;
  let count = 0;
  do {
    if (entered !== undefined) {
      step = { cell: entered, parts: NO_PARTS, seen: 0, lowest: ++count, from: step, below: open.last };
      open.last = step;
      step.parts = entered.prepare();
      entered.order = count;
    }
    // There is a step, because a walk ends with the last one.
    const last = step as PathStep;
    entered = nextPart(last);
    if (entered === undefined) step = leave(last, open);
  } while (step !== undefined);
}

/** Returns the next part that is neither clean nor open. */
function nextPart(step: PathStep): Cell | undefined {
  const { parts } = step;
  while (step.seen < parts.length) {
    const part = parts[step.seen++];
    if (part === undefined || part.clean) continue;
    if (part.order === 0) return part;
    if (part.order < step.lowest) step.lowest = part.order;
  }
  return undefined;
}

/** Leaves a cell whose parts were visited. Returns the step to continue with. */
function leave(step: PathStep, open: OpenCells): PathStep | undefined {
  const { cell, parts, lowest, from } = step;
  const found = cell.looksInside ? cell.discover() : NO_PARTS;
  if (found.length > 0) {
    step.parts = [...parts, ...found];
    return step;
  }
  if (lowest < cell.order) {
    // Only the root has no step before it, and nothing has a lower order.
    (from as PathStep).lowest = Math.min((from as PathStep).lowest, lowest);
    return from;
  }
  // The cells stay open until they are settled, so that `resolve` finds them if that throws.
  if (step === open.last && !parts.includes(cell)) settleOne(cell);
  else settleCycle(cellsUntil(step, open));
  open.last = step.below;
  return from;
}

/** Returns the open cells that were entered since a step, the last one first. */
function cellsUntil({ below }: PathStep, { last }: OpenCells): readonly Cell[] {
  const cells: Cell[] = [];
  for (let step = last; step !== below && step !== undefined; step = step.below) cells.push(step.cell);
  return cells;
}

function settleOne(cell: Cell): void {
  // A cell without a value has nothing to compare.
  if (cell.value === undefined || isChanged(cell)) {
    // This build decides again whether the value is invalid.
    if (cell.value === INVALID) cell.value = undefined;
    cell.open(false);
    if (cell.value !== INVALID) cell.fill(false);
  }
  cell.seal();
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
    if (component.some(isChanged) || isInvalidByItself(component)) fillCycle(component);
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

/** Returns whether members of a cycle are invalid only because of each other, as after the record that made them invalid has come back. */
function isInvalidByItself(component: readonly Cell[]): boolean {
  let rest = component.filter(({ value }) => value === INVALID);
  for (const cell of rest) cell.value = undefined;
  for (let count = -1; count !== rest.length;) {
    count = rest.length;
    rest = rest.filter((cell) => {
      cell.value = INVALID;
      if (cell.isChanged()) cell.value = undefined;
      return cell.value !== INVALID;
    });
  }
  for (const cell of rest) cell.value = INVALID;
  return rest.length > 0;
}

const LARGE = 1000;
const warnedOf = {};

function warnOfCircle(component: readonly Cell[]): void {
  warn(warnedOf, 'circle-large', () => {
    const kinds = [...new Set(component.map(({ kind }) => kind))].filter((kind) => kind !== undefined).sort();
    return `More than ${LARGE} records refer to each other in a circle, so each change rebuilds all of them: ${kinds.join(', ')}. Read one direction as a query: static posts = hasMany(() => Post, 'author').`;
  });
}

/** If code reads the members of a cycle, they are filled again until two passes have the same results, but not more often than this. */
const MAX_PASSES = 10;

function fillCycle(component: readonly Cell[]): void {
  for (const cell of component) cell.open(true);
  let trials = component.some((cell) => cell.looksInside) ? MAX_PASSES : 0;
  while (trials > 0 && (fillOnce(component, true) || trials === MAX_PASSES)) trials--;
  if (trials === 0) while (fillOnce(component, false));
}

/**
 * Returns true if members that were filled before may depend on a member that became invalid, or in a trial, that changed or failed: code can
 * fail as long as not all members are filled.
 */
function fillOnce(component: readonly Cell[], isTrial: boolean): boolean {
  let isAgain = false;
  for (const cell of component) {
    const { value } = cell;
    if (value === INVALID) continue;
    try {
      cell.fill(true);
      if (cell.value === INVALID || (isTrial && cell.value !== value)) isAgain = true;
    } catch (error) {
      if (!isTrial || error === FOUND_LATE) throw error;
      isAgain = true;
    }
  }
  return isAgain;
}
