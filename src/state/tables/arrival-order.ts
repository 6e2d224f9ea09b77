/** A cell with its place in the order in which rows arrived. */
export interface Arrived {
  /** A row that arrived later has a higher one, except for a created record, which has the place of its guess. */
  readonly arrival: number;
}

interface ArrivedCell extends Arrived {
  readonly pk: string;
  arrival: number;
}

export function byArrival(one: Arrived, other: Arrived): number {
  return one.arrival - other.arrival;
}

/** The places of the cells of a table in the order in which their rows arrived. */
export class ArrivalOrder<Cell extends ArrivedCell> {
  readonly #cells: Map<string, Cell>;
  /** Whether the map has the cells in order. */
  #isSorted = true;
  /** The highest place of a cell, and the place of the row that arrived last. */
  #highest = 0;
  #latest = 0;

  constructor(cells: Map<string, Cell>) {
    this.#cells = cells;
  }

  /** All cells by pk, in order. */
  get cells(): ReadonlyMap<string, Cell> {
    if (!this.#isSorted) {
      const sorted = Array.from(this.#cells.values()).sort(byArrival);
      this.#cells.clear();
      for (const cell of sorted) this.#cells.set(cell.pk, cell);
      this.#isSorted = true;
    }
    return this.#cells;
  }

  /** Adds a cell as the last one. */
  add(cell: Cell): void {
    cell.arrival = ++this.#highest;
    this.#cells.set(cell.pk, cell);
  }

  #putLast(cell: Cell): void {
    this.#cells.delete(cell.pk);
    this.add(cell);
  }

  /** Moves a cell that is older than its row to the end, because the order of arrival counts. */
  noteArrival(cell: Cell): void {
    if (cell.arrival < this.#latest) this.#putLast(cell);
    this.#latest = cell.arrival;
  }

  /** Puts cells in the order in which they are given. */
  arrange(cells: Iterable<Cell>): void {
    let latest = 0;
    for (const cell of cells) {
      if (cell.arrival < latest) this.#putLast(cell);
      latest = cell.arrival;
    }
  }

  /** Moves a cell to the place `arrival`. */
  place(cell: Cell, arrival: number): void {
    cell.arrival = arrival;
    this.#isSorted = false;
  }

  /** Moves a cell to the place behind another cell. */
  placeAfter(cell: Cell, { arrival }: Arrived): void {
    this.place(cell, (arrival + Math.floor(arrival) + 1) / 2);
  }

  /** Returns a function that restores the present order of the present cells. */
  restorer(): () => void {
    const places = Array.from(this.cells.values(), (cell) => [cell, cell.arrival] as const);
    const latest = this.#latest;
    return () => {
      for (const [cell, arrival] of places) {
        this.#cells.set(cell.pk, cell);
        this.place(cell, arrival);
      }
      this.#latest = latest;
    };
  }
}
