import type { RowState } from '../../define/schema/row.ts';
import { CellFinder } from '../denormalize/cell-finder.ts';
import { SameReader } from '../denormalize/same-reader.ts';
import { USUAL } from '../denormalize/variant.ts';
import type { Cell } from '../graph/cell.ts';
import { SignalCell } from '../graph/signal-cell.ts';
import { Aliases } from '../tables/aliases.ts';
import { Relations } from '../tables/relations.ts';
import { isRow, RowCell, type Table } from '../tables/table.ts';
import { copyKeptRow, keptOrPresent } from './kept-states.ts';
import { type Past, SharedPast } from './past.ts';
import { RequestCell } from './request-cell.ts';
import type { RequestState } from './request-state.ts';
import type { RequestStates } from './request-states.ts';
import { type Present, type ReadCells, SnapshotReader } from './snapshot.ts';

/** The store of which snapshots are taken. */
export interface SnapshotSource extends ReadCells {
  readonly reading: CellFinder;
  readonly states: RequestStates;
  /** Called for each cell that is read. */
  readonly use: (cell: Cell) => void;
}

/**
 * Snapshots of a store. The cost of a snapshot depends on how much is read through it, and how much changes while it is in use.
 *
 * An `EarlierStore` differs: it applies commits, so its cells change, and have to know the parts of the values that they take over.
 */
export class Snapshots {
  readonly #source: SnapshotSource;
  readonly #past = new SharedPast();

  constructor(source: SnapshotSource) {
    this.#source = source;
  }

  /** Returns a reader of the store as it is now. */
  take(): SnapshotReader {
    const past = this.#past.take();
    const { space } = this.#source.reading;
    for (const [name, { aliases, isRemembered }] of space.tables) {
      if (aliases.size > 0) past.aliases.set(name, aliases.copy());
      if (isRemembered) past.remembered.add(name);
    }
    for (const [name, relations] of space.relations) past.relations.set(name, relations.sharedCopy);
    const unchanged = new Unchanged(this.#source, past);
    const states = keptOrPresent(past.requests, this.#source.states);
    return new SnapshotReader(this.#reading(past, unchanged), states, unchanged);
  }

  #reading(past: Past, unchanged: Unchanged): CellFinder {
    const { reading } = this.#source;
    const whole = new Set<Table>();
    const below = {
      copyRow: (cell: RowCell): void => copyKeptRow(cell, past.rowsOf(cell.table.name), reading.space),
      copyAll: (table: Table): void => {
        if (whole.has(table)) return;
        whole.add(table);
        if (past.remembered.has(table.name)) table.remember();
        table.arrange(pksInOrder(reading.space.table(table.name), past));
      },
      aliases: (name: string) => past.aliases.get(name) ?? new Aliases(),
      names: () => past.aliases.keys(),
      relations: (name: string) => past.relations.get(name)?.copy() ?? new Relations(),
    };
    return new CellFinder(reading.isFrozen, below, (reader, plan) => {
      const schema = plan.kind === 'entity' ? plan.entity : plan.schema;
      return new SameReader(reader, (pk) => unchanged.sameRow(schema, pk));
    });
  }

  /** Keeps a row that is about to be shown differently. */
  keepRow(cell: RowCell, before: RowState): void {
    this.#past.keepRow(cell, before);
  }

  keepRequest(key: string, before: RequestState | undefined): void {
    this.#past.keepRequest(key, before);
  }
}

const NONE: ReadonlySet<Cell> = new Set();

/** Returns the pks of a table in the order in which their rows had arrived at the snapshot. */
function pksInOrder({ name, cells }: Table, past: Past): readonly string[] {
  const arrivals = new Map(Array.from(cells.values(), ({ pk, arrival }) => [pk, arrival]));
  for (const [pk, arrival] of past.arrivalsIn(name)) arrivals.set(pk, arrival);
  return [...arrivals].sort(([, one], [, other]) => one - other).map(([pk]) => pk);
}

/**
 * Finds values that are the same in the store now as in the snapshot, because no change affects them. A value that was returned once is
 * returned again, also after later changes.
 */
class Unchanged implements Present {
  readonly #source: SnapshotSource;
  readonly #past: Past;
  readonly #renamed: number;
  #version = -1;
  /** The signals of tables in which rows have changed since. */
  readonly #signals = new Set<Cell>();
  /** Values of cells that were the same when they were checked. */
  readonly #values = new Map<Cell, { readonly value: unknown }>();
  /** The same for rows, by class and pk, because their cells can be removed. */
  readonly #rows = new Map<unknown, Map<string, { readonly value: unknown }>>();

  constructor(source: SnapshotSource, past: Past) {
    this.#source = source;
    this.#past = past;
    this.#renamed = source.reading.space.renamed.version;
  }

  sameValue(find: (cells: ReadCells) => Cell): { readonly value: unknown } | undefined {
    return this.#valueOf(find(this.#source));
  }

  /** Returns the value of a row as its class or collection reads it. */
  sameRow(schema: unknown, pk: string): { readonly value: unknown } | undefined {
    const { reading } = this.#source;
    // The plan of an entity or a collection is read by cells of rows.
    const cell = reading.find(reading.space.planOf(schema), pk, USUAL, undefined) as RowCell | undefined;
    // If the pk is an alias of another record now, it had a record of its own when the snapshot was taken.
    return cell?.pk === pk ? this.#valueOf(cell) : this.#rows.get(cell?.reader.usual)?.get(pk);
  }

  #valueOf(cell: Cell): { readonly value: unknown } | undefined {
    const known = this.#known(cell);
    if (known !== undefined) return known;
    this.#source.use(cell);
    try {
      this.#source.reading.read(cell);
    } catch {
      // A read of the snapshot throws the error, if it still occurs.
      return undefined;
    }
    for (const at of this.#allSame(cell)) this.#keep(at);
    return this.#known(cell);
  }

  #known(cell: Cell): { readonly value: unknown } | undefined {
    const known = this.#values.get(cell);
    if (known !== undefined || !(cell instanceof RowCell)) return known;
    return this.#rows.get(cell.reader.usual)?.get(cell.pk);
  }

  #keep(cell: Cell): void {
    // Cells that are not clean were read only for their row.
    if (!cell.clean) return;
    const kept = { value: cell.value };
    this.#values.set(cell, kept);
    const usual = cell instanceof RowCell ? cell.reader.usual : undefined;
    if (usual === undefined) return;
    const rows = this.#rows.get(usual) ?? new Map<string, { readonly value: unknown }>();
    this.#rows.set(usual, rows.set((cell as RowCell).pk, kept));
  }

