import type { Covered, Covers } from '../normalize/write-log.ts';
import type { Row, RowState } from '../../define/schema/schema.ts';
import { equalPlain } from '../../std/plain.ts';
import { overlay } from '../normalize/combine.ts';
import { isRow, type RowCell } from '../tables/table.ts';
import { type Guess, type Intent, isRenamed, LayerRows, type LayerSpaces, type Update } from './layer-rows.ts';
import { LayerIndex, LayerList } from './layer-index.ts';
import { arrivalsIn, type Beneath, listsOf } from './layer-space.ts';
import { combined, differing, isAnyOf } from '../normalize/row-fields.ts';
import type { TemporaryPkMaker } from './temporary-pk-maker.ts';

/** The store under the layers. */
export interface LayeredStore {
  /** The confirmed rows under the layers. */
  readonly covered: Covers;
  readonly temporaryPks: TemporaryPkMaker;
  confirmed(cell: RowCell): Covered;
  now(): number;
  /** Told of each row that readers see differently from now on. */
  show(cell: RowCell, before: RowState): void;
  /** Told of each request key of whose result guesses make something else from now on. */
  showRequest(key: string): void;
}

/** What there was of a layer before it changed. */
interface Step {
  readonly layer: LayerRows;
  readonly made: LayerRows['made'];
  readonly isInPile: boolean;
}

/** The position of the confirmed rows. */
const BOTTOM = 0;

/**
 * The pile of optimistic layers over the confirmed rows. What readers see is the topmost layer's row, or the confirmed
 * one; only rows that a layer touches have both. When rows change that a guess was made of, it is made again.
 */
export class Layers {
  readonly covered: Covers;
  readonly #pile = new Set<LayerRows>();
  /** The layers that have written a row; those that were made of one; and those that looked at a whole table. */
  readonly #writers = new LayerIndex<RowCell>();
  readonly #readers = new LayerIndex<RowCell>();
  readonly #tableReaders = new LayerIndex<string>();
  /** The layers that make something of a result, by request key. */
  readonly #updaters = new LayerIndex<string>();
  /** What is to be settled: rows that changed, and layers to make again. */
  readonly #changed = new Set<RowCell>();
  readonly #outdated = new LayerList();
  #isReplacing = false;
  /** What undoes what was done to the pile since the outermost batch began. */
  readonly #steps: Step[] = [];
  readonly #spaces: LayerSpaces;
  readonly #store: LayeredStore;
  #top = BOTTOM;

  constructor(spaces: LayerSpaces, store: LayeredStore) {
    this.covered = store.covered;
    this.#spaces = spaces;
    this.#store = store;
  }

  get size(): number {
    return this.#pile.size;
  }

  /** What guesses make of the result of a request, in an object; `undefined` where they leave it as it is. */
  overResult(key: string, stored: unknown): { readonly stored: unknown } | undefined {
    const layers = this.#updaters.get(key);
    let shown = stored;
    layers?.visitAbove(BOTTOM, ({ made }) => {
      shown = (made.updates.get(key) as Update)(shown);
      return false;
    });
    return layers && { stored: shown };
  }

