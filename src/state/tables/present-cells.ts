import { spliced } from '../../std/splice.ts';

/** The cells of a table that have a row, in the order in which the rows arrived. The same list until a row is added or removed. */
export class PresentCells<Cell extends object> {
  readonly #isThere: (cell: Cell) => boolean;
  #cells: readonly Cell[];
  /** Cells added and removed since the list was last read. */
  readonly #added = new Set<Cell>();
  readonly #removed = new Set<Cell>();

  constructor(cells: Iterable<Cell>, isThere: (cell: Cell) => boolean) {
    this.#isThere = isThere;
    this.#cells = [...cells].filter(isThere);
  }

  get cells(): readonly Cell[] {
    const [came, went] = [[...this.#added], [...this.#removed]];
    this.#added.clear();
    this.#removed.clear();
    const old = this.#cells;
    if (went.length === 1) {
      const left = spliced(old, old.indexOf(went[0] as Cell), 1, []) as readonly Cell[];
      this.#cells = came.length === 0 ? left : left.concat(came);
    } else if (went.length > 0) this.#cells = [...old.filter(this.#isThere), ...came];
    else if (came.length > 0) this.#cells = spliced(old, old.length, 0, came) as readonly Cell[];
    return this.#cells;
  }

  /** Notes that a row was added at the end, or removed. Returns false for a row that was restored, because its place is not known. */
  note(cell: Cell, isThere: boolean): boolean {
    if (isThere && this.#removed.has(cell)) return false;
    if (isThere) this.#added.add(cell);
    else if (!this.#added.delete(cell)) this.#removed.add(cell);
    return true;
  }
}
