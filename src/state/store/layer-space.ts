import { idIn, idOf } from '../../define/schema/own-pk.ts';
import type { CollectionQuery } from '../../define/schema/delegate.ts';
import type { RowEdit } from '../../define/schema/row.ts';
import { CellFinder } from '../denormalize/cell-finder.ts';
import { memo } from '../../std/memo.ts';
import { equalPlain } from '../../std/plain.ts';
import { cellsFor, argumentNamesIn } from '../normalize/collections.ts';
import { editedRow, withEdits } from '../normalize/row-edits.ts';
import type { Space } from '../tables/space.ts';
import type { RowCell, Table } from '../tables/table.ts';
import { replaceTexts } from '../../define/schema/texts-in-data.ts';
import { type ReadRowFields, SnapshotReader } from './snapshot.ts';
import { TEMPORARY } from '../tables/temporary-names.ts';

/** Returns the row and the stamp of a cell of the store below a layer. */
export type ReadBelow = (cell: RowCell) => Pick<RowCell, 'row' | 'stamp'>;

/** The data that a guess was made from: rows, including missing ones, tables that were read as a whole, and temporary pks. */
export interface Reads {
  readonly cells: ReadonlySet<RowCell>;
  readonly tables: ReadonlySet<string>;
  /** Rows of which only some fields were read. */
  readonly fields: ReadonlyMap<RowCell, ReadonlySet<string>>;
  /** Collections of which only the existence was read. */
  readonly present: ReadonlySet<RowCell>;
}

export const NO_READS: Reads = { cells: new Set(), tables: new Set(), fields: new Map(), present: new Set() };

/** Returns the entry of `Reads.tables` for a guess that depends on whether rows are added to a table. */
export function arrivalsName(table: string): string {
  return `+${table}`;
}

/** Returns the entry of `Reads.tables` for a guess that depends on whether lists are added that follow the records of a table. */
export function listsName(table: string): string {
  return `*${table}`;
}

/**
 * A small store on top of the rows below a layer. Its tables are filled from below when they are read. It is emptied after each guess and
 * used again, so that plans are computed once.
 */
export class LayerSpace {
  readonly reading: CellFinder;
  readonly snapshot: SnapshotReader;
  readonly #base: Space;
  readonly #used = new Set<Table>();
  #readBelow: ReadBelow = (cell) => cell;
  #cells: Set<RowCell> | undefined = undefined;
  #tables: Set<string> | undefined = undefined;
  #fields: Map<RowCell, Set<string>> | undefined = undefined;
  #present: Set<RowCell> | undefined = undefined;
  /** The edits of rows whose content was not read, in order. They are applied when it is read. */
  readonly edits: Map<RowCell, RowEdit[]> = new Map();

