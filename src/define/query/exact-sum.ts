/**
 * A sum without rounding errors. Adding and subtracting the same number restores the former sum exactly, and the order of the numbers makes
 * no difference. The sum is stored as floating-point numbers that do not overlap (Shewchuk's expansions), and is rounded only when it is
 * read.
 */
export class ExactSum {
  #partials: number[] = [];
  /** How many of the added numbers are Infinity, -Infinity and NaN. They are counted because they cannot be subtracted again. */
  #infinite = 0;
  #negative = 0;
  #unknown = 0;

  add(value: number): void {
    this.#count(value, 1);
  }

  subtract(value: number): void {
    this.#count(value, -1);
  }

  get value(): number {
    if (this.#unknown > 0 || (this.#infinite > 0 && this.#negative > 0)) return Number.NaN;
    if (this.#infinite > 0) return Number.POSITIVE_INFINITY;
    return this.#negative > 0 ? Number.NEGATIVE_INFINITY : rounded(this.#partials);
  }

  #count(value: number, times: 1 | -1): void {
    if (Number.isFinite(value)) this.#grow(value * times);
    else if (Number.isNaN(value)) this.#unknown += times;
    else if (value > 0) this.#infinite += times;
    else this.#negative += times;
  }

  #grow(value: number): void {
    let rest = value;
    const partials: number[] = [];
    for (const partial of this.#partials) {
      const sum = rest + partial;
      const [large, small] = Math.abs(rest) < Math.abs(partial) ? [partial, rest] : [rest, partial];
      const error = small - (sum - large);
      if (error !== 0) partials.push(error);
      rest = sum;
    }
    if (rest !== 0) partials.push(rest);
    this.#partials = partials;
  }
}

/** Returns the number nearest to the sum of `partials`, which do not overlap and are sorted by size. */
function rounded(partials: readonly number[]): number {
  let at = partials.length - 1;
  let sum = partials[at] ?? 0;
  let error = 0;
  while (error === 0 && at > 0) {
    at--;
    const partial = partials[at] as number;
    const before = sum;
    sum = before + partial;
    error = partial - (sum - before);
  }
  // If the sum lies halfway between two numbers, the next smaller part decides the direction.
  const below = partials[at - 1] ?? 0;
  const doubled = error * 2;
  const next = sum + doubled;
  return below !== 0 && Math.sign(below) === Math.sign(error) && doubled === next - sum ? next : sum;
}
