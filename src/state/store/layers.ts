import type { Stamp } from '../../define/schema/schema.ts';
import type { Covered } from '../normalize/write-log.ts';
import { equalPlain } from '../../std/plain.ts';
import type { RowCell } from '../tables/table.ts';
import type { Space } from '../tables/space.ts';
import { type Intent, LayerRows, type Shown } from './layer.ts';

/** Told of each row that readers see differently from now on. */
export type OnShown = (cell: RowCell, before: Shown) => void;

type Memo = readonly (readonly [layer: LayerRows, made: LayerRows['made']])[];

/**
 * The pile of optimistic layers over the confirmed rows. What readers see is the topmost layer's row, or the confirmed
 * one; only rows that a layer touches have both. When rows change that a guess was made of, it is made again.
 */
export class Layers {
  /** The confirmed rows under the layers. */
  readonly covered: Map<RowCell, Covered> = new Map();
  #pile: readonly LayerRows[] = [];
  readonly #ground: Space;
  readonly #frozen: boolean;
  readonly #now: () => number;
  readonly #onShown: OnShown;
  #temporaries = 0;
  /** What temporary pks of this store begin with: a text that nobody types, and that no other store has. */
  #temporary: string | undefined;

  constructor(ground: Space, frozen: boolean, now: () => number, onShown: OnShown) {
    this.#ground = ground;
    this.#frozen = frozen;
    this.#now = now;
    this.#onShown = onShown;
  }

  get size(): number {
    return this.#pile.length;
  }

  /** Puts a layer on top. What its intent throws, goes to the caller, and the pile stays as it was. */
  push(intent: Intent): LayerRows {
    // The same pks each time the guess is made, and never those of another layer.
    const own: string[] = [];
    const layer = new LayerRows(intent, this.#ground, this.#frozen, (nth) => (own[nth] ??= this.temporaryPk()));
    layer.make((cell) => this.#under(cell, this.#pile.length), this.#now());
    this.#pile = [...this.#pile, layer];
    this.#show(layer.made.rows.keys());
    return layer;
  }

  /** A pk that no record has. It is replaced wherever a request mentions it, so no text of a user may be the same. */
  temporaryPk(): string {
    this.#temporary ??= `temp:${randomText()}:`;
    this.#temporaries++;
    return `${this.#temporary}${this.#temporaries}`;
  }

  /** The pile and what each layer says, for `restore`. */
  memo(): Memo {
    return this.#pile.map((layer) => [layer, layer.made]);
  }

  /** Makes the pile what it was. */
  restore(memo: Memo): void {
    const changed = new Set(this.covered.keys());
    this.#pile = memo.map(([layer]) => layer);
    for (const [layer, made] of memo) {
      layer.made = made;
      for (const cell of made.rows.keys()) changed.add(cell);
    }
    this.#show(changed);
  }

  /** Takes a layer out of the pile. Its rows, which it gives, are shown without it after `settle`. */
  take(layer: LayerRows): RowCell[] {
    this.#pile = this.#pile.filter((each) => each !== layer);
    return [...layer.made.rows.keys()];
  }

  /** Every row that a guess was made of. */
  *readCells(): Generator<RowCell> {
    for (const layer of this.#pile) yield* layer.made.read;
  }

  /** Drops every layer. */
  clear(): void {
    this.#pile = [];
    this.#show([...this.covered.keys()]);
  }

  /** Makes the guesses again that depend on rows that changed below them, and shows what follows. */
  settle(changed: Iterable<RowCell>): void {
    if (this.#pile.length === 0 && this.covered.size === 0) return;
    const all = new Set(changed);
    for (const [at, layer] of this.#pile.entries()) {
      if (!layer.dependsOn(all)) continue;
      const before = layer.made.rows;
      this.#remake(layer, at);
      const { rows } = layer.made;
      for (const cell of [...before.keys(), ...rows.keys()]) if (before.get(cell) !== rows.get(cell)) all.add(cell);
    }
    this.#show(all);
  }

  /** An intent that fails on the new truth guesses nothing until the truth changes again. */
  #remake(layer: LayerRows, at: number): void {
    try {
      layer.make((cell) => this.#under(cell, at), this.#now());
    } catch {
      layer.made = { ...layer.made, rows: new Map() };
    }
  }

  /** What a cell shows below the layer at `at`. */
  #under(cell: RowCell, at: number): { readonly row: Shown; readonly stamp: Stamp | undefined } {
    const { row, stamp } = this.covered.get(cell) ?? cell;
    const top = this.#pile.findLast((layer, index) => index < at && layer.made.rows.has(cell));
    return { row: top === undefined ? row : top.made.rows.get(cell), stamp };
  }

  /** Brings what readers see of these cells in line with the pile. */
  #show(cells: Iterable<RowCell>): void {
    for (const cell of cells) {
      const before = cell.row;
      const top = this.#pile.findLast((layer) => layer.made.rows.has(cell));
      const base = this.covered.get(cell);
      const row = top === undefined ? (base ?? cell).row : top.made.rows.get(cell);
      // What is seen stays the same object as long as it says the same.
      const shown = before !== undefined && equalPlain(before, row) ? before : row;
      if (top !== undefined) {
        if (base === undefined) this.covered.set(cell, { row: before, stamp: cell.stamp });
        top.made.rows.set(cell, shown);
      } else if (base !== undefined) {
        cell.stamp = base.stamp;
        this.covered.delete(cell);
      }
      cell.row = shown;
      if (shown !== before) this.#onShown(cell, before);
    }
  }
}

/** 96 random bits. */
function randomText(): string {
  const parts = crypto.getRandomValues(new Uint32Array(3));
  return Array.from(parts, (part) => part.toString(36).padStart(7, '0')).join('');
}
