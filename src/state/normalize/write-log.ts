import type { Row, RowState } from '../../define/schema/row.ts';
import type { Stamp } from '../../define/schema/stamp.ts';
import { equalPlain } from '../../std/plain.ts';
import type { Relation } from '../tables/relations.ts';
import type { RowCell, Table } from '../tables/table.ts';

/** A confirmed row that is hidden below an optimistic layer. */
export interface Covered {
  row: RowState;
  stamp: Stamp | undefined;
}

export type Covers = Map<RowCell, Covered>;

const NONE: Covers = new Map();

/**
 * The cells that a write changes, each once, with their former content, so that the whole write can be undone. Rows are changed at once.
 * Readers are notified after the write, and no read happens during it.
 *
 * While the log is open, `order` of a cell in it is its place in the log, counted from 1.
 */
export class WriteLog {
  /** The cells that have changed, in the order of their first change. Other classes only read the list. */
  cells: RowCell[] = [];
  /** The former rows, up to the last cell that was not empty. Empty for a response that has only new records. */
  #rows: RowState[] = [];
  #stamps: (Stamp | undefined)[] = [];
  readonly #covered: ReadonlyMap<RowCell, Covered>;
  /** The new rows of tables that were empty before, by table, in the order in which they arrived. They are not in `cells`. */
  newRows: Map<Table, RowCell[]> | undefined = undefined;
  /** Relations whose fields contained records for the first time, with their tables. */
  nested: Map<Relation, string> | undefined = undefined;

  /** Lists that arrived as a whole, each as it was sent. */
  arrived: Map<RowCell, Row> | undefined = undefined;

  /** Whether an answer is a further page of a list, and whether it came too late for that list. See `TableSchema`. */
  isOfPage = false;
  isLate = false;

  /** Whether the store has newer data of a record of the answer, which differs from that in the answer. */
  isOutdated = false;

  /** Fields of an answer that were not written although the server may have them. `undefined`: a deletion that was not written. */
  withheld: Map<RowCell, object | undefined> | undefined = undefined;

  readonly #undo: (() => void)[] = [];
  /** For open lists: functions that return the former list, because members may be added to the list itself. */
  #restorers: Map<RowCell, () => RowState> | undefined = undefined;

  constructor(covered: ReadonlyMap<RowCell, Covered> = NONE) {
    this.#covered = covered;
  }

  /** Notes that a field of this table contains records. */
  nest(relation: Relation, table: string): void {
    this.nested ??= new Map();
    this.nested.set(relation, table);
  }

  /** Notes that a list arrived as a whole. */
  arrive(cell: RowCell, sent: Row): void {
    this.arrived ??= new Map();
    this.arrived.set(cell, sent);
  }

  /** Notes fields of an answer, or a deletion, that were not written. */
  withhold(cell: RowCell, fields: object | undefined): void {
    this.withheld ??= new Map();
    this.withheld.set(cell, fields);
  }

  /** Adds a step to the undoing of the write. */
  onUndo(undo: () => void): void {
    this.#undo.push(undo);
  }

  /** Returns the confirmed row of a cell, below any guess. */
  confirmed(cell: RowCell): Covered {
    return this.#covered.size === 0 ? cell : (this.#covered.get(cell) ?? cell);
  }

  /** The cells whose confirmed row is hidden by a guess. */
  get coveredCells(): Iterable<RowCell> {
    return this.#covered.keys();
  }

  /** Adds a cell to the log, with its present content. */
  touch(cell: RowCell): void {
    if (cell.order !== 0) return;
    const { row, stamp } = this.confirmed(cell);
    if (this.cells.length > 0) cell.order = this.cells.push(cell);
    else {
      // Most writes change one record. An array literal has no unused capacity.
      this.cells = [cell];
      cell.order = 1;
      if (row === undefined) return;
      this.#rows = [row];
      this.#stamps = [stamp];
      return;
    }
    if (row !== undefined) this.#remember(cell, row, stamp);
  }

  #remember(cell: RowCell, row: RowState, stamp: Stamp | undefined): void {
    for (let at = this.#rows.length + 1; at < cell.order; at++) {
      this.#rows.push(undefined);
      this.#stamps.push(undefined);
    }
    this.#rows.push(row);
    this.#stamps.push(stamp);
  }

  /** Notes a function that returns the present row of a cell in the log, if it is an open list. */
  noteRestorer(cell: RowCell, restore: (() => RowState) | undefined): void {
    if (restore === undefined) return;
    this.#restorers ??= new Map();
    if (!this.#restorers.has(cell)) this.#restorers.set(cell, restore);
  }

  put(cell: RowCell, row: RowState, stamp: Stamp | undefined): void {
    this.touch(cell);
    const confirmed = this.confirmed(cell);
    confirmed.row = row;
    confirmed.stamp = stamp;
  }

  /** Returns the row before the write, by the index of the cell in the log. */
  before(at: number): RowState {
    return this.#rows[at];
  }

  /** Returns the stamp before the write, by the same index. */
  stampBefore(at: number): Stamp | undefined {
    return this.#stamps[at];
  }

  /** Ends the write. */
  close(): void {
    for (let at = 0; at < this.cells.length; at++) (this.cells[at] as RowCell).order = 0;
  }

  /** Restores the former row object if its content is unchanged in the end. A record that occurs twice in an input can change back. */
  keepUnchanged(cells: Iterable<RowCell> = this.cells): void {
    for (const cell of cells) {
      const confirmed = this.confirmed(cell);
      const before = this.before(cell.order - 1);
      if (before !== undefined && before !== confirmed.row && equalPlain(before, confirmed.row)) confirmed.row = before;
    }
  }

  /**
   * Leaves out the collections that are in `lists`, because the log of an earlier write restores them, and adds the others to it. Otherwise many
   * changes of one list in a batch would keep as many copies of it.
   */
  keepFirst(lists: Set<RowCell>): void {
    const stays = this.cells.map((cell) => cell.table.collection === undefined || !lists.has(cell));
    if (stays.includes(false)) {
      const isStaying = (_: unknown, at: number): boolean => stays[at] === true;
      this.cells = this.cells.filter(isStaying);
      this.#rows = this.#rows.filter(isStaying);
      this.#stamps = this.#stamps.filter(isStaying);
    }
    for (const cell of this.cells) if (cell.table.collection !== undefined) lists.add(cell);
  }

  /** Empties the tables again that were empty before the write. */
  removeNewRows(): void {
    if (this.newRows === undefined) return;
    for (const cell of this.newCells()) {
      const confirmed = this.confirmed(cell);
      confirmed.row = undefined;
      confirmed.stamp = undefined;
    }
    this.newRows = undefined;
  }

  newCells(): RowCell[] {
    return [...(this.newRows?.values() ?? [])].flat();
  }

  undo(): void {
    this.close();
    for (let at = this.cells.length - 1; at >= 0; at--) {
      const cell = this.cells[at] as RowCell;
      const confirmed = this.confirmed(cell);
      confirmed.row = this.#restorers?.get(cell)?.() ?? this.#rows[at];
      confirmed.stamp = this.#stamps[at];
    }
    this.removeNewRows();
    for (const undo of this.#undo.reverse()) undo();
  }
}
