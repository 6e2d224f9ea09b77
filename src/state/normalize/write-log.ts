import type { Invalid, Row, Stamp } from '../../define/schema/schema.ts';
import { equalPlain } from '../../std/plain.ts';
import type { Relation } from '../tables/relations.ts';
import type { RowCell, Table } from '../tables/table.ts';

/** A confirmed row that readers do not see while an optimistic layer lies on it. */
export interface Covered {
  row: Row | Invalid | undefined;
  stamp: Stamp | undefined;
}

export type Covers = Map<RowCell, Covered>;

const NONE: Covers = new Map();

type Kept = Row | Invalid | undefined;

/**
 * The cells that a write touches, each once, with what was there before, so that the write can be undone whole. Rows are
 * put into place at once; readers learn of them when the write is done, and no read happens in between.
 *
 * While the log is open, `order` of a touched cell is its place in the log, counted from 1.
 */
export class WriteLog {
  #cells: RowCell[] = [];
  /** What was in the cells, up to the last that was not empty: a response of nothing but new records leaves this empty. */
  #rows: Kept[] = [];
  #stamps: (Stamp | undefined)[] = [];
  readonly #covered: ReadonlyMap<RowCell, Covered>;
  /** The rows of tables that had no cells before, by table, in order of arrival. They are not among `cells`. */
  fresh: Map<Table, RowCell[]> | undefined = undefined;
  /** Relations whose fields had records in them for the first time, with their tables. */
  nested: Map<Relation, string> | undefined = undefined;

  /** Lists that came whole, and not only some of their members. */
  arrived: Set<RowCell> | undefined = undefined;

  /** What an answer says of records besides what is written of it: the server may have that instead. `undefined`: that it is deleted. */
  withheld: Map<RowCell, object | undefined> | undefined = undefined;

  constructor(covered: ReadonlyMap<RowCell, Covered> = NONE) {
    this.#covered = covered;
  }

  get cells(): readonly RowCell[] {
    return this.#cells;
  }

  /** A field of this table has records in it. */
  nest(relation: Relation, table: string): void {
    this.nested ??= new Map();
    this.nested.set(relation, table);
  }

  /** A list came whole. */
  arrive(cell: RowCell): void {
    this.arrived ??= new Set();
    this.arrived.add(cell);
  }

  /** An answer says something of a record that is not written. */
  withhold(cell: RowCell, fields: object | undefined): void {
    this.withheld ??= new Map();
    this.withheld.set(cell, fields);
  }

  /** What is confirmed of a cell, whatever guesses show. */
  confirmed(cell: RowCell): Covered {
    return this.#covered.size === 0 ? cell : (this.#covered.get(cell) ?? cell);
  }

  /** The cells whose confirmed row is not the one that readers see. */
  get coveredCells(): Iterable<RowCell> {
    return this.#covered.keys();
  }

  /** Remembers what is there before the first change. */
  touch(cell: RowCell): void {
    if (cell.order !== 0) return;
    const { row, stamp } = this.confirmed(cell);
    if (this.#cells.length > 0) cell.order = this.#cells.push(cell);
    else {
      // Most writes are of one record: an array that begins with it has no room left over.
      this.#cells = [cell];
      cell.order = 1;
      if (row === undefined) return;
      this.#rows = [row];
      this.#stamps = [stamp];
      return;
    }
    if (row !== undefined) this.#remember(cell, row, stamp);
  }

  #remember(cell: RowCell, row: Kept, stamp: Stamp | undefined): void {
    for (let at = this.#rows.length + 1; at < cell.order; at++) {
      this.#rows.push(undefined);
      this.#stamps.push(undefined);
    }
    this.#rows.push(row);
    this.#stamps.push(stamp);
  }

  put(cell: RowCell, row: Kept, stamp: Stamp | undefined): void {
    this.touch(cell);
    const confirmed = this.confirmed(cell);
    confirmed.row = row;
    confirmed.stamp = stamp;
  }

  /** The row before the write, by the cell's place in the log. */
  before(at: number): Kept {
    return this.#rows[at];
  }

  /** The stamp before the write, by the same place. */
  stampBefore(at: number): Stamp | undefined {
    return this.#stamps[at];
  }

  /** Ends the write. */
  close(): void {
    for (let at = 0; at < this.cells.length; at++) (this.cells[at] as RowCell).order = 0;
  }

  /** A record that is named twice can go there and back again: a row that says the same as before is the row from before. */
  keepUnchanged(cells: Iterable<RowCell> = this.cells): void {
    for (const cell of cells) {
      const confirmed = this.confirmed(cell);
      const before = this.before(cell.order - 1);
      if (before !== undefined && before !== confirmed.row && equalPlain(before, confirmed.row)) confirmed.row = before;
    }
  }

  /** Empties the tables again that had no cells before. */
  forgetFresh(): void {
    if (this.fresh === undefined) return;
    for (const cell of this.freshCells()) {
      const confirmed = this.confirmed(cell);
      confirmed.row = undefined;
      confirmed.stamp = undefined;
    }
    this.fresh = undefined;
  }

  freshCells(): RowCell[] {
    return [...(this.fresh?.values() ?? [])].flat();
  }

  undo(): void {
    this.close();
    for (let at = this.cells.length - 1; at >= 0; at--) {
      const cell = this.cells[at] as RowCell;
      const confirmed = this.confirmed(cell);
      confirmed.row = this.#rows[at];
      confirmed.stamp = this.#stamps[at];
    }
    this.forgetFresh();
  }
}
