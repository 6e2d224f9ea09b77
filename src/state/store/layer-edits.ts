import { ListEdits } from '../../define/schema/list-edits.ts';
import { MapEdits } from '../../define/schema/map-edits.ts';
import type { Row, RowState } from '../../define/schema/schema.ts';
import { equalPlain } from '../../std/plain.ts';
import type { RowEdit } from '../normalize/row-edits.ts';
import type { RowCell } from '../tables/table.ts';
import type { LayerIndex, LayerList } from './layer-index.ts';
import type { MadeGuess } from './layer-rows.ts';

/** The lists and maps that several guesses edit, and that no guess replaces. They are patched when a guess is over. */
export class LayerEdits {
  readonly #lists = new Map<RowCell, ListEdits | MapEdits>();
  readonly #writers: LayerIndex<RowCell>;
  readonly #confirmed: (cell: RowCell) => RowState;

  constructor(writers: LayerIndex<RowCell>, confirmed: (cell: RowCell) => RowState) {
    this.#writers = writers;
    this.#confirmed = confirmed;
  }

  /** Notes a new guess on top. */
  add({ edits, rows }: MadeGuess): void {
    for (const cell of rows.keys()) {
      const own = edits.get(cell);
      if (own === undefined || this.#lists.get(cell)?.add(own) === false) this.#lists.delete(cell);
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
    forget(now.edits, now.rows);
  }

  clear(): void {
    this.#lists.clear();
  }

  /** Returns the list or map that readers see now. `undefined` if the edits have to be repeated. */
  over(cell: RowCell): Row | undefined {
    const writers = this.#writers.get(cell);
    const patched = this.#lists.get(cell)?.over(this.#confirmed(cell), cell.row as readonly unknown[]);
    if (writers === undefined) this.#lists.delete(cell);
    else if (patched === undefined) this.#follow(cell, editsOf(cell, writers));
    return patched;
  }

  #follow(cell: RowCell, edits: readonly RowEdit[] | undefined): void {
    const base = this.#confirmed(cell);
    const made = edits && (ListEdits.of(base, edits) ?? MapEdits.of(base, edits));
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
