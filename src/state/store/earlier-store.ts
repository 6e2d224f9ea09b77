import type { Queryable } from '../../define/schema/infer-schema.ts';
import { INVALID, type RowState } from '../../define/schema/row.ts';
import { CellFinder } from '../denormalize/cell-finder.ts';
import { PresentReader } from '../denormalize/present-reader.ts';
import type { Cell } from '../graph/cell.ts';
import { SignalCell } from '../graph/signal-cell.ts';
import { EarlierAliases } from '../tables/aliases.ts';
import { showAgain } from '../tables/row-variants.ts';
import { isRow, RowCell, type Table } from '../tables/table.ts';
import { type Commit, type RequestChange, type RowChange, rowsSeen } from './commit.ts';
import type { StoreCore } from './store-core.ts';
import { Queries } from './queries.ts';
import { renameInIndexes, markReplaced } from './rename.ts';
import type { Found } from './request-cell.ts';
import { copyKeptRow, type KeptRequests, type KeptRows, keptOrPresent } from './kept-states.ts';
import { RequestCells, type RequestRead } from './request-cells.ts';

type RequestShown = RequestChange['after'];

/** A value, and whether everything from which it is built is the same in the store. */
export interface EarlierValue<Value = unknown> {
  readonly value: Value;
  readonly isPresent: boolean;
}

/**
 * A store with some rows and results in an earlier state, for example without some of its commits. It applies later commits, and keeps the
 * identity of values that these do not change. A snapshot, in contrast, never changes.
 */
export class EarlierStore {
  readonly #core: StoreCore;
  readonly #rows: KeptRows;
  readonly #requests: KeptRequests;
  readonly #reading: CellFinder;
  readonly #queries: Queries;
  readonly #cells: RequestCells;
  readonly #readKeys = new Set<string>();
  readonly #wholeTables = new Set<string>();
  /** For clean cells: whether everything from which they are built is the same in the store. */
  readonly #isPresent = new WeakMap<Cell, boolean>();

  constructor(core: StoreCore, rows: KeptRows, requests: KeptRequests) {
    this.#core = core;
    this.#rows = rows;
    this.#requests = requests;
    const { isFrozen, space } = core.reading;
    const below = {
      copyRow: (cell: RowCell): void => this.#copyRow(cell),
      copyAll: (table: Table): void => this.#copyAll(table),
      aliases: (name: string) =>
        new EarlierAliases(space.table(name).aliases, (temporary) => isRow(rows.get(name)?.get(temporary))),
      names: () => space.tables.keys(),
      relations: (name: string) => space.relationsOf(name),
    };
    const presentCell = ({ table, pk }: RowCell): RowCell | undefined => space.tables.get(table.name)?.cells.get(pk);
    this.#reading = new CellFinder(isFrozen, below, (reader) => new PresentReader(reader, presentCell));
    this.#queries = new Queries(this.#reading);
    this.#cells = new RequestCells(this.#reading, { queries: this.#queries }, keptOrPresent(requests, core.states));
  }

  get(schema: Queryable, args: readonly unknown[]): EarlierValue {
    const { value, isPresent } = this.#read(this.#queries.cell(schema, args));
    return { value: value === INVALID ? undefined : value, isPresent };
  }

  /** Returns the state and value of a request. */
  request(read: RequestRead): EarlierValue<Found> {
    const { key } = read;
    this.#readKeys.add(key);
    const { value, isPresent } = this.#read(this.#cells.request(read));
    const isSame = !this.#requests.has(key) || this.#requests.get(key) === this.#core.states.get(key);
    return { value: value as Found, isPresent: isPresent && isSame };
  }

  #read(cell: Cell): EarlierValue {
    const wasClean = cell.clean;
    const value = this.#reading.read(cell);
    const isPresent = (wasClean ? this.#isPresent.get(cell) : undefined) ?? this.#hasOnlyPresentParts(cell);
    this.#isPresent.set(cell, isPresent);
    return { value, isPresent };
  }

