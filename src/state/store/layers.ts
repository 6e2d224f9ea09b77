import type { Covers } from '../normalize/write-log.ts';
import type { Row, RowState } from '../../define/schema/row.ts';
import { equalPlain } from '../../std/plain.ts';
import { isRow, type RowCell } from '../tables/table.ts';
import { type Guess, type GuessOptions, type Intent, LayerRows, type LayerSpaces, type Update } from './layer-rows.ts';
import { LayerEdits } from './layer-edits.ts';
import { LayerIndex } from './layer-index.ts';
import { LayerReaders } from './layer-readers.ts';
import type { LayeredStore } from './layered-store.ts';
import { BOTTOM, RowsBelow, TOP } from './rows-below.ts';
import { ShownRows } from './shown-rows.ts';
import type { SnapshotReader } from './snapshot.ts';
import { withEdits } from '../normalize/row-edits.ts';

/** The state of a layer before a change. */
interface Step {
  readonly layer: LayerRows;
  readonly made: LayerRows['made'];
  readonly isInStack: boolean;
}

/**
 * The stack of optimistic layers over the confirmed rows. Readers see the row of the topmost layer, or the confirmed row. Only rows in a
 * layer have both. A guess is made again when rows change from which it was made.
 */
export class Layers {
  readonly covered: Covers;
  readonly #stack = new Set<LayerRows>();
  /** The layers that have written a row. */
  readonly #writers = new LayerIndex<RowCell>();
  /** The layers that update a result, by request key. */
  readonly #updaters = new LayerIndex<string>();
  /** The layers that create a record, by its pk. */
  readonly #creators = new LayerIndex<string>();
  /** The layers by the rows from which their guesses were made. */
  readonly #readers = new LayerReaders();
  readonly #edits: LayerEdits;
  readonly #below: RowsBelow;
  readonly #shown: ShownRows;
  #isReplacing = false;
  /** The changes of the stack since the outermost batch began, for `restore`. */
  readonly #steps: Step[] = [];
  /** The rows that were shown since then, because rows below them had changed. */
  readonly #changed = new Set<RowCell>();
  readonly #spaces: LayerSpaces;
  readonly #store: LayeredStore;
  #top = BOTTOM;

