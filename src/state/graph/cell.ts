import { type Parents, withoutParent, withParent } from './edges.ts';

export type Parts = readonly (Cell | undefined)[];

/** The parts of a cell that has none. */
export const NO_PARTS: Parts = [];

/** The value of a cell that could not be built. */
export class Failed {
  readonly error: unknown;

  constructor(error: unknown) {
    this.error = error;
  }
}

/**
 * A value that is built from the values of other cells. The graph knows how cells depend on each other and when a value must be rebuilt.
 * Each kind of cell builds its own value.
 *
 * While a cell is clean, all of its parts are clean too, so marking may stop at a cell that is not clean. A failed cell is not clean, so
 * that the next read builds it again. Marking passes through it once, so that its observers are notified of a change after which the build may
 * succeed.
 */
export abstract class Cell {
  /** The last built value: `undefined` while missing, `INVALID` if it is not valid, a `Failed` after an error. */
  value: unknown = undefined;
  /** Whether `value` is up to date with the source and the parts. */
  clean = false;
  /** A number that a walk assigns to the cell while it runs. 0 at all other times. */
  order = 0;
  parents: Parents<Cell> = undefined;
  /** All cells to which this one is linked since the last `prepare`. */
  parts: Parts = NO_PARTS;

  /** Whether the cell has observers. Most kinds of cell cannot have any. */
  get isObserved(): boolean {
    return false;
  }

  /** Calls the observers once, because the value may have changed. */
  notify(): void {}

  /** Updates the parts from the source. Returns the parts that must be clean before this cell can be. */
  prepare(): Parts {
    return NO_PARTS;
  }

  /** Returns whether the source, or the value of a part, differs from the last build. */
  isChanged(): boolean {
    return false;
  }

  /**
   * Begins a build. In a cycle the parts are not built yet: `value` becomes an object to which other members can already refer, or
   * `INVALID` or `undefined` if the source alone decides that.
   */
  open(_isInCycle: boolean): void {}

  /**
   * Puts the values of the parts in, or sets the value to `INVALID` if a required part is invalid. In a cycle it may run more than once.
   */
  fill(_isInCycle: boolean): void {}

  /** Ends a build, or a check that found no change. The value is now up to date. */
  seal(): void {}

  /**
   * Whether `fill` runs code that reads the values of the parts. Such a cell is filled again after all cells of a cycle have been filled.
   */
  get looksInside(): boolean {
    return false;
  }

  /** Returns parts that are known only after the parts of `prepare` are clean. Called if `looksInside`. */
  discover(): Parts {
    return NO_PARTS;
  }

  /** Ends a build that threw. Discards a partly built value. */
  fail(failed: Failed): void {
    this.value = failed;
    this.clean = false;
    this.order = 0;
  }

  /** Returns whether the value can stay the same although this part has changed, as in a cell that selects or counts. */
  mayStay(_part: Cell): boolean {
    return false;
  }

  /** Whether the cell is the content of its one parent, as lists and maps are, and is released with it. */
  get isInside(): boolean {
    return false;
  }

  /** The value that shows this cell without being built from it. `undefined` for most cells. */
  get shownBy(): unknown {
    return undefined;
  }

  /** The name of the table whose record the value is, for developer tools. */
  get kind(): string | undefined {
    return undefined;
  }

  /**
   * Marks the value as out of date. Returns true if it was up to date or failed until now, so that parents and observers must be marked
   * too.
   */
  markUnclean(): boolean {
    if (this.clean) {
      this.clean = false;
      return true;
    }
    if (!(this.value instanceof Failed)) return false;
    this.value = undefined;
    return true;
  }

  /** As `markUnclean`, called when a part has changed. */
  markUncleanBy(_part: Cell): boolean {
    return this.markUnclean();
  }

  /** Links the cell to these parts, and unlinks it from all others. */
  link(parts: Parts): void {
    const old = this.parts;
    this.parts = parts;
    if (old.length > 0) {
      const stays = membership(parts);
      for (const part of old) if (part !== undefined && !stays(part)) part.unlinkFrom(this);
    }
    // Linking a part twice has no further effect.
    for (const part of parts) part?.linkTo(this);
  }

  /** Called when another cell has replaced this part, or any: the parts must be found again. The cell is marked already. */
  noteReplaced(_part?: Cell): void {}

  /** Returns cells that are kept in memory as long as this one, although it is not linked to them. */
  keeps(): Iterable<Cell> {
    return NO_PARTS as readonly Cell[];
  }

  /** Unlinks the parts of a cell that is no longer read. The next read links them again. */
  release(): void {
    this.link(NO_PARTS);
    this.noteReplaced();
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

/** Up to this length, searching a list is faster than making a set of it. */
export const MAX_LENGTH_TO_SEARCH = 16;

/** Returns a function that tests whether something is in a list. */
export function membership<Member>(list: readonly Member[]): (member: Member) => boolean {
  if (list.length <= MAX_LENGTH_TO_SEARCH) return (member) => list.includes(member);
  const set = new Set(list);
  return (member) => set.has(member);
}
