import { type Parents, withoutParent, withParent } from './edges.ts';

export type Parts = readonly (Cell | undefined)[];

/** What a cell without parts gives. */
export const NO_PARTS: Parts = [];

/** What a cell holds whose value could not be built. */
export class Failed {
  readonly error: unknown;

  constructor(error: unknown) {
    this.error = error;
  }
}

/**
 * A place whose value is made of other cells' values. The graph knows how cells depend on each other and when a value
 * must be made again; what a value is, each kind of cell says itself.
 *
 * While a cell is clean, every part of it is clean too. So a mark that climbs may stop where a cell is not clean. A cell
 * that failed is not clean, so that the next read builds it again; but it is settled: a mark passes through it once, so that
 * observers hear of a change that may let it succeed.
 */
export abstract class Cell {
  /** What was built last: `undefined` while missing, `INVALID` while there is no valid one, a `Failed` after an error. */
  value: unknown = undefined;
  /** Whether `value` is what the source and the parts now lead to. */
  clean = false;
  /** A number that a walk lends the cell while it is under way; 0 in between. */
  order = 0;
  parents: Parents<Cell> = undefined;
  /** Every cell that this one is linked to, as of the last `prepare`. */
  parts: Parts = NO_PARTS;

  /** The observers, which are notified when the value may have changed. Most kinds of cell cannot be observed. */
  get observers(): ReadonlySet<() => void> | undefined {
    return undefined;
  }

  /** Brings the parts in line with the source. Returns those that must be clean before this cell can be. */
  prepare(): Parts {
    return NO_PARTS;
  }

  /** Whether the source, or the value of a part, is another than at the last build. */
  isChanged(): boolean {
    return false;
  }

  /**
   * Begins a build. In a cycle the parts are not there yet: `value` becomes what other members may already refer to,
   * or `INVALID` or `undefined` where the source alone decides so.
   */
  open(_inCycle: boolean): void {}

  /**
   * Puts the parts' values in, or makes the value `INVALID` where it cannot do without one of them. In a cycle it may run
   * more than once.
   */
  fill(_inCycle: boolean): void {}

  /** The value, built anew or kept, is what the source and the parts now lead to. */
  seal(): void {}

  /** Whether `fill` runs code that looks into the parts' values; such a cell is filled again once a cycle is whole. */
  get looksInside(): boolean {
    return false;
  }

  /** The parts that show only now that those of `prepare` are clean. Asked where `looksInside`. */
  discover(): Parts {
    return NO_PARTS;
  }

  /** The build threw: whatever is half made is thrown away. */
  fail(failed: Failed): void {
    this.value = failed;
    this.clean = false;
    this.order = 0;
  }

  /** Whether its value can be the same as before although that of this part is another: what chooses, or counts, does so. */
  mayStay(_part: Cell): boolean {
    return false;
  }

  /** Whether it is the inside of its one parent, as lists and maps are, and goes with it. */
  get isInside(): boolean {
    return false;
  }

  /** Of what a value shows without being made of it: that value. */
  get shownBy(): unknown {
    return undefined;
  }

  /** Takes the value as out of date. True if it was settled until now, so that parents and observers must hear of it. */
  unsettle(): boolean {
    if (this.clean) {
      this.clean = false;
      return true;
    }
    if (!(this.value instanceof Failed)) return false;
    this.value = undefined;
    return true;
  }

  /** A part has changed; otherwise as `unsettle`. */
  spoil(_part: Cell): boolean {
    return this.unsettle();
  }

  /** Links the cell to these parts, and to no others. */
  link(parts: Parts): void {
    const old = this.parts;
    this.parts = parts;
    if (old.length > 0) {
      const stays = membership(parts);
      for (const part of old) if (part !== undefined && !stays(part)) part.unlinkFrom(this);
    }
    // Linking twice is linking once.
    for (const part of parts) part?.linkTo(this);
  }

  /** A part gave its place to another cell: the parts must be found again. The cell has been marked already. */
  replaced(): void {}

  /** Unlinks the parts, as this cell is not read any more. Reading it again links it again. */
  release(): void {
    this.link(NO_PARTS);
    this.replaced();
    this.clean = false;
  }

  linkTo(parent: Cell): void {
    this.parents = withParent(this.parents, parent);
  }

  unlinkFrom(parent: Cell): void {
    this.parents = withoutParent(this.parents, parent);
    if (this.isInside) this.release();
  }
}

/** Up to here, looking through a list is quicker than making a set of it. */
export const FEW = 16;

/** Whether a cell is among these. */
function membership(parts: Parts): (part: Cell) => boolean {
  if (parts.length <= FEW) return (part) => parts.includes(part);
  const set = new Set(parts);
  return (part) => set.has(part);
}
