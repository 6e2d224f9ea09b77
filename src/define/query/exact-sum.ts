/**
 * A sum that is exact until it is read: what is added and taken away again leaves nothing behind, and the order makes no difference. It
 * is kept as numbers that do not overlap (Shewchuk's expansions), and rounded once.
 */
export class ExactSum {
  #partials: number[] = [];
  /** Numbers that no sum can be made with, each counted: Infinity, -Infinity, NaN. */
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

/** The number next to the sum of numbers that do not overlap, smallest first. */
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
  // Halfway between two numbers, what is left below decides.
  const below = partials[at - 1] ?? 0;
  const doubled = error * 2;
  const next = sum + doubled;
  return below !== 0 && Math.sign(below) === Math.sign(error) && doubled === next - sum ? next : sum;
}
