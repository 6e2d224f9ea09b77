import { spliced } from '../../std/splice.ts';

/** The cells of a table that have a row, in order of arrival: the same list until one comes or goes. */
export class PresentCells<Cell extends object> {
  readonly #isThere: (cell: Cell) => boolean;
  #cells: readonly Cell[];
  /** What came and went since the list was asked for. */
  readonly #came = new Set<Cell>();
  readonly #went = new Set<Cell>();

  constructor(cells: Iterable<Cell>, isThere: (cell: Cell) => boolean) {
    this.#isThere = isThere;
    this.#cells = [...cells].filter(isThere);
  }

  get cells(): readonly Cell[] {
    const [came, went] = [[...this.#came], [...this.#went]];
    this.#came.clear();
    this.#went.clear();
    const old = this.#cells;
    if (went.length === 1) {
      const left = spliced(old, old.indexOf(went[0] as Cell), 1, []) as readonly Cell[];
      this.#cells = came.length === 0 ? left : left.concat(came);
    } else if (went.length > 0) this.#cells = [...old.filter(this.#isThere), ...came];
    else if (came.length > 0) this.#cells = spliced(old, old.length, 0, came) as readonly Cell[];
    return this.#cells;
  }

  /** A row came, behind all others, or went. False for one that comes back, and can have been anywhere among them. */
  note(cell: Cell, isThere: boolean): boolean {
    if (isThere && this.#went.has(cell)) return false;
    if (isThere) this.#came.add(cell);
    else if (!this.#came.delete(cell)) this.#went.add(cell);
    return true;
  }
}
