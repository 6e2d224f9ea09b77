/** Milliseconds of processor time that `run` takes: what others do on the machine meanwhile does not count. */
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

/** What a parser took: for a text, and how many times that for one of double the length. */
export interface Timing {
  readonly ms: number;
  readonly growth: number;
}

/** Below this many milliseconds a ratio has no meaning. */
const TOO_SHORT = 5;
/** After this many milliseconds it is clear. */
const PATIENCE = 1000;

/**
 * The least that `parse` was seen to need. Garbage collection and the compiler, which run when they like, only ever add
 * to a time; so it is taken again until the figures are reached, or until it is clear that they never will be. The growth
 * is that of one of two doublings: at some length the text no longer fits into a cache, which is not a fault of a parser,
 * and one that looks at the text once for each character of it is four times as slow at either.
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
