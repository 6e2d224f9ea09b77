/** Returns the processor time of `run` in milliseconds, which does not include other programs of the machine. */
async function cpuTime(run: () => unknown): Promise<number> {
  const before = process.cpuUsage();
  await run();
  const { user, system } = process.cpuUsage(before);
  return (user + system) / 1000;
}

interface Timed {
  readonly parse: (text: string) => unknown;
  readonly prepare?: () => void;
}

/** The time of a parser for a text, and the ratio of the time for a text of double the length. */
export interface Timing {
  readonly ms: number;
  readonly growth: number;
}

/**
 * Below this many milliseconds a ratio shows how the machine provides memory, and not how a parser reads. A parser that reads the whole text for each character
 * takes ten times as long for the shortest of the texts, of 64 kB.
 */
const TOO_SHORT = 40;
/** After this many milliseconds the parser counts as too slow. */
const PATIENCE = 1000;

/**
 * Returns the smallest measured time of `parse`. Garbage collection and the compiler, which run at any time, only add
 * to a time. So the measurement is repeated until the limits are kept, or until it is clear that they never will be. The growth
 * is the smaller one of two doublings, because at some length the text no longer fits into a cache, which is not a fault of a parser,
 * while a parser that reads the whole text for each character is four times as slow at both doublings.
 */
export async function timingOf(
  { parse, prepare }: Timed,
  textOf: (length: number) => string,
  length: number,
): Promise<Timing> {
  const texts = [length / 2, length, 2 * length].map(textOf);
  const least = texts.map(() => Number.POSITIVE_INFINITY);
  const timing = (): Timing => {
    const [half = 0, one = 0, twice = 0] = least;
    return { ms: one, growth: twice < TOO_SHORT ? 1 : Math.min(one / half, twice / one) };
  };
  let spent = 0;
  for (let turn = 0; spent < PATIENCE && (turn < 3 || !isInTime(timing())); turn++) {
    for (const [at, text] of texts.entries()) {
      prepare?.();
      // oxlint-disable-next-line no-await-in-loop -- each has the processor for itself
      const took = await cpuTime(() => parse(text));
      least[at] = Math.min(least[at] ?? took, took);
      spent += took;
    }
  }
  return timing();
}

export function isInTime({ ms, growth }: Timing): boolean {
  return ms <= 50 && growth <= 2.5;
}
