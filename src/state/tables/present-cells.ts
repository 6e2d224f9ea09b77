import { spliced, splicedBy } from '../../std/splice.ts';
import { byArrival, type Arrived } from './arrival-order.ts';

/** The cells of a table that have a row, in the order in which the rows arrived. The same list until a row is added or removed. */
export class PresentCells<Cell extends Arrived> {
  readonly #isThere: (cell: Cell) => boolean;
  #cells: readonly Cell[];
  /** Cells added and removed since the list was last read. */
  readonly #added = new Set<Cell>();
  readonly #removed = new Set<Cell>();

  /** `cells`: in their order. */
  constructor(cells: Iterable<Cell>, isThere: (cell: Cell) => boolean) {
    this.#isThere = isThere;
    this.#cells = [...cells].filter(isThere);
  }

  get cells(): readonly Cell[] {
    const [came, went] = [[...this.#added].sort(byArrival), [...this.#removed]];
    this.#added.clear();
    this.#removed.clear();
    if (came.length + went.length > 0) this.#cells = this.#withChanges(came, went);
    return this.#cells;
  }

  #withChanges(came: readonly Cell[], went: readonly Cell[]): readonly Cell[] {
    const old = this.#cells;
    const at = indexBetween(old, came);
    if (went.length > 1 || at === undefined) {
      const left = old.filter(this.#isThere);
      return came.length === 0 ? left : left.concat(came).sort(byArrival);
    }
    const [lost] = went;
    if (lost === undefined) return spliced(old, at, 0, came) as readonly Cell[];
    const gone = old.indexOf(lost);
    if (came.length === 0) return spliced(old, gone, 1, []) as readonly Cell[];
    const added = { at: at > gone ? at - 1 : at, removed: 0, added: came.length };
    return splicedBy(old, [{ at: gone, removed: 1, added: 0 }, added], came) as readonly Cell[];
  }

  /** Notes that a row was added, or removed. Returns false for a row that was restored, because its place is not known. */
  note(cell: Cell, isThere: boolean): boolean {
    if (isThere && this.#removed.has(cell)) return false;
    if (isThere) this.#added.add(cell);
    else if (!this.#added.delete(cell)) this.#removed.add(cell);
    return true;
  }
}

/** Returns the index at which cells belong in a list. `undefined` if some of its members belong between them. Both are in order. */
function indexBetween(list: readonly Arrived[], came: readonly Arrived[]): number | undefined {
  const [first = LAST] = came;
  const last = came.at(-1) ?? LAST;
  let at = list.length;
  // Most rows arrive last.
  while (at > 0 && (list[at - 1] as Arrived).arrival > first.arrival) at--;
  return (list[at] ?? LAST).arrival < last.arrival ? undefined : at;
}

const LAST: Arrived = { arrival: Number.POSITIVE_INFINITY };