  /** Puts a layer on top. What its intent throws, goes to the caller, and the pile stays as it was. */
  push(intent: Intent): LayerRows {
    // The same pks each time the guess is made, and never those of another layer.
    const own: string[] = [];
    this.#top++;
    const layer = new LayerRows(
      this.#top,
      intent,
      this.#spaces,
      (nth) => (own[nth] ??= this.#store.temporaryPks.make()),
    );
    layer.make(this.#beneath(layer.position), this.#store.now());
    this.#steps.push({ layer, made: layer.made, isInPile: false });
    const below = this.#beneath(layer.position);
    const shown = Array.from(layer.made.rows.keys(), (cell) => [cell, layer.over(cell, below(cell).row)] as const);
    this.#add(layer);
    for (const [cell, row] of shown) this.#showRow(cell, row);
    return layer;
  }

  /** Whether a guess creates the record that has this pk. */
  isCreating(pk: string): boolean {
    for (const { made } of this.#pile) if (made.created.some((created) => created.pk === pk)) return true;
    return false;
  }

  /** How many steps `restore` would have to undo. */
  get steps(): number {
    return this.#steps.length;
  }

  /** Nothing that was done so far will be undone. */
  keep(): void {
    this.#steps.length = 0;
  }

  /** Makes the pile what it was when there were so many steps. The confirmed rows are again what they were then. */
  restore(steps: number): void {
    this.#changed.clear();
    this.#outdated.clear();
    // A patch lies over another row without having been made again.
    const changed = new Set<RowCell>(this.covered.keys());
    while (this.#steps.length > steps) {
      const { layer, made, isInPile } = this.#steps.pop() as Step;
      for (const cell of layer.made.rows.keys()) changed.add(cell);
      for (const cell of made.rows.keys()) changed.add(cell);
      this.#delete(layer);
      layer.made = made;
      if (isInPile) this.#add(layer);
    }
    this.#show(changed);
  }

  /** Every row that a guess was made of. */
  *readCells(): Generator<RowCell> {
    for (const { made } of this.#pile) {
      yield* made.asked.cells;
      yield* made.asked.fields.keys();
      yield* made.met.cells;
    }
  }

  /** Drops every layer. */
  clear(): void {
    for (const layer of [...this.#pile]) this.#take(layer);
    this.#outdated.clear();
    this.#changed.clear();
    this.#show([...this.covered.keys()]);
  }

  /**
   * Takes a layer out of the pile. What `replace` does meanwhile is seen at the same moment, and each guess that follows
   * from it is made once; it returns the cells that belong to no layer any more.
   */
  replace(layer: LayerRows, replace: () => Iterable<RowCell>): void {
    this.#isReplacing = true;
    try {
      if (this.#pile.has(layer)) this.#take(layer);
      for (const cell of replace()) this.#change(cell, BOTTOM);
    } finally {
      this.#isReplacing = false;
    }
    this.#settle();
  }

  /** What a layer's intent goes by has changed, besides rows: it is asked again when the pile is settled next. */
  outdate(layer: LayerRows): void {
    if (!this.#pile.has(layer)) return;
    layer.isOutdated = true;
    this.#outdated.add(layer);
  }

  /** Relations have become known by which every guess may be filed otherwise. */
  outdateAll(): void {
    for (const layer of this.#pile) this.outdate(layer);
    this.#settle();
  }

  /** Whether a row can be another for readers than the confirmed one. */
  get hasLayers(): boolean {
    return this.#pile.size > 0 || this.covered.size > 0;
  }

  /** Makes the guesses again that depend on confirmed rows that changed, and shows what follows. */
  settle(changed: ReadonlyMap<RowCell, RowState>): void {
    for (const [cell, before] of changed) {
      const { collection, isClaimed } = cell.table;
      // Rows that no schema has claimed yet can turn out to be collections.
      if (before === undefined && (collection !== undefined || !isClaimed)) this.#arrive(cell, BOTTOM);
      this.#become(cell, BOTTOM, before, this.#store.confirmed(cell).row);
    }
    if (!this.#isReplacing) this.#settle();
  }

  #settle(): void {
    for (let layer = this.#outdated.shift(); layer !== undefined; layer = this.#outdated.shift()) this.#remake(layer);
    const changed = [...this.#changed];
    this.#changed.clear();
    this.#show(changed);
  }

  #become(cell: RowCell, position: number, before: RowState, after: RowState): void {
    if (before === after) return;
    const isUpdate = isRow(before) && isRow(after) && this.#readers.get(cell) !== undefined;
    this.#change(cell, position, isUpdate ? differing(before, after) : undefined);
  }

  /**
   * A row has become another at a position in the pile: layers above that see it are outdated. With `fields`, only these have;
   * without, there can be a row that was not there before, or none any more.
   */
  #change(cell: RowCell, position: number, fields?: readonly string[]): void {
    if (fields?.length === 0) return;
    let seen = fields;
    let isHidden = false;
    this.#readers.get(cell)?.visitAbove(position, (layer) => {
      const { asked, patch, rows } = layer.made;
      const row = rows.get(cell) as Row;
      layer.isOutdated ||= asked.cells.has(cell) || isAnyOf(asked.fields.get(cell), seen);
      const isPatched = patch?.cell === cell && !isRenamed(cell);
      if (layer.isOutdated || !isPatched) this.#outdated.add(layer);
      // What lies above sees what this one writes.
      if (isPatched) seen = seen?.filter((field) => !Object.hasOwn(row, field));
      isHidden = isPatched ? seen?.length === 0 : rows.has(cell);
      return isHidden;
    });
    if (!isHidden) this.#changed.add(cell);
    this.#changeTable(cell.table.name, position);
  }

  /** There is a row that was not there before. */
  #arrive({ table: { collection, name } }: RowCell, position: number): void {
    this.#changeTable(arrivalsIn(name), position);
    for (const table of collection?.follows ?? []) this.#changeTable(listsOf(table), position);
  }

  #changeTable(name: string, position: number): void {
    this.#tableReaders.get(name)?.visitAbove(position, (layer) => {
      layer.isOutdated ||= layer.made.asked.tables.has(name);
      this.#outdated.add(layer);
      return false;
    });
  }

  #remake(layer: LayerRows): void {
    const before = layer.made;
    layer.remake(this.#beneath(layer.position), this.#store.now());
    const { made } = layer;
    this.#steps.push({ layer, made: before, isInPile: true });
    if (before.asked !== made.asked || before.met !== made.met) {
      this.#unindexReads(layer, before);
      this.#indexReads(layer);
    }
    if (before.updates !== made.updates) {
      this.#unindexUpdates(layer, before);
      this.#indexUpdates(layer);
    }
    this.#moveRows(layer, before);
  }

  /** Brings the index in line with the rows of a layer that was made again, and tells the layers above. */
  #moveRows(layer: LayerRows, before: LayerRows['made']): void {
    const { rows } = layer.made;
    for (const [cell, row] of before.rows) {
      if (!rows.has(cell)) {
        this.#writers.delete([cell], layer);
        this.#change(cell, layer.position);
      } else this.#become(cell, layer.position, row, rows.get(cell));
    }
    for (const cell of rows.keys()) {
      if (before.rows.has(cell)) continue;
      this.#arrive(cell, layer.position);
      this.#writers.add([cell], layer);
      this.#change(cell, layer.position);
    }
  }

  #take(layer: LayerRows): void {
    this.#steps.push({ layer, made: layer.made, isInPile: true });
    this.#delete(layer);
    const { patch, rows } = layer.made;
    for (const [cell, row] of rows) {
      const isOverRow = patch !== undefined && isRow(this.#below(cell, layer.position));
      this.#change(cell, layer.position, isOverRow ? Object.keys(row as Row) : undefined);
    }
  }

  #add(layer: LayerRows): void {
    this.#pile.add(layer);
    this.#writers.add(layer.made.rows.keys(), layer);
    this.#indexReads(layer);
    this.#indexUpdates(layer);
  }

