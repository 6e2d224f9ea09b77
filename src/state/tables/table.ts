import type { CollectionQuery } from '../../define/schema/delegate.ts';
import { INVALID, type Invalid, type Row, type RowEdit } from '../../define/schema/row.ts';
import type { RowSchema } from '../../define/schema/schema.ts';
import { Entity } from '../../define/schema/entity.ts';
import type { PkSource } from '../../define/schema/pk.ts';
import type { Stamp } from '../../define/schema/stamp.ts';
import { equalPlain } from '../../std/plain.ts';
import { Cell, type Parts } from '../graph/cell.ts';
import { mark, type ToNotify } from '../graph/mark.ts';
import { Aliases } from './aliases.ts';
import { ArrivalOrder } from './arrival-order.ts';
import type { Followers } from './followers.ts';
import { Lookup, type RowIndex } from './lookup.ts';
import { PresentCells } from './present-cells.ts';
import type { Relations } from './relations.ts';
import { RowIndexes } from './row-indexes.ts';
import { forgetNotes } from './table-notes.ts';
import { TableSignals } from './table-signals.ts';
import type { PkOf } from './temporary-names.ts';

export function isRow(row: Row | Invalid | undefined): row is Row {
  return row !== undefined && row !== INVALID;
}

/** Builds values from the rows of one table: the methods of `Cell` with these names, for each cell of the table. */
export interface RowReader {
  /** Returns whether another class of the table declares one of these fields, and this one does not. */
  isForeign?(fields: readonly string[]): boolean;
  /** Returns whether the value of a cell does not show all of its relations yet. */
  isOpen?(cell: RowCell): boolean;
  /** The entity class, or the name of the collection, whose values it builds. `undefined` for a variant. */
  readonly usual?: unknown;
  prepare(cell: RowCell): Parts;
  isChanged(cell: RowCell): boolean;
  open(cell: RowCell): void;
  fill(cell: RowCell): void;
  /** Called when the value is up to date. */
  readonly seal?: ((cell: RowCell) => void) | undefined;
}

/** The value of `built` after the parts of a cell were linked again and before the value is built. */
export const UNSETTLED: Row = Object.freeze({});

/** The one cell of a table and pk: the row that readers see, and the value of the main class of the table. */
export class RowCell extends Cell {
  readonly table: Table;
  readonly pk: string;
  row: Row | Invalid | undefined = undefined;
  stamp: Stamp | undefined = undefined;
  /** The row from which `value` was built. */
  built: Row | Invalid | undefined = undefined;
  /** The place of the row in the order in which the rows of the table arrived. */
  arrival = 0;

  constructor(table: Table, pk: string) {
    super();
    this.table = table;
    this.pk = pk;
  }

  /** The main cell of the row. A variant returns another cell. */
  get home(): RowCell {
    return this;
  }

  override get kind(): string {
    return this.table.name;
  }

  get reader(): RowReader {
    return this.table.reader;
  }

  override noteReplaced(): void {
    this.built = UNSETTLED;
  }

  override prepare(): Parts {
    return this.reader.prepare(this);
  }