  constructor(spaces: LayerSpaces, store: LayeredStore) {
    this.covered = store.covered;
    this.#spaces = spaces;
    this.#store = store;
    this.#below = new RowsBelow(this.#writers, this.#readers, spaces.core, store);
    this.#edits = new LayerEdits(this.#writers, {
      confirmed: (cell) => store.confirmed(cell).row,
      editedRow: (cell) => this.#below.editedRow(cell, TOP),
    });
    this.#shown = new ShownRows(this.#writers, this.#edits, this.#below, store);
  }

  get size(): number {
    return this.#stack.size;
  }

  /** Returns the result of a request as guesses update it, wrapped in an object. `undefined` if no guess does. */
  overResult(key: string, stored: unknown): { readonly stored: unknown } | undefined {
    const layers = this.#updaters.get(key);
    let shown = stored;
    layers?.visitAbove(BOTTOM, ({ made }) => {
      shown = (made.updates.get(key) as Update)(shown);
      return false;
    });
    return layers && { stored: shown };
  }

  /** Makes a guess on top of what is shown. Does not show it. Throws what the intent throws. */
  make(intent: Intent, options: GuessOptions): LayerRows {
    // The layer gets the same temporary pks each time its guess is made. No other layer gets them.
    const own: string[] = [];
    const layer = new LayerRows(
      this.#top + 1,
      intent,
      this.#spaces,
      (table, nth) => (own[nth] ??= this.#store.temporaryPks.make(table, options.elsewhere?.[nth])),
      options,
    );
    layer.make(this.#below.reader(layer.position), this.#store.now());
    return layer;
  }

  /** Adds a layer on top. If its intent throws, rethrows the error, and the stack is unchanged. */
  push(intent: Intent, options: GuessOptions): LayerRows {
    const layer = this.make(intent, options);
    this.#top = layer.position;
    this.#steps.push({ layer, made: layer.made, isInStack: false });
    const below = this.#below.reader(layer.position);
    const { edits, rows } = layer.made;
    const shown = new Map<RowCell, RowState>();
    for (const cell of rows.keys()) {
      const { row } = below(cell);
      shown.set(cell, edits.has(cell) ? row : layer.applyTo(cell, row));
    }
    this.#add(layer);
    for (const [cell, row] of shown)
      if (!edits.has(cell)) {
        this.#reorder(cell, layer.position, isRow(cell.row));
        this.#shown.showRow(cell, row);
      }
    this.#edits.add(layer.made);
    for (const [cell, edited] of edits) {
      const patched = this.#edits.patchTracked(cell);
      const row = shown.get(cell);
      // Which members a page shows depends on all edits.
      const over = (): RowState =>
        Array.isArray(row) ? this.#below.row(cell, TOP) : withEdits(row, edited, this.#below.editedRow(cell, TOP));
      this.#shown.showRow(cell, patched ?? over(), patched !== undefined);
    }
    this.#showChanged();
    return layer;
  }

  /** Returns whether a guess creates the record with this pk. */
  isCreating(pk: string): boolean {
    return this.#creators.get(pk) !== undefined;
  }

  /** The number of steps since the outermost batch began. */
  get steps(): number {
    return this.#steps.length;
  }

  /** Forgets the steps, so that nothing done so far can be undone. */
  keep(): void {
    this.#steps.length = 0;
    this.#changed.clear();
  }

  /** Undoes the changes of the stack after a number of steps. The confirmed rows must have been undone before. */
  restore(steps: number): void {
    // A patched row changes with the row below, without a step of its own.
    const changed = new Set([...this.#changed, ...this.#readers.takeChanged()]);
    while (this.#steps.length > steps) {
      const { layer, made, isInStack } = this.#steps.pop() as Step;
      for (const cell of layer.made.rows.keys()) changed.add(cell);
      for (const cell of made.rows.keys()) changed.add(cell);
      this.#delete(layer);
      layer.made = made;
      if (isInStack) this.#add(layer);
    }
    this.#edits.forget(changed);
    this.#shown.show(changed);
  }

  /** Returns every row from which a guess was made. */
  *readCells(): Generator<RowCell> {
    for (const layer of this.#stack) yield* layer.readCells();
  }

  /** Drops every layer. */
  clear(): void {
    for (const layer of [...this.#stack]) this.#remove(layer);
    this.#edits.clear();
    this.#readers.forgetChanges();
    this.#shown.show([...this.covered.keys()]);
  }

  /**
   * Removes a layer from the stack and calls `replace`. Readers see both changes at once, and each dependent guess is made once. `replace`
   * returns the cells that no layer uses any more.
   */
  replace(layer: LayerRows, replace: () => Iterable<RowCell>): void {
    this.#isReplacing = true;
    try {
      if (this.#stack.has(layer)) this.#remove(layer);
      for (const cell of replace()) {
        this.#readers.change(cell, BOTTOM);
        this.#readers.changeTable(cell.pk, BOTTOM);
      }
    } finally {
      this.#isReplacing = false;
    }
    this.#settle();
  }

  /** Notes that something other than rows has changed on which an intent depends. It runs again when the stack is settled next. */
  outdate(layer: LayerRows): void {
    if (!this.#stack.has(layer)) return;
    layer.isOutdated = true;
    this.#readers.toRemake.add(layer);
  }

  /** Makes every guess again, because new relations and pks can change how guesses are stored. */
  outdateAll(): void {
    for (const layer of this.#stack) this.outdate(layer);
    this.#settle();
  }

  /** Whether readers may see a row that differs from the confirmed one. */
  get hasLayers(): boolean {
    return this.#stack.size > 0 || this.covered.size > 0;
  }

  /** Makes guesses again that depend on changed confirmed rows, and shows the result. `arrived`: the lists that were answered as a whole. */
  settle(changed: ReadonlyMap<RowCell, RowState>, arrived: Iterable<RowCell> = []): void {
    // An equal page may have become the last one, which has room for more members.
    for (const cell of arrived) if (this.#edits.has(cell)) this.#readers.change(cell, BOTTOM, undefined, true);
    for (const [cell, before] of changed) {
      const { collection, hasReader } = cell.table;
      // A row without a known schema can turn out to be a collection.
      if (before === undefined && (collection !== undefined || !hasReader)) this.#readers.addRow(cell, BOTTOM);
      const { row } = this.#store.confirmed(cell);
      this.#readers.replace(cell, BOTTOM, before, row);
      this.#reorder(cell, BOTTOM, isRow(before) && isRow(row));
    }
    if (!this.#isReplacing) this.#settle();
  }

  #settle(): void {
    const { toRemake } = this.#readers;
    for (let layer = toRemake.shift(); layer !== undefined; layer = toRemake.shift()) this.#remake(layer);
    this.#showChanged();
  }

  #showChanged(): void {
    const changed = this.#readers.takeChanged();
    for (const cell of changed) this.#changed.add(cell);
    this.#shown.show(changed);
  }

  #remake(layer: LayerRows): void {
    const before = layer.made;
    layer.remake(this.#below.reader(layer.position), this.#store.now());
    const { made } = layer;
    this.#steps.push({ layer, made: before, isInStack: true });
    this.#edits.change(before, made);
    if (!layer.dependsAs(before)) {
      this.#index('delete', layer, before);
      this.#index('add', layer, made);
    }
    this.#moveRows(layer, before);
  }

  /** Updates the index to the rows of a layer that was made again, and outdates layers above. */
  #moveRows(layer: LayerRows, before: LayerRows['made']): void {
    const { edits, rows } = layer.made;
    for (const [cell, row] of before.rows) {
      if (row !== rows.get(cell)) this.#reorder(cell, layer.position);
      if (!rows.has(cell)) {
        this.#writers.delete([cell], layer);
        this.#readers.change(cell, layer.position);
      } else if (!equalPlain(before.edits.get(cell), edits.get(cell)))
        this.#readers.change(cell, layer.position, undefined, true);
      else if (!edits.has(cell)) this.#readers.replace(cell, layer.position, row, rows.get(cell));
    }
    for (const cell of rows.keys()) {
      if (before.rows.has(cell)) continue;
      this.#readers.addRow(cell, layer.position);
      this.#writers.add([cell], layer);
      this.#readers.change(cell, layer.position);
      this.#reorder(cell, layer.position);
    }
  }

  /** Handles a record that has changed at a position in the stack: members that guesses add can have other places in lists with an order. */
  #reorder(cell: RowCell, position: number, isUpdate = true): void {
    for (const list of this.#edits.reorder(cell, isUpdate)) this.#readers.changeOrder(list, position);
  }

  #remove(layer: LayerRows): void {
    this.#steps.push({ layer, made: layer.made, isInStack: true });
    this.#delete(layer);
    this.#edits.remove(layer.made);
    const { edits, patch, rows } = layer.made;
    for (const [cell, row] of rows) {
      const isOverRow = !edits.has(cell) && isRow(this.#below.row(cell, layer.position));
      const fields = isOverRow && patch !== undefined ? Object.keys(row as Row) : undefined;
      this.#readers.change(cell, layer.position, fields, fields !== undefined || edits.has(cell));
      this.#reorder(cell, layer.position, isOverRow);
    }
  }

  #add(layer: LayerRows): void {
    this.#stack.add(layer);
    this.#writers.add(layer.made.rows.keys(), layer);
    this.#edits.noteOrdered(layer.made.edits);
    this.#index('add', layer, layer.made);
  }

  #delete(layer: LayerRows): void {
    if (!this.#stack.delete(layer)) return;
    this.#readers.toRemake.delete(layer);
    this.#writers.delete(layer.made.rows.keys(), layer);
    this.#index('delete', layer, layer.made);
  }

  /**
   * Adds a layer to the indexes of the data that its guess has read, of the records that it creates and of the results that it updates, or
   * deletes it there.
   */
  #index(method: 'add' | 'delete', layer: LayerRows, made: LayerRows['made']): void {
    this.#readers.index(method, layer, made);
    this.#creators[method](
      made.created.map(({ pk }) => pk),
      layer,
    );
    if (made.updates.size === 0) return;
    this.#updaters[method](made.updates.keys(), layer);
    for (const key of made.updates.keys()) this.#store.showRequest(key);
  }

  /** Returns the guess of a layer on top of the confirmed rows alone. */
  guessOnConfirmed(layer: LayerRows): Guess | undefined {
    return layer.guessOn(this.#below.reader(BOTTOM));
  }

  /** Calls a function with a reader of the confirmed rows. */
  onConfirmed<T>(run: (confirmed: SnapshotReader) => T): T {
    return this.#spaces.use(this.#below.reader(BOTTOM), ({ snapshot }) => run(snapshot));
  }
}