  /** Returns the cells from which a cell is built and that were not checked before. Empty if one of them may have differed. */
  #allSame(cell: Cell): ReadonlySet<Cell> {
    this.#update();
    if (this.#isChanged(cell)) return NONE;
    const seen = new Set<Cell>([cell]);
    for (const at of seen) {
      for (const part of at.parts) {
        if (part === undefined || seen.has(part)) continue;
        const known = part.clean ? this.#known(part) : undefined;
        const isOther = this.#isChanged(part) || this.#hasNewAlias(part);
        if (isOther || (known !== undefined && known.value !== part.value)) return NONE;
        if (known === undefined) seen.add(part);
      }
    }
    return seen;
  }

  #isChanged(cell: Cell): boolean {
    if (cell instanceof RequestCell) return this.#past.requests.has(cell.key);
    // A lookup also finds rows by the pk that has replaced a temporary one in them.
    if (cell instanceof SignalCell && cell.partOf !== undefined)
      return this.#past.isChanged(cell.partOf) || this.#signals.has(this.#source.reading.space.renamed);
    if (!(cell instanceof RowCell)) return this.#signals.has(cell);
    return (
      this.#past.hasRow(cell.table.name, cell.pk) ||
      cell.reader.isOpen?.(cell) === true ||
      this.#hasNewForeignFields(cell)
    );
  }

  /** Returns whether a temporary pk has become an alias of this record since the snapshot, so that refs may have led to another record. */
  #hasNewAlias(cell: Cell): boolean {
    if (!(cell instanceof RowCell)) return false;
    const { aliases, name } = cell.table;
    return aliases.isNewAlias(cell.pk, this.#past.aliases.get(name));
  }

  /** Returns whether other classes have declared fields since the snapshot that the class of this value does not declare. */
  #hasNewForeignFields({ table: { name }, row, reader }: RowCell): boolean {
    const then = this.#past.relations.get(name);
    const now = this.#source.reading.space.relationsOf(name).sharedCopy;
    if (then === undefined || then === now || !isRow(row)) return false;
    return reader.isForeign?.(now.othersThan(then).filter((field) => Object.hasOwn(row, field))) === true;
  }

  #update(): void {
    if (this.#version === this.#past.version) return;
    this.#version = this.#past.version;
    for (const name of this.#past.changedTables()) {
      const { known, members, rows } = this.#source.reading.space.table(name).signals;
      this.#signals.add(known).add(members).add(rows);
    }
    const { renamed } = this.#source.reading.space;
    if (renamed.version !== this.#renamed) this.#signals.add(renamed);
  }
}