  /** Keeps the value if the row is a new object with equal content, as after a change that was undone. */
  recognize(): void {
    const { row, built } = this;
    if (row !== built && built !== UNSETTLED && equalPlain(row, built)) this.built = row;
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

/** The rows below a table of a layer. */
export interface Below {
  /** Sets the row of a new cell to the row below. */
  copyRow(cell: RowCell): void;
  /** Makes sure that the table has a cell for every row below. */
  copyAll(table: Table): void;
  /** As `copyAll`, for the collections that match, if there is an index. */
  copySome?(table: Table, query: CollectionQuery): void;
  /** Notes that the content of a row was read that `copySome` has copied. */
  noteRead?(cell: RowCell): void;
  /** Edits a row now, or when its content is read. */
  edit?(cell: RowCell, edit: RowEdit): void;
  aliases(name: string): Aliases;
  /** Returns the names of the tables below that may have aliases. */
  names(): Iterable<string>;
  relations(name: string): Relations;
  readonly followers?: Followers;
  /** Returns the names in the keys of the collections of a table. */
  argumentNames?(table: string): ReadonlySet<string>;
  notes?(table: string): Map<string, unknown>;
}

// Never called: a schema sets the reader before the table is read.
const NO_READER = {} as RowReader;

/** All rows of one entity, or of one kind of collection, each in its cell. */
export class Table {
  readonly name: string;
  /** Builds values from rows. Set by the first schema that reads or writes the table. */
  reader: RowReader = NO_READER;
  /** Cells by pk. Includes cells that were requested and have no row. */
  readonly cells: Map<string, RowCell> = new Map();
  /** The order in which the rows arrived. */
  readonly order: ArrivalOrder<RowCell> = new ArrivalOrder(this.cells);
  readonly aliases: Aliases;
  /** In a table of collections: the first collection that read or wrote it. */
  collection: RowSchema | undefined = undefined;
  /** In a table of collections: an index that is updated for every added or removed cell. */
  index: { add(cell: RowCell): void; delete(cell: RowCell): void } | undefined = undefined;
  #indexes: RowIndexes<RowCell> | undefined = undefined;
  readonly signals: TableSignals = new TableSignals();
  #isRemembered = false;
  /** The number of rows, including deleted ones. */
  #filled = 0;
  /** The number of rows without deleted ones. */
  size = 0;
  /** Returns the pk of the server for a temporary pk of any table. */
  readonly serverPk: PkOf;
  readonly #below: Below | undefined;
  #notes: Map<string, unknown> | undefined = undefined;
  #present: PresentCells<RowCell> | undefined = undefined;

  constructor(name: string, below: Below | undefined, serverPk: PkOf) {
    this.name = name;
    this.serverPk = serverPk;
    this.#below = below;
    this.aliases = below?.aliases(name) ?? new Aliases();
  }

  /** Notes of schemas about the table. Tables of a layer share those of the table below. */
  get notes(): Map<string, unknown> {
    this.#notes ??= this.#below?.notes?.(this.name) ?? new Map();
    return this.#notes;
  }

  /** The class whose records it holds; `Entity` until one has set the reader. */
  get entity(): PkSource {
    const { usual } = this.reader;
    return typeof usual === 'function' ? (usual as unknown as PkSource) : Entity;
  }

  /** Whether a schema has set the reader. */
  get hasReader(): boolean {
    return this.reader !== NO_READER;
  }

  /** Whether there is or was a row, also a deleted one. An empty table differs from an unknown one. */
  get isKnown(): boolean {
    return this.#isRemembered || this.#filled > 0;
  }

  /** Whether no row was ever written or read. */
  get isEmpty(): boolean {
    return this.cells.size === 0 && this.#below === undefined && this.aliases.size === 0;
  }

  /** Whether the table counts as known without rows: rows were added without `changed`, or removed without a deletion. */
  get isRemembered(): boolean {
    return this.#isRemembered;
  }

  /** Makes the table count as known, even without rows. */
  remember(): void {
    this.#isRemembered = true;
  }

  /** The cells of all rows without deleted ones, in the order in which the rows arrived. The same list until a row is added or removed. */
  get present(): readonly RowCell[] {
    return (this.#present ??= new PresentCells(this.order.cells.values(), ({ row }) => isRow(row))).cells;
  }

  /** Returns the cell of a pk. Makes it if there is none. */
  cellOf(pk: string): RowCell {
    const name = this.aliases.size === 0 ? pk : this.#nameOf(pk);
    const found = this.cells.get(name);
    if (found !== undefined) return found;
    const cell = this.add(name);
    this.#below?.copyRow(cell);
    this.index?.add(cell);
    return cell;
  }

  /** Makes the cell of a pk that has none. */
  add(pk: string): RowCell {
    const cell = new RowCell(this, pk);
    this.order.add(cell);
    return cell;
  }

  find(pk: string): RowCell | undefined {
    return this.cells.get(this.#nameOf(pk));
  }

  #nameOf(pk: string): string {
    return this.aliases.get(pk) ?? pk;
  }

  /** Returns the present pk of the record that had a pk when the request with this issue was sent. */
  pkNow(pk: string, issue: number): string {
    return this.aliases.changed?.pkNow(pk, issue) ?? pk;
  }

  /** Returns the present pk of a record whose create was issued then, and is answered with this pk. */
  createdAs(pk: string, issue: number): string {
    return this.aliases.changed?.createdAs(pk, issue) ?? pk;
  }

  /** Returns the lookup of rows by the values of some fields. `missing` has the values for rows that lack the fields. */
  lookup(fields: readonly string[], missing: readonly unknown[] = []): Lookup<RowCell> {
    const name = fields.map((field, at) => `${field}\n${typeof missing[at]}\n${String(missing[at])}`).join('\n');
    return this.keep(name, () => new Lookup<RowCell>(fields, missing, this.name, this.serverPk));
  }

  /** Returns the index of this name. Made at the first call, and updated with the rows from then on. */
  keep<Kept extends RowIndex<RowCell>>(name: string, make: () => Kept): Kept {
    this.#indexes ??= new RowIndexes();
    return this.#indexes.keep(name, make, this.cells.values());
  }

  /** Updates everything that depends on a visible row after the row has changed. `isUndo`: the change is an undo. */
  noteChange(cell: RowCell, before: Row | Invalid | undefined, toNotify: ToNotify, isUndo: boolean): void {
    const wasKnown = this.isKnown;
    if (before === undefined) this.#filled++;
    if (cell.row === undefined) this.#filled--;
    const was = isRow(before);
    const is = isRow(cell.row);
    if (was !== is) {
      this.size += is ? 1 : -1;
      // For a row that is restored, the list is built again, because its place in it is not known.
      const isRestored = is && (before !== undefined || isUndo);
      if (isRestored || this.#present?.note(cell, is) === false) this.#present = undefined;
    }
    if (before === undefined && !isUndo) this.order.noteArrival(cell);
    // The first known row of a table can be a deleted one.
    const becameKnown = this.isKnown !== wasKnown;
    if (was !== is || becameKnown) this.signals.noteMember(toNotify, cell);
    if (becameKnown) this.signals.noteKnown(toNotify);
    this.#indexes?.move(cell, before, toNotify);
    this.signals.noteRow(toNotify, cell, before);
    mark(cell, toNotify);
  }

  /** As `noteChange`, for the first rows of a table, which nothing has read yet. */
  noteFirstRows(cells: readonly RowCell[], toNotify: ToNotify): void {
    this.#filled += cells.length;
    this.size += cells.length;
    this.#present = undefined;
    if (this.#indexes !== undefined) for (const cell of cells) this.#indexes.move(cell, undefined, toNotify);
    this.signals.noteMember(toNotify);
    this.signals.noteKnown(toNotify);
    this.signals.noteRow(toNotify);
  }

  /** Makes a cell for each of these pks and puts them in this order. Skips temporary pks that are aliases of others. */
  arrange(pks: Iterable<string>): void {
    this.order.arrange(this.#named(pks));
  }

  /** A record that the server has confirmed without another pk has its temporary pk as the alias of itself. */
  *#named(pks: Iterable<string>): Generator<RowCell> {
    for (const pk of pks) if (this.#nameOf(pk) === pk) yield this.cellOf(pk);
  }

  /** Resets the table after its rows were removed. Returns an undo function. */
  reset(toNotify: ToNotify): () => void {
    const aliases = [...this.aliases];
    const { changed } = this.aliases;
    const restoreOrder = this.order.restorer();
    const wasRemembered = this.#isRemembered;
    const become = (isRemembered: boolean): void => {
      this.#isRemembered = isRemembered;
      if (!wasRemembered) return;
      this.signals.noteMember(toNotify);
      this.signals.noteKnown(toNotify);
    };
    this.aliases.clear();
    this.aliases.changed = undefined;
    become(false);
    return () => {
      this.#present = undefined;
      for (const [temporary, server] of aliases) this.aliases.set(temporary, server);
      this.aliases.changed = changed;
      restoreOrder();
      become(wasRemembered);
    };
  }

  /** Makes a temporary pk an alias of the pk of the server. Returns an undo function. */
  rename(temporary: string, server: string): () => void {
    this.aliases.set(temporary, server);
    return () => void this.aliases.delete(temporary);
  }

  /** Called when temporary pks of any table have become aliases, or are none any more. */
  renameInIndexes(toNotify: ToNotify): void {
    if (this.#indexes?.rename(toNotify) === true) this.signals.noteRow(toNotify);
  }

  /** Removes the temporary pks, and the notes of schemas, of records that have no cell any more. */
  removeNotes(): void {
    const { aliases, cells, notes } = this;
    for (const [temporary, server] of aliases) if (!cells.has(server)) aliases.delete(temporary);
    aliases.changed?.forget(cells);
    forgetNotes(notes, cells);
    this.#indexes?.forget();
  }

  /** Removes every cell, for a table without observers. */
  clear(): void {
    this.cells.clear();
    this.#present = undefined;
    this.#indexes = undefined;
    this.#isRemembered = false;
    this.#filled = 0;
    this.size = 0;
    this.signals.clear();
  }

  drop(cell: RowCell): void {
    this.cells.delete(cell.pk);
    this.index?.delete(cell);
  }
}
