import { median } from '../../harness/clock.mjs';

/** Has the figures of a run: for each scenario, size, variant and column those of each round, or the reason why there are none. */
export class Results {
  #cells = new Map();

  add(scenario, size, name, variants) {
    for (const [variant, figures] of Object.entries(variants))
      this.#cell(scenario, size, variant, name).rounds.push(figures);
  }

  /** A cell that has failed in one round has no figure. */
  fail(scenario, size, name, reason) {
    this.#cell(scenario, size, undefined, name).failure = reason;
  }

  failureOf(scenario, size, name) {
    return this.#cells.get(keyOf(scenario, size, undefined, name))?.failure;
  }

  /** Returns a figure: the median over the rounds. */
  figure(scenario, size, variant, name, figure = 'ms') {
    if (this.failureOf(scenario, size, name) !== undefined) return undefined;
    const rounds = this.#cells.get(keyOf(scenario, size, variant, name))?.rounds;
    return rounds === undefined || rounds.length === 0 ? undefined : median(rounds.map((each) => each[figure]));
  }

  /** Returns the variants that any column has at a size, in the order of their arrival. */
  variants(scenario, size) {
    const cells = [...this.#cells.values()].filter((cell) => cell.scenario === scenario && cell.size === size);
    return [...new Set(cells.flatMap(({ variant }) => (variant === undefined ? [] : [variant])))];
  }

  toJSON() {
    return [...this.#cells.values()];
  }

  #cell(scenario, size, variant, name) {
    const key = keyOf(scenario, size, variant, name);
    let cell = this.#cells.get(key);
    if (cell === undefined) this.#cells.set(key, (cell = { scenario, size, variant, name, rounds: [] }));
    return cell;
  }
}

const keyOf = (...parts) => parts.join('|');
