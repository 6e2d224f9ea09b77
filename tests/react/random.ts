export interface Random {
  below(limit: number): number;
  pick<T>(from: readonly T[]): T;
  isLucky(chance: number): boolean;
}

/** The same numbers for the same seed. */
export function random(seed: number): Random {
  let state = seed * 2_654_435_761;
  const next = (): number => {
    state = (state + 0x6d_2b_79_f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296;
  };
  return {
    below: (limit) => Math.floor(next() * limit),
    pick: <T>(from: readonly T[]) => from[Math.floor(next() * from.length)] as T,
    isLucky: (chance) => next() < chance,
  };
}