  constructor(base: Space, isFrozen: boolean) {
    this.#base = base;
    this.reading = new CellFinder(isFrozen, {
      copyRow: (cell) => this.#copyRow(cell),
      copyAll: (table) => this.#copyAll(table),
      copySome: (table, query) => this.#copySome(table, query),
      noteRead: (cell) => this.#noteRead(cell),
      edit: (cell, edit) => this.#edit(cell, edit),
      aliases: (name) => base.table(name).aliases,
      names: () => base.tables.keys(),
      relations: (name) => base.relationsOf(name),
      followers: base.followers,
      argumentNames: (name) => this.#argumentNames(name),
      notes: (name) => base.table(name).notes,
    });
    this.snapshot = new SnapshotReader(this.reading, undefined, undefined, this.#readRowFields);
  }

  get space(): Space {
    return this.reading.space;
  }

  begin(readBelow: ReadBelow): void {
    this.#readBelow = readBelow;
  }

  /** Returns data with the pks of the server in place of temporary ones. Notes the temporary pks of records that are still being created. */
  withServerPks(data: unknown): unknown {
    try {
      return replaceTexts(data, (text, name) => (text.startsWith(TEMPORARY) ? this.#serverPkOf(text, name) : text));
    } catch {
      // A getter of the data threw. When the data is normalized, it throws again, and the error gets its path.
      return data;
    }
  }

  /** Returns the pk of the server for a temporary one, in the form in which the field has pks. */
  #serverPkOf(temporary: string, field: string): unknown {
    for (const table of this.#base.tables.values()) {
      const pk = table.aliases.get(temporary);
      if (pk !== undefined) return idIn(idOf(table.entity, table.cellOf(pk).row, pk), field);
    }
    (this.#tables ??= new Set()).add(temporary);
    return temporary;
  }

  /** Returns the data that was read since the last call. */
  takeReads(): Reads {
    const { cells, tables, fields, present } = NO_READS;
    if ((this.#cells ?? this.#tables ?? this.#fields ?? this.#present) === undefined) return NO_READS;
    const reads = {
      cells: this.#cells ?? cells,
      tables: this.#tables ?? tables,
      fields: this.#fields ?? fields,
      present: this.#present ?? present,
    };
    this.#cells = undefined;
    this.#tables = undefined;
    this.#fields = undefined;
    this.#present = undefined;
    return reads;
  }

  /** Empties the tables. */
  end(): void {
    this.takeReads();
    this.edits.clear();
    for (const table of this.#used) {
      // A cleared map can stay in memory for long, with its cells. They must not keep the lists.
      for (const cell of table.cells.values()) cell.row = undefined;
      table.clear();
    }
    this.#used.clear();
    this.space.unlinked.clear();
    this.reading.clear();
  }

  /** Returns the cell of the store for a cell of this space. */
  homeOf(cell: RowCell): RowCell {
    return this.#base.table(cell.table.name).cellOf(cell.pk);
  }

  /** Returns a row, and notes that some of its fields were read. */
  readonly #readRowFields: ReadRowFields = (table, pk, fields) => {
    const home = this.#base.table(table).cellOf(pk);
    this.#fields ??= new Map();
    this.#fields.set(home, new Set([...(this.#fields.get(home) ?? []), ...fields]));
    return this.#readBelow(home).row;
  };

  /** Fills a cell with the row below, and notes that the row was read. */
  #copyRow(cell: RowCell): void {
    const home = this.homeOf(cell);
    this.#used.add(cell.table);
    (this.#cells ??= new Set()).add(home);
    const { row, stamp } = this.#readBelow(home);
    cell.row = row;
    cell.stamp = stamp;
    if (row !== undefined) cell.table.remember();
  }

  #copyAll(table: Table): void {
    this.#used.add(table);
    for (const cell of this.edits.keys()) if (cell.table === table) this.#noteRead(cell);
    (this.#tables ??= new Set()).add(table.name);
    const home = this.#base.table(table.name);
    if (home.isRemembered) table.remember();
    table.arrange(home.order.cells.keys());
  }

  /** Returns the names of list arguments. A list with other arguments may arrive later, so the guess depends on new lists. */
  #argumentNames(table: string): ReadonlySet<string> {
    (this.#tables ??= new Set()).add(arrivalsName(table));
    return argumentNamesIn(this.#base.table(table));
  }

  /** Copies the collections that a query selects. Others may arrive later, so the guess depends on new lists. */
  #copySome(table: Table, query: CollectionQuery): void {
    this.#used.add(table);
    (this.#tables ??= new Set()).add(arrivalsName(table.name));
    const cells = this.#cells;
    this.#cells = this.#present;
    for (const { pk } of cellsFor(this.#base.table(table.name), query)) table.cellOf(pk);
    this.#present = this.#cells;
    this.#cells = cells;
  }

  #noteRead(cell: RowCell): void {
    const home = this.homeOf(cell);
    if (this.#present?.delete(home) !== true) return;
    (this.#cells ??= new Set()).add(home);
    this.#apply(cell, this.edits.get(cell) ?? []);
    this.edits.delete(cell);
  }

  #edit(cell: RowCell, edit: RowEdit): void {
    if (this.#present?.has(this.homeOf(cell)) !== true) return this.#apply(cell, [edit]);
    const edits = memo(this.edits, cell, () => []);
    const last = edits.at(-1);
    const { incoming, repeat } = edit;
    // A record that is moved also joins the list by its new fields, which would repeat the edit.
    const isRepeated = repeat.isOnce === true && last?.repeat === repeat && equalPlain(last.incoming, incoming);
    if (!isRepeated) edits.push(edit);
  }

  #apply(cell: RowCell, edits: readonly RowEdit[]): void {
    const edited = editedRow(cell, this.#base, (table, pk) => this.space.find(table, pk)?.row);
    cell.row = withEdits(cell.row, edits, edited);
  }
}
