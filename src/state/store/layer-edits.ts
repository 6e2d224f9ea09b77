import type { Row, RowEdit, RowState } from '../../define/schema/row.ts';
import type { RowSchema } from '../../define/schema/schema.ts';
import type { EditedRow, TrackedEdits } from '../../define/schema/tracked-edits.ts';
import { ASSIGN } from '../../define/schema/map-edits.ts';
import { memo } from '../../std/memo.ts';
import { trackedEdits } from '../normalize/row-edits.ts';
import type { RowCell } from '../tables/table.ts';
import type { LayerIndex, LayerList } from './layer-index.ts';
import type { MadeGuess } from './layer-rows.ts';

/** The rows around the edited ones. */
interface EditedRows {
  confirmed(cell: RowCell): RowState;
  /** Returns what edits of a row read: the row, and the other rows as readers see them. */
  editedRow(cell: RowCell): EditedRow;
}

/** The rows that guesses only edit, and that no guess replaces. They are patched when edits come or go. */
export class LayerEdits {
  readonly #tracked = new Map<RowCell, TrackedEdits>();
  /** The edited lists whose order depends on other rows, by the tables of these rows. */
  readonly #ordered = new Map<string, Set<RowCell>>();
  readonly #writers: LayerIndex<RowCell>;
  readonly #rows: EditedRows;

  constructor(writers: LayerIndex<RowCell>, rows: EditedRows) {
    this.#writers = writers;
    this.#rows = rows;
  }

  /** Notes a new guess on top. */
  add(made: MadeGuess): void {
    for (const cell of made.rows.keys()) {
      const own = editsIn(made, cell);
      const tracked = this.#tracked.get(cell);
      if (own === undefined || tracked?.add(own) === false) this.#tracked.delete(cell);
      else if (made.patch === undefined && this.#writers.get(cell)?.size === 1) this.#track(cell, own);
    }
  }

  /** Notes that a guess is over. */
  remove(made: MadeGuess): void {
    for (const cell of made.rows.keys()) {
      const own = editsIn(made, cell);
      if (own !== undefined) this.#tracked.get(cell)?.remove(own);
    }
  }

  /** Notes that a guess was made again. */
  change(before: MadeGuess, now: MadeGuess): void {
    for (const cell of [...before.rows.keys(), ...now.rows.keys()]) {
      const [own, other] = [before, now].map(({ edits, patch, rows }) =>
        (patch === undefined ? edits : rows).get(cell),
      );
      if (own === undefined || own !== other) this.#tracked.delete(cell);
    }
    this.noteOrdered(now.edits);
  }

  clear(): void {
    this.#tracked.clear();
  }

  /** Edits of these rows are repeated when they are needed next. */
  forget(cells: Iterable<RowCell>): void {
    for (const cell of cells) this.#tracked.delete(cell);
  }

  /** Returns whether the edits of a row are patched. */
  has(cell: RowCell): boolean {
    return this.#tracked.has(cell);
  }

  /** Notes the lists whose order depends on other rows. */
  noteOrdered(edits: MadeGuess['edits']): void {
    for (const [cell, own] of edits)
      if (own.some(({ repeat }) => repeat.readsRows === true))
        for (const table of tablesOf(cell)) memo(this.#ordered, table, () => new Set<RowCell>()).add(cell);
  }

  /**
   * Notes that a row has changed. Returns the lists whose order this may change. A list that is patched has changed itself if the row was
   * added or removed, and is no `isUpdate`.
   */
  reorder(cell: RowCell, isUpdate: boolean): readonly RowCell[] {
    const lists = this.#ordered.get(cell.table.name);
    return lists === undefined ? NONE : Array.from(lists).filter((list) => this.#isReordered(list, cell, isUpdate));
  }

  #isReordered(list: RowCell, { pk, table }: RowCell, isUpdate: boolean): boolean {
    const edits = this.#tracked.get(list);
    if (edits === undefined) return true;
    const { reads } = list.table.collection as RowSchema;
    if (isUpdate && reads?.has(table.name) !== true) return edits.change?.(table.name, pk) === true;
    edits.isOutdated ||= isUpdate;
    return edits.isOutdated;
  }

  /** Returns the row that readers see now. `undefined` if it is not patched. */
  patch(cell: RowCell): Row | undefined {
    const writers = this.#writers.get(cell);
    const isFew = cell.table.collection === undefined && Number(writers?.size) <= MAX_GUESSES_UNTRACKED;
    if (writers !== undefined && !isFew && !this.#tracked.has(cell)) this.#track(cell, editsOf(cell, writers));
    const patched = this.patchTracked(cell);
    if (writers !== undefined) return patched;
    this.#tracked.delete(cell);
    for (const table of tablesOf(cell)) this.#ordered.get(table)?.delete(cell);
    return patched;
  }

  /** As `patch`, if the edits of the row are patched already. */
  patchTracked(cell: RowCell): Row | undefined {
    const patched = this.#tracked.get(cell)?.applyTo(this.#rows.confirmed(cell), cell.row, this.#rows.editedRow(cell));
    if (patched === undefined) this.#tracked.delete(cell);
    return patched;
  }

  #track(cell: RowCell, edits: readonly RowEdit[] | undefined): void {
    const tracked = edits && trackedEdits(this.#rows.confirmed(cell), edits);
    if (tracked !== undefined) this.#tracked.set(cell, tracked);
  }
}

/** The fields of more guesses than this over one record are tracked; to put those of fewer over its row takes less time. */
const MAX_GUESSES_UNTRACKED = 8;

const NONE: readonly RowCell[] = [];

/** Returns how a guess edits a row. `undefined` if it replaces the row. A patch sets the fields of a record, as the entries of a map are set. */
function editsIn({ edits, patch, rows }: MadeGuess, cell: RowCell): readonly RowEdit[] | undefined {
  return patch === undefined ? edits.get(cell) : [{ repeat: ASSIGN, incoming: rows.get(cell) as Row }];
}

/** Returns the tables of the rows that decide the order of a list. */
function tablesOf({ table: { collection } }: RowCell): Iterable<string> {
  return [...(collection?.follows ?? []), ...(collection?.reads ?? [])];
}

/** Returns the edits of a row by several guesses. `undefined` if one of them does not only edit it. */
function editsOf(cell: RowCell, writers: LayerList): readonly RowEdit[] | undefined {
  const edits: RowEdit[] = [];
  let isEdited = true;
  writers.visitAbove(0, ({ made }) => {
    const own = editsIn(made, cell);
    for (const edit of own ?? []) edits.push(edit);
    isEdited = own !== undefined;
    return !isEdited;
  });
  return isEdited ? edits : undefined;
}