  #hasOnlyPresentParts(root: Cell): boolean {
    const changed = this.#changedCells();
    const isRenamed = changed.has(this.#reading.space.renamed);
    const seen = new Set([root]);
    // Iterating a set also visits elements that are added meanwhile.
    for (const cell of seen) {
      if (changed.has(cell instanceof RowCell ? cell.home : cell)) return false;
      // A lookup also finds rows by the pk that has replaced a temporary one in them.
      const isOfLookup = cell instanceof SignalCell && cell.partOf !== undefined;
      if (isOfLookup && (isRenamed || this.#rows.has(cell.partOf))) return false;
      for (const part of cell.parts) if (part !== undefined) seen.add(part);
    }
    return true;
  }

  /** Returns the cells of rows that differ from the store, and the signals of their tables. */
  #changedCells(): Set<Cell> {
    const changed = new Set<Cell>();
    for (const [name, rows] of this.#rows) {
      const table = this.#reading.space.tables.get(name);
      if (table === undefined) continue;
      changed.add(table.signals.members).add(table.signals.known).add(table.signals.rows);
      const { aliases } = this.#core.reading.space.table(name);
      for (const pk of rows.keys()) {
        if (aliases.has(pk)) changed.add(this.#reading.space.renamed);
        const cell = table.find(pk);
        if (cell !== undefined) changed.add(cell);
      }
    }
    return changed;
  }

  #copyRow(cell: RowCell): void {
    copyKeptRow(cell, this.#rows.get(cell.table.name), this.#core.reading.space);
  }

  #copyAll(table: Table): void {
    this.#wholeTables.add(table.name);
    const home = this.#core.reading.space.table(table.name);
    if (home.isRemembered) table.remember();
    table.arrange(home.order.cells.keys());
    for (const pk of this.#rows.get(table.name)?.keys() ?? []) table.cellOf(pk);
  }

  /** Applies a later commit. Returns true if it changed something that was read here. */
  apply(commit: Commit): boolean {
    const { shown, requests } = commit;
    let isRead = false;
    for (const change of rowsSeen(commit)) if (this.#applyRow(change)) isRead = true;
    for (const { table, pk } of shown) this.#rename(this.#reading.space.tables.get(table), pk);
    const { tables } = this.#core.reading.space;
    const isRenamed = shown.some(({ table, pk }) => tables.get(table)?.aliases.has(pk) === true);
    if (isRenamed) renameInIndexes(this.#reading.space, new Map());
    for (const { key, before, after } of requests) {
      const isKept = this.#requests.has(key);
      const earlier = isKept ? this.#requests.get(key) : before;
      const later = withLaterRequestChange(earlier, before, after);
      if (isKept) this.#requests.set(key, later);
      if (!this.#readKeys.has(key)) continue;
      isRead = true;
      this.#cells.noteChange(key, earlier, later, new Map());
    }
    return isRead;
  }

  #applyRow(change: RowChange): boolean {
    const pk = keepLaterChange(this.#rows, change, this.#core);
    const table = this.#reading.space.tables.get(change.table);
    const known = table?.cells.get(pk);
    if (table === undefined || (known === undefined && !this.#wholeTables.has(table.name))) return false;
    const last = known?.row;
    const cell = known ?? table.cellOf(pk);
    this.#copyRow(cell);
    if (cell.row === last) return false;
    table.noteChange(cell, last, new Map(), false);
    return true;
  }

  /** If a temporary pk has become an alias, its record is found by the pk of the server, and has the place of its guess. */
  #rename(table: Table | undefined, pk: string): void {
    const guess = table?.cells.get(pk);
    const server = table?.find(pk);
    if (guess === undefined || guess === server) return;
    markReplaced(guess, new Map());
    if (server === undefined || server.arrival < guess.arrival) return;
    showAgain(server, (cell, before) => server.table.noteChange(cell, before, new Map(), false));
    server.table.order.placeAfter(server, guess);
  }
}

/**
 * Applies a later change to a kept row. The record of a create whose answer is left out has its later changes under its temporary pk. Returns the
 * pk under which the change is shown.
 */
export function keepLaterChange(kept: KeptRows, { table, pk, before, after }: RowChange, core: StoreCore): string {
  const rows = kept.get(table);
  if (rows?.has(pk) !== true) return pk;
  const isShown = (known: string): boolean => isRow(rows.get(known));
  const temporaries = core.reading.space.table(table).aliases.temporariesOf(pk);
  const shownPk = isShown(pk) ? pk : (temporaries.find(isShown) ?? pk);
  const row = withLaterChange(rows.get(shownPk), before, after);
  // The temporary pk of a deleted record leads to its pk.
  rows.set(shownPk, row).set(isRow(row) ? shownPk : pk, row);
  return shownPk;
}

/** Returns a row that lacks an earlier change, with a later change applied: only the fields that the later change affects. */
export function withLaterChange(row: RowState, before: RowState, after: RowState): RowState {
  if (row === before || !isRecord(row) || !isRecord(before) || !isRecord(after)) return after;
  const changed = Object.entries(after).filter(([name, value]) => value !== before[name]);
  return { ...row, ...Object.fromEntries(changed) };
}

/**
 * Returns a request that lacks an earlier change, with a later change applied. If the later change has no other results, the results stay
 * as they are here: unanswered or invalidated.
 */
export function withLaterRequestChange(state: RequestShown, before: RequestShown, after: RequestShown): RequestShown {
  if (state === before || before === undefined || after === undefined) return after;
  const staysInvalidated = before.note?.isInvalidated === true && after.note?.isInvalidated === true;
  if (staysInvalidated) return state;
  if (before.results !== after.results) return after;
  if (before.note === after.note || state === undefined || state.note?.isInvalidated === true) return state;
  return { results: state.results, note: after.note };
}

/** Returns false for lists, which are replaced as a whole. */
function isRecord(shown: RowState): shown is Readonly<Record<string, unknown>> {
  return typeof shown === 'object' && !Array.isArray(shown);
}
