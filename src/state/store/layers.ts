import type { Stamp } from '../../define/schema/schema.ts';
import type { Covered } from '../normalize/write-log.ts';
import { equalPlain } from '../../std/plain.ts';
import type { RowCell } from '../tables/table.ts';
import type { Space } from '../tables/space.ts';
import { type Intent, LayerRows, type Shown } from './layer.ts';

/** Told of each row that readers see differently from now on. */
export type OnShown = (cell: RowCell, before: Shown) => void;

/**
 * The pile of optimistic layers over the confirmed rows. What readers see is the topmost layer's row, or the confirmed
 * one; only rows that a layer touches have both. When rows change that a guess was made of, it is made again.
 */
export class Layers {
  /** The confirmed rows under the layers. */
  readonly covered: Map<RowCell, Covered> = new Map();
  readonly #pile: LayerRows[] = [];
  readonly #ground: Space;
  readonly #now: () => number;
  #temporaries = 0;

  constructor(ground: Space, now: () => number) {
    this.#ground = ground;
    this.#now = now;
  }

  get size(): number {
    return this.#pile.length;
  }

  /** Puts a layer on top. What its intent throws, goes to the caller, and the pile stays as it was. */
  push(intent: Intent, onShown: OnShown): LayerRows {
    // The same pks each time the guess is made, and never those of another layer.
    const own: string[] = [];
    const layer = new LayerRows(intent, this.#ground, (nth) => (own[nth] ??= this.temporaryPk()));
    layer.make((cell) => this.#under(cell, this.#pile.length), this.#now());
    this.#pile.push(layer);
    this.show(layer.rows.keys(), onShown);
    return layer;
  }

  /** A pk that no record has. */
  temporaryPk(): string {
    this.#temporaries++;
    return `temp:${this.#temporaries}`;
  }

  /** Remembers what each layer says now; calling the result makes it so again. */
  memo(): () => void {
    const restore = this.#pile.map((layer) => layer.memo());
    return () => {
      for (const put of restore) put();
    };
  }

  /**
   * Takes a layer out of the pile. Its rows are shown without it after `settle`. The result puts it back where it was.
   */
  take(layer: LayerRows): () => void {
    const at = this.#pile.indexOf(layer);
    if (at < 0) return () => {};
    this.#pile.splice(at, 1);
    return () => void this.#pile.splice(at, 0, layer);
  }

  /** Every row that a guess was made of. */
  *readCells(): Generator<RowCell> {
    for (const layer of this.#pile) yield* layer.readCells;
  }

  /** Drops every layer. Gives what undoes it. */
  clear(onShown: OnShown): () => void {
    const pile = this.#pile.splice(0);
    const rows = new Set(pile.flatMap((layer) => [...layer.rows.keys()]));
    this.show(rows, onShown);
    return () => {
      this.#pile.push(...pile);
      this.show(rows, onShown);
    };
  }

  /** Makes the guesses again that depend on rows that changed below them, and shows what follows. */
  settle(changed: ReadonlySet<RowCell>, onShown: OnShown): void {
    const all = new Set(changed);
    for (const [at, layer] of this.#pile.entries()) {
      if (!layer.dependsOn(all)) continue;
      const before = layer.rows;
      this.#remake(layer, at);
      for (const cell of before.keys()) if (before.get(cell) !== layer.rows.get(cell)) all.add(cell);
      for (const cell of layer.rows.keys()) if (before.get(cell) !== layer.rows.get(cell)) all.add(cell);
    }
    this.show(all, onShown);
  }

  /** An intent that fails on the new truth guesses nothing until the truth changes again. */
  #remake(layer: LayerRows, at: number): void {
    try {
      layer.make((cell) => this.#under(cell, at), this.#now());
    } catch {
      layer.rows = new Map();
    }
  }

  /** What a cell shows below the layer at `at`. */
  #under(cell: RowCell, at: number): { readonly row: Shown; readonly stamp: Stamp | undefined } {
    const { row, stamp } = this.covered.get(cell) ?? cell;
    for (let below = at - 1; below >= 0; below--) {
      const layer = this.#pile[below] as LayerRows;
      if (layer.rows.has(cell)) return { row: layer.rows.get(cell), stamp };
    }
    return { row, stamp };
  }

  /** Brings what readers see of these cells in line with the pile. */
  show(cells: Iterable<RowCell>, onShown: OnShown): void {
    for (const cell of cells) {
      const before = cell.row;
      const top = this.#pile.findLast((layer) => layer.rows.has(cell));
      const base = this.covered.get(cell);
      const row = top === undefined ? (base ?? cell).row : top.rows.get(cell);
      // What is seen stays the same object as long as it says the same.
      const shown = before !== undefined && equalPlain(before, row) ? before : row;
      if (top !== undefined) {
        if (base === undefined) this.covered.set(cell, { row: before, stamp: cell.stamp });
        top.rows.set(cell, shown);
      } else if (base !== undefined) {
        cell.stamp = base.stamp;
        this.covered.delete(cell);
      }
      cell.row = shown;
      if (shown !== before) onShown(cell, before);
    }
  }
}
