import { memo } from '../../std/memo.ts';
import type { LayerRows } from './layer-rows.ts';

/** Layers in the order of the stack, lowest first. */
export class LayerList {
  readonly #layers: LayerRows[] = [];

  get size(): number {
    return this.#layers.length;
  }

  /** Adds a layer, if it is not in the list. */
  add(layer: LayerRows): void {
    const at = this.#above(layer.position);
    if (at === this.#layers.length) {
      if (this.#layers[at - 1] !== layer) this.#layers.push(layer);
    } else if (this.#layers[at - 1] !== layer) this.#layers.splice(at, 0, layer);
  }

  delete(layer: LayerRows): void {
    const at = this.#above(layer.position) - 1;
    if (this.#layers[at] === layer) this.#layers.splice(at, 1);
  }

  /** Returns the topmost layer below a position. */
  below(position: number): LayerRows | undefined {
    return this.#layers[this.#above(position - 1) - 1];
  }

  /** Visits the layers below a position, from the highest down, until `visit` returns true. */
  visitBelow(position: number, visit: (layer: LayerRows) => boolean): void {
    for (let at = this.#above(position - 1) - 1; at >= 0; at--) if (visit(this.#layers[at] as LayerRows)) return;
  }

  /** Visits the layers above a position, from the lowest up, until `visit` returns true. */
  visitAbove(position: number, visit: (layer: LayerRows) => boolean): void {
    for (let at = this.#above(position); at < this.#layers.length; at++)
      if (visit(this.#layers[at] as LayerRows)) return;
  }

  /** Removes and returns the lowest layer. */
  shift(): LayerRows | undefined {
    return this.#layers.length > 1 ? this.#layers.shift() : this.#layers.pop();
  }

  clear(): void {
    this.#layers.length = 0;
  }

  /** Returns the index of the first layer above a position. */
  #above(position: number): number {
    let low = 0;
    let high = this.#layers.length;
    // Most layers are added on top.
    if (high > 0 && (this.#layers[high - 1] as LayerRows).position <= position) return high;
    while (low < high) {
      const middle = (low + high) >> 1;
      if ((this.#layers[middle] as LayerRows).position <= position) low = middle + 1;
      else high = middle;
    }
    return low;
  }
}

/** Layers by key, for example all layers that wrote a row. */
export class LayerIndex<Key> {
  readonly #lists = new Map<Key, LayerList>();

  get(key: Key): LayerList | undefined {
    return this.#lists.get(key);
  }

  add(keys: Iterable<Key>, layer: LayerRows): void {
    for (const key of keys) memo(this.#lists, key, () => new LayerList()).add(layer);
  }

  delete(keys: Iterable<Key>, layer: LayerRows): void {
    for (const key of keys) {
      const list = this.#lists.get(key);
      list?.delete(layer);
      if (list?.size === 0) this.#lists.delete(key);
    }
  }
}