  #delete(layer: LayerRows): void {
    if (!this.#pile.delete(layer)) return;
    this.#outdated.delete(layer);
    this.#writers.delete(layer.made.rows.keys(), layer);
    this.#unindexReads(layer, layer.made);
    this.#unindexUpdates(layer, layer.made);
  }

  #indexUpdates(layer: LayerRows): void {
    const { updates } = layer.made;
    this.#updaters.add(updates.keys(), layer);
    for (const key of updates.keys()) this.#store.showRequest(key);
  }

  #unindexUpdates(layer: LayerRows, { updates }: LayerRows['made']): void {
    this.#updaters.delete(updates.keys(), layer);
    for (const key of updates.keys()) this.#store.showRequest(key);
  }

  #indexReads(layer: LayerRows): void {
    for (const { cells, tables, fields } of [layer.made.asked, layer.made.met]) {
      this.#readers.add(cells, layer);
      this.#readers.add(fields.keys(), layer);
      this.#tableReaders.add(tables, layer);
    }
  }

  #unindexReads(layer: LayerRows, { asked, met }: LayerRows['made']): void {
    for (const { cells, tables, fields } of [asked, met]) {
      this.#readers.delete(cells, layer);
      this.#readers.delete(fields.keys(), layer);
      this.#tableReaders.delete(tables, layer);
    }
  }

  /** What a layer guesses where nothing lies below it but what is confirmed. */
  askConfirmed(layer: LayerRows): Guess | undefined {
    return layer.askOn(this.#beneath(BOTTOM));
  }

  /** What the cells show below a position. */
  #beneath(position: number): Beneath {
    return (cell) => {
      const top = this.#writers.get(cell)?.below(Number.POSITIVE_INFINITY);
      // Above all layers, it is what readers see.
      const isSeen = top !== undefined && top.position < position && !this.#changed.has(cell);
      return { row: isSeen ? cell.row : this.#below(cell, position), stamp: this.#store.confirmed(cell).stamp };
    };
  }

  #below(cell: RowCell, position: number): RowState {
    let { row }: { row: RowState } = this.#store.confirmed(cell);
    const patches: Row[] = [];
    this.#writers.get(cell)?.visitBelow(position, ({ made: { patch, rows } }) => {
      if (patch === undefined) row = rows.get(cell);
      else patches.push(rows.get(cell) as Row);
      return patch === undefined;
    });
    if (patches.length === 0) return row;
    const fields = patches.length === 1 ? (patches[0] as Row) : combined(patches);
    return isRow(row) ? overlay(row, fields) : fields;
  }

  /** Brings what readers see of these cells in line with the pile. */
  #show(cells: Iterable<RowCell>): void {
    for (const cell of cells) this.#showRow(cell, this.#below(cell, Number.POSITIVE_INFINITY));
  }

  #showRow(cell: RowCell, row: RowState): void {
    const before = cell.row;
    const top = this.#writers.get(cell)?.below(Number.POSITIVE_INFINITY);
    const base = this.covered.get(cell);
    // What is seen stays the same object as long as it says the same.
    const shown = before !== undefined && equalPlain(before, row) ? before : row;
    if (top !== undefined) {
      if (base === undefined) this.covered.set(cell, { row: before, stamp: cell.stamp });
      if (top.made.patch === undefined) top.made.rows.set(cell, shown);
    } else if (base !== undefined) {
      cell.stamp = base.stamp;
      this.covered.delete(cell);
    }
    cell.row = shown;
    if (shown !== before) this.#store.show(cell, before);
  }
}
