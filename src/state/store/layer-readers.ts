import type { Row, RowState } from '../../define/schema/row.ts';
import { differingFields, isAnyOf } from '../normalize/row-fields.ts';
import { isRow, type RowCell } from '../tables/table.ts';
import { LayerIndex, LayerList } from './layer-index.ts';
import { isRenamed } from './plain-guess.ts';
import type { LayerRows } from './layer-rows.ts';
import { arrivalsName, listsName } from './layer-space.ts';

/** The layers by the rows from which their guesses were made. After a change of a row, finds the layers to make again. */
export class LayerReaders {
  /** The layers that have read a row, and those that have read a whole table. */
  readonly #ofRows = new LayerIndex<RowCell>();
  readonly #ofTables = new LayerIndex<string>();
  /** The layers that put fields over a row, without having read it. */
  readonly #patches = new LayerIndex<RowCell>();
  /** The layers that depend on whether a collection exists, and not on its members. */
  readonly #ofPresence = new LayerIndex<RowCell>();
  /** The layers whose guess must be made again. */
  readonly toRemake: LayerList = new LayerList();
  /** The changed rows that readers may see. */
  readonly #changed = new Set<RowCell>();

  /** Adds a layer to the indexes by the rows that its guess has read, or deletes it from them. */
  index(method: 'add' | 'delete', layer: LayerRows, { intentReads, patch, storeReads }: LayerRows['made']): void {
    if (patch !== undefined) this.#patches[method]([patch.cell], layer);
    for (const { cells, tables, fields, present } of [intentReads, storeReads]) {
      if (cells.size > 0) this.#ofRows[method](cells, layer);
      if (fields.size > 0) this.#ofRows[method](fields.keys(), layer);
      if (present.size > 0) this.#ofPresence[method](present, layer);
      if (tables.size > 0) this.#ofTables[method](tables, layer);
    }
  }

  /** Handles a row that was replaced at a position in the stack. */
  replace(cell: RowCell, position: number, before: RowState, after: RowState): void {
    if (before === after) return;
    const isUpdate = isRow(before) && isRow(after);
    const isOfFields = isUpdate && cell.table.collection === undefined && this.#ofRows.get(cell) !== undefined;
    this.change(cell, position, isOfFields ? differingFields(before, after) : undefined, isUpdate);
  }

  /**
   * Handles a row that has changed at a position in the stack: the layers above that read it are made again. With `fields`, only these fields have
   * changed. `isUpdate`: whether there was a row before, and there is one now.
   */
  change(cell: RowCell, position: number, fields?: readonly string[], isUpdate: boolean = fields !== undefined): void {
    if (fields?.length === 0) return;
    const remake = (layer: LayerRows): boolean => {
      this.toRemake.add(layer);
      return false;
    };
    if (!isUpdate) this.#ofPresence.get(cell)?.visitAbove(position, remake);
    if (isRenamed(cell)) this.#patches.get(cell)?.visitAbove(position, remake);
    let from = position;
    let visible = fields;
    let isHidden = false;
    this.#ofRows.get(cell)?.visitAbove(position, (layer) => {
      const { intentReads, patch, rows } = layer.made;
      visible &&= this.#visible(cell, visible, from, layer.position);
      from = layer.position - 1;
      if (visible?.length === 0) return (isHidden = true);
      layer.isOutdated ||= intentReads.cells.has(cell) || isAnyOf(intentReads.fields.get(cell), visible);
      const isPatch = patch?.cell === cell;
      if (layer.isOutdated || !isPatch) this.toRemake.add(layer);
      isHidden = rows.has(cell) && !isPatch;
      return isHidden;
    });
    if (!isHidden) this.#changed.add(cell);
    this.changeTable(cell.table.name, position);
  }

  /** Returns those of some fields that no layer between two positions puts over a row. */
  #visible(cell: RowCell, fields: readonly string[], from: number, to: number): readonly string[] {
    let visible = fields;
    this.#patches.get(cell)?.visitAbove(from, ({ made, position }) => {
      if (position >= to) return true;
      const row = made.rows.get(cell) as Row;
      visible = visible.filter((field) => !Object.hasOwn(row, field));
      return visible.length === 0;
    });
    return visible;
  }

  /** Handles a list to which guesses add members, and whose order depends on rows that have changed at a position in the stack. */
  changeOrder(list: RowCell, position: number): void {
    this.change(list, position, undefined, true);
    this.#ofRows.get(list)?.visitAbove(position, (layer) => {
      this.toRemake.add(layer);
      return false;
    });
    this.#changed.add(list);
  }

  /** Handles a row that was added. */
  addRow({ table: { collection, name } }: RowCell, position: number): void {
    this.changeTable(arrivalsName(name), position);
    for (const table of collection?.follows ?? []) this.changeTable(listsName(table), position);
  }

  /** Handles a change of a table, or of another name in `Reads.tables`. */
  changeTable(name: string, position: number): void {
    this.#ofTables.get(name)?.visitAbove(position, (layer) => {
      layer.isOutdated ||= layer.made.intentReads.tables.has(name);
      this.toRemake.add(layer);
      return false;
    });
  }

  /** Returns whether a row has changed since the last `takeChanged`. */
  isChanged(cell: RowCell): boolean {
    return this.#changed.has(cell);
  }

  /** Returns the changed rows that readers may see, and forgets them. */
  takeChanged(): readonly RowCell[] {
    const changed = [...this.#changed];
    this.#changed.clear();
    return changed;
  }

  /** Forgets the changed rows and the layers to make again. */
  forgetChanges(): void {
    this.#changed.clear();
    this.toRemake.clear();
  }
}
