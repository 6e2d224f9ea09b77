import {
  type CollectionQuery,
  INVALID,
  type Invalid,
  type Row,
  type RowSchema,
  type Stamp,
} from '../../define/schema/schema.ts';
import { equalPlain } from '../../std/plain.ts';
import { Cell, type Parts } from '../graph/cell.ts';
import { parentsOf } from '../graph/edges.ts';
import { mark, type ToNotify } from '../graph/mark.ts';
import { SignalCell } from '../graph/signal-cell.ts';
import { Aliases } from './aliases.ts';
import type { Followers } from './followers.ts';
import { Lookup } from './lookup.ts';
import { PresentCells } from './present-cells.ts';
import type { Relations } from './relations.ts';

export function isRow(row: Row | Invalid | undefined): row is Row {
  return row !== undefined && row !== INVALID;
}

/** How the rows of one table become values. */
export interface RowReader {
  /** Whether its class says nothing of one of these fields, and another class of the table does. */
  isForeign?(fields: readonly string[]): boolean;
  /** Whether the value of a cell can show something that comes later. */
  isOpen?(cell: RowCell): boolean;
  /** The entity class, or the collection, whose values it makes. Those of a variant have no name. */
  readonly usual?: unknown;
  prepare(cell: RowCell): Parts;
  isChanged(cell: RowCell): boolean;
  open(cell: RowCell): void;
  fill(cell: RowCell): void;
  /** When the value is what the row and the parts lead to. */
  seal?(cell: RowCell): void;
}

/** Stands for the built row of a cell whose parts are linked anew and whose value was not built since. */
export const UNSETTLED: Row = Object.freeze({});

/** The one cell of a (table, pk): the row that readers see, and the value of the table's own entity built from it. */
export class RowCell extends Cell {
  readonly table: Table;
  readonly pk: string;
  row: Row | Invalid | undefined = undefined;
  stamp: Stamp | undefined = undefined;
  /** The row that `value` was built from. */
  built: Row | Invalid | undefined = undefined;
  /** Its place among the cells of the table: a row that came later has a higher one. */
  arrival = 0;

  constructor(table: Table, pk: string) {
    super();
    this.table = table;
    this.pk = pk;
  }

  /** The cell of the row; another one only where this shows the row otherwise. */
  get home(): RowCell {
    return this;
  }

  get reader(): RowReader {
    return this.table.reader;
  }

  override replaced(): void {
    this.built = UNSETTLED;
  }

  override prepare(): Parts {
    return this.reader.prepare(this);
  }

  /** There and back again between two reads: the row is another object than was built, and says the same. */
  recognize(): void {
    const { row, built } = this;
    if (row !== built && built !== undefined && built !== UNSETTLED && equalPlain(row, built)) this.built = row;
  }

  override isChanged(): boolean {
    return this.row !== this.built || this.reader.isChanged(this);
  }

  override open(): void {
    this.reader.open(this);
  }

  override fill(): void {
    this.reader.fill(this);
  }

  override seal(): void {
    this.built = this.row;
    this.reader.seal?.(this);
  }
}

/** What lies under a table of a layer. */
export interface Below {
  /** Puts into a new cell what the row is there. */
  fetch(cell: RowCell): void;
  /** Makes sure that the table above has a cell for every row below. */
  fetchAll(table: Table): void;
  /** The same for the collections that are asked for, where there is an index of them. */
  fetchSome?(table: Table, asked: CollectionQuery): void;
  aliases(name: string): Aliases;
  relations(name: string): Relations;
  readonly followers?: Followers;
  /** The names that are in the keys of the collections of a table. */
  argumentNames?(table: string): ReadonlySet<string>;
  notes?(table: string): Map<string, unknown>;
}

// It is never called: before a table is read, a schema has claimed it.
const UNCLAIMED = {} as RowReader;

/** All rows of one entity or one kind of collection, each in its cell. */
export class Table {
  readonly name: string;
  /** How rows become values. Set by the first schema that reads or writes the table. */
  reader: RowReader = UNCLAIMED;
  /** Cells by pk, in order of arrival; also those of rows that were asked for and are not there. */
  readonly cells: Map<string, RowCell> = new Map();
  readonly aliases: Aliases;
  /** Of a table of collections: the collection that claimed it first. */
  collection: RowSchema | undefined = undefined;
  /** Of a table of collections: what is told of every cell that comes or goes. */
  index: { add(cell: RowCell): void; delete(cell: RowCell): void } | undefined = undefined;
  #lookups: Map<string, Lookup<RowCell>> | undefined = undefined;
  #members: SignalCell | undefined = undefined;
  #rows: SignalCell | undefined = undefined;
  #known: SignalCell | undefined = undefined;
  /** Set where rows came without `changed`, or went without having been deleted. */
  #isRemembered = false;
  /** How many rows there are, deleted ones included. */
  #filled = 0;
  /** How many rows there are, deleted ones left out. */
  size = 0;
  /** The highest place of a cell, and that of the row that came last. */
  #arrivals = 0;
  #latest = 0;
  readonly #below: Below | undefined;
  #present: PresentCells<RowCell> | undefined = undefined;

