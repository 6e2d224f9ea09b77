import { ListJoin } from '../../define/schema/collection-members.ts';
import { ListEdits } from '../../define/schema/list-edits.ts';
import { LeaveEdits } from '../../define/schema/list-leave.ts';
import { MapEdits } from '../../define/schema/map-edits.ts';
import type { Row, RowPlace, RowSchema, RowState } from '../../define/schema/schema.ts';
import { equalPlain } from '../../std/plain.ts';
import type { RowEdit } from '../normalize/row-edits.ts';
import type { RowCell } from '../tables/table.ts';
import type { LayerIndex, LayerList } from './layer-index.ts';
import type { MadeGuess } from './layer-rows.ts';

/** The rows around the edited ones. */
interface EditedRows {
  confirmed(cell: RowCell): RowState;
  /** Returns the place of a row among the rows that readers see. */
  placeOf(cell: RowCell): RowPlace;
}

const NONE: readonly RowCell[] = [];

/** The lists and maps that several guesses edit, and that no guess replaces. They are patched when a guess is over. */
export class LayerEdits {
  readonly #lists = new Map<RowCell, ListEdits | LeaveEdits | MapEdits>();
  /** The edited lists whose order depends on other rows. */
  readonly #ordered = new Set<RowCell>();
  readonly #writers: LayerIndex<RowCell>;
  readonly #rows: EditedRows;

  constructor(writers: LayerIndex<RowCell>, rows: EditedRows) {
    this.#writers = writers;
    this.#rows = rows;
  }

  /** Notes a new guess on top. */
  add({ edits, rows }: MadeGuess): void {
    for (const [cell, row] of rows) {
      const own = edits.get(cell);
      const list = this.#lists.get(cell);
      if (own === undefined || list?.add(own, row as readonly unknown[], this.#rows.placeOf(cell)) === false)
        this.#lists.delete(cell);
      else if (this.#writers.get(cell)?.size === 1) this.#follow(cell, own);
    }
    forget(edits, rows);
  }

  /** Notes that a guess is over. */
  remove({ edits }: MadeGuess): void {
    for (const [cell, own] of edits) this.#lists.get(cell)?.remove(own);
  }

  /** Notes that a guess was made again. */
  change(before: MadeGuess, now: MadeGuess): void {
    for (const cell of [...before.rows.keys(), ...now.rows.keys()]) {
      const own = before.edits.get(cell);
      if (own === undefined || !equalPlain(own, now.edits.get(cell))) this.#lists.delete(cell);
    }
    this.noteOrdered(now.edits);
    forget(now.edits, now.rows);
  }

  clear(): void {
    this.#lists.clear();
  }

  /** Whether the edits of a row are patched. */
  has(cell: RowCell): boolean {
    return this.#lists.has(cell);
  }

  /** Notes the lists whose order depends on other rows. */
  noteOrdered(edits: MadeGuess['edits']): void {
    for (const [cell, own] of edits) if (own.some(({ repeat }) => repeat.readsRows === true)) this.#ordered.add(cell);
  }

  /**
   * Notes that a row of a table has changed. Returns the lists whose order this may change. A list that is patched has changed itself if the
   * row was added or removed, and is no `isUpdate`.
   */
  reorder(table: string, isUpdate: boolean): readonly RowCell[] {
    return this.#ordered.size === 0
      ? NONE
      : Array.from(this.#ordered).filter((cell) => {
          const { follows, reads } = cell.table.collection as RowSchema;
          if (follows?.includes(table) !== true && reads?.has(table) !== true) return false;
          const edits = this.#lists.get(cell);
          if (!(edits instanceof ListEdits)) return true;
          edits.isOutdated ||= isUpdate;
          return edits.isOutdated;
        });
  }

  /** Returns the list or map that readers see now. `undefined` if the edits have to be repeated. */
  over(cell: RowCell): Row | undefined {
    const writers = this.#writers.get(cell);
    const patched = this.#lists.get(cell)?.over(this.#rows.confirmed(cell), cell.row as Row, this.#rows.placeOf(cell));
    if (writers === undefined) {
      this.#lists.delete(cell);
      this.#ordered.delete(cell);
    } else if (patched === undefined) this.#follow(cell, editsOf(cell, writers));
    return patched;
  }

  /** As `over`, after a guess was added. */
  overAdded(cell: RowCell): Row | undefined {
    return this.#lists.get(cell) instanceof ListEdits ? this.over(cell) : undefined;
  }

  /** Returns whether a page may have no room for members that edits add. Which it shows depends on all edits. */
  isPage(cell: RowCell, edits: readonly RowEdit[]): boolean {
    const place = this.#rows.placeOf(cell);
    const list = this.#rows.confirmed(cell) as readonly unknown[];
    return edits.some(({ repeat }) => repeat instanceof ListJoin && Number.isFinite(repeat.mostIn(list, place)));
  }

  #follow(cell: RowCell, edits: readonly RowEdit[] | undefined): void {
    const base = this.#rows.confirmed(cell);
    const made = edits && (ListEdits.of(base, edits) ?? LeaveEdits.of(base, edits) ?? MapEdits.of(base, edits));
    if (made === undefined) this.#lists.delete(cell);
    else this.#lists.set(cell, made);
  }
}

/** Returns the edits of a row by several guesses. `undefined` if one of them does not only edit it. */
function editsOf(cell: RowCell, writers: LayerList): readonly RowEdit[] | undefined {
  const edits: RowEdit[] = [];
  let isEdited = true;
  writers.visitAbove(0, ({ made }) => {
    const own = made.edits.get(cell);
    for (const edit of own ?? []) edits.push(edit);
    isEdited = own !== undefined;
    return !isEdited;
  });
  return isEdited ? edits : undefined;
}

/** Forgets rows that are only edited: they change with those below. A copy of a list for each guess would take much memory. */
function forget(edits: MadeGuess['edits'], rows: MadeGuess['rows']): void {
  for (const cell of edits.keys()) rows.set(cell, undefined);
}
