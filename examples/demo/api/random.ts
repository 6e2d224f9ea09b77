/** A pseudo-random whole number that depends only on the arguments: 0 … 2³² - 1. */
export function scramble(seed: number, at: number): number {
  let mixed = (Math.imul(seed, 0x9e3779b1) ^ Math.imul(at + 1, 0x85ebca6b)) >>> 0;
  mixed = Math.imul(mixed ^ (mixed >>> 16), 0x21f0aaad);
  mixed = Math.imul(mixed ^ (mixed >>> 15), 0x735a2d97);
  return (mixed ^ (mixed >>> 15)) >>> 0;
}

/** A pseudo-random sequence of numbers for a seed. */
export class Random {
  readonly #seed: number;
  #drawn = 0;

  constructor(seed: number) {
    this.#seed = seed;
  }

  /** At least 0, less than 1. */
  next(): number {
    return scramble(this.#seed, this.#drawn++) / 2 ** 32;
  }

  /** A whole number from `low` to `high`, both included. */
  whole(low: number, high: number): number {
    return low + Math.floor(this.next() * (high - low + 1));
  }

  pick<Item>(items: readonly [Item, ...Item[]]): Item {
    return items[Math.floor(this.next() * items.length)] ?? items[0];
  }
}