  constructor(name: string, below?: Below) {
    this.name = name;
    this.#below = below;
    this.aliases = below?.aliases(name) ?? new Aliases();
  }

  /** What schemas remember of it. What lies on top of a table remembers what it does. */
  get notes(): Map<string, unknown> {
    this.#notes ??= this.#below?.notes?.(this.name) ?? new Map();
    return this.#notes;
  }

  #notes: Map<string, unknown> | undefined = undefined;

  /** Whether a schema has said how the rows are read. */
  get isClaimed(): boolean {
    return this.reader !== UNCLAIMED;
  }

  /** Whether there is, or was, a row, a deleted one included: an empty table is not the same as an unknown one. */
  get isKnown(): boolean {
    return this.#isRemembered || this.#filled > 0;
  }

  /** Whether no row was ever written or read. */
  get isEmpty(): boolean {
    return this.cells.size === 0 && this.#below === undefined && this.aliases.size === 0;
  }

  /** Counts as known from now on, whatever rows there are. */
  remember(): void {
    this.#isRemembered = true;
  }

  claim(reader: RowReader): void {
    this.reader = reader;
  }

  /** The cells of all rows, deleted ones left out, in order of arrival: the same list until one comes or goes. */
  get present(): readonly RowCell[] {
    return (this.#present ??= new PresentCells(this.cells.values(), ({ row }) => isRow(row))).cells;
  }

  /** Changes with every row that comes or goes. */
  get members(): SignalCell {
    return (this.#members ??= new SignalCell());
  }

  /** Changes with the first row that is heard of, and when nothing is known any more. */
  get known(): SignalCell {
    return (this.#known ??= new SignalCell());
  }

  /** Changes with every row that comes, goes or changes. */
  get rows(): SignalCell {
    return (this.#rows ??= new SignalCell());
  }

  /** The cell of a pk, made when it is first asked for. */
  cellOf(pk: string): RowCell {
    const name = this.aliases.size === 0 ? pk : this.#nameOf(pk);
    const found = this.cells.get(name);
    if (found !== undefined) return found;
    const cell = this.add(name);
    this.#below?.fetch(cell);
    this.index?.add(cell);
    return cell;
  }

  /** A cell for a pk that has none. */
  add(pk: string): RowCell {
    const cell = new RowCell(this, pk);
    cell.arrival = ++this.#arrivals;
    this.cells.set(pk, cell);
    return cell;
  }

  find(pk: string): RowCell | undefined {
    return this.cells.get(this.#nameOf(pk));
  }

  #nameOf(pk: string): string {
    return this.aliases.get(pk) ?? pk;
  }

  /** The rows by the value of one field. Where a row lacks it, `missing` counts as its value. */
  lookup(field: string, missing?: unknown): Lookup<RowCell> {
    this.#lookups ??= new Map();
    const name = `${field}\n${typeof missing}\n${String(missing)}`;
    const found = this.#lookups.get(name);
    if (found !== undefined) return found;
    const made = new Lookup<RowCell>(field, missing, this.name);
    for (const cell of this.cells.values()) if (isRow(cell.row)) made.add(cell, cell.row);
    this.#lookups.set(name, made);
    return made;
  }

  /** Everything that follows from a visible row having become another; `isBack` when that is a change undone. */
  changed(cell: RowCell, before: Row | Invalid | undefined, toNotify: ToNotify, isBack: boolean): void {
    const wasKnown = this.isKnown;
    if (before === undefined) this.#filled++;
    if (cell.row === undefined) this.#filled--;
    const was = isRow(before);
    const is = isRow(cell.row);
    if (was !== is) {
      this.size += is ? 1 : -1;
      // What comes back where it was is found by looking through the table again.
      const isAgain = is && (before !== undefined || isBack);
      if (isAgain || this.#present?.note(cell, is) === false) this.#present = undefined;
    }
    if (before === undefined && !isBack) this.#arrived(cell);
    // A deletion can be the first that is heard of a table.
    const isNews = this.isKnown !== wasKnown;
    if (was !== is || isNews) this.#members?.happened(toNotify, cell);
    if (isNews) this.#known?.happened(toNotify);
    if (this.#lookups !== undefined) file(cell, before, this.#lookups.values(), toNotify);
    this.#rows?.happened(toNotify);
    mark(cell, toNotify);
  }

  /** Does what follows from the first rows of a table, which stand in these cells and were not read yet. */
  filled(cells: readonly RowCell[], toNotify: ToNotify): void {
    this.#filled += cells.length;
    this.size += cells.length;
    this.#present = undefined;
    if (this.#lookups !== undefined) for (const cell of cells) file(cell, undefined, this.#lookups.values(), toNotify);
    this.#members?.happened(toNotify);
    this.#known?.happened(toNotify);
    this.#rows?.happened(toNotify);
  }

  /** A cell may be older than its row: asked for first, arrived later. Arrival is what counts. */
  #arrived(cell: RowCell): void {
    if (cell.arrival < this.#latest) this.#putLast(cell);
    this.#latest = cell.arrival;
  }

  /** Has a cell for each of these pks, in this order; for none of the temporary ones that stand for others. */
  arrange(pks: Iterable<string>): void {
    let latest = 0;
    for (const pk of pks) {
      if (this.aliases.has(pk)) continue;
      const cell = this.cellOf(pk);
      if (cell.arrival < latest) this.#putLast(cell);
      latest = cell.arrival;
    }
  }

  #putLast(cell: RowCell): void {
    this.cells.delete(cell.pk);
    this.cells.set(cell.pk, cell);
    cell.arrival = ++this.#arrivals;
  }

  /** Rows are read differently from now on; with `fields`, by the classes that say nothing of these themselves. */
  rebuild(toNotify: ToNotify, fields?: readonly string[]): void {
    for (const cell of this.cells.values()) {
      if (fields?.some((field) => Object.hasOwn(Object(cell.row) as object, field)) === false) continue;
      rebuild(cell, toNotify, fields);
      for (const parent of Array.from(parentsOf(cell.parents)))
        if (parent instanceof RowCell && parent.home === cell) rebuild(parent, toNotify, fields);
    }
  }

  /** Nothing is known any more. Returns a function that undoes it. */
  reset(toNotify: ToNotify): () => void {
    const aliases = [...this.aliases];
    const inOrder = Array.from(this.cells.values(), (cell) => [cell, cell.arrival] as const);
    const wasRemembered = this.#isRemembered;
    const latest = this.#latest;
    const become = (isRemembered: boolean): void => {
      this.#isRemembered = isRemembered;
      if (!wasRemembered) return;
      this.#members?.happened(toNotify);
      this.#known?.happened(toNotify);
    };
    this.aliases.clear();
    become(false);
    return () => {
      this.#present = undefined;
      for (const [temporary, server] of aliases) this.aliases.set(temporary, server);
      for (const [cell, arrival] of inOrder) {
        this.#putLast(cell);
        cell.arrival = arrival;
      }
      this.#latest = latest;
      become(wasRemembered);
    };
  }

  /** From now on a temporary pk stands for that of the server. Returns an undo function. */
  rename(temporary: string, server: string): () => void {
    this.aliases.set(temporary, server);
    return () => void this.aliases.delete(temporary);
  }

  /** Forgets the temporary pks of records that have no cell any more. */
  forgetAliases(): void {
    for (const [temporary, server] of this.aliases) if (!this.cells.has(server)) this.aliases.delete(temporary);
  }

  /** Forgets every cell, as if none had ever been asked for. For a table without observers. */
  clear(): void {
    this.cells.clear();
    this.#present = undefined;
    this.#lookups = undefined;
    this.#isRemembered = false;
    this.#filled = 0;
    this.size = 0;
    this.#members = undefined;
    this.#known = undefined;
    this.#rows = undefined;
  }

  drop(cell: RowCell): void {
    this.cells.delete(cell.pk);
    this.index?.delete(cell);
  }
}

function file(
  cell: RowCell,
  before: Row | Invalid | undefined,
  lookups: Iterable<Lookup<RowCell>>,
  toNotify: ToNotify,
): void {
  const { row } = cell;
  for (const lookup of lookups)
    lookup.move(cell, isRow(before) ? before : undefined, isRow(row) ? row : undefined, toNotify);
}

function rebuild(cell: RowCell, toNotify: ToNotify, fields: readonly string[] | undefined): void {
  if (fields !== undefined && cell.reader.isForeign?.(fields) !== true) return;
  mark(cell, toNotify);
  cell.replaced();
}
