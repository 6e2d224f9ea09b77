import { median } from './clock.mjs';

/** Has the figures of a run: for each row, size, variant and column one figure per round, or the reason why there is none. */
export class Results {
  #cells = new Map();

  add(row, size, name, figures) {
    for (const [variant, figure] of Object.entries(figures)) this.#cell(row, size, variant, name).figures.push(figure);
  }

  /** A cell that has failed in one round has no figure. */
  fail(row, size, name, reason) {
    this.#cell(row, size, undefined, name).failure = reason;
  }

  failureOf(row, size, name) {
    return this.#cells.get(keyOf(row, size, undefined, name))?.failure;
  }

  median(row, size, variant, name) {
    if (this.failureOf(row, size, name) !== undefined) return undefined;
    const figures = this.#cells.get(keyOf(row, size, variant, name))?.figures;
    return figures === undefined || figures.length === 0 ? undefined : median(figures);
  }

  /** Returns the variants that any column has at a size, in the order of their arrival. */
  variants(row, size) {
    const found = new Set();
    for (const cell of this.#cells.values()) {
      if (cell.row === row && cell.size === size && cell.variant !== undefined) found.add(cell.variant);
    }
    return found.size === 0 ? [''] : [...found];
  }

  toJSON() {
    return [...this.#cells.values()];
  }

  #cell(row, size, variant, name) {
    const key = keyOf(row, size, variant, name);
    let cell = this.#cells.get(key);
    if (cell === undefined) this.#cells.set(key, (cell = { row, size, variant, name, figures: [] }));
    return cell;
  }
}

const keyOf = (...parts) => parts.join('|');
