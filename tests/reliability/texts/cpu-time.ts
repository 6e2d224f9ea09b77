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

/** Below this many milliseconds a ratio says nothing. */
const TOO_SHORT = 5;
/** After this many milliseconds it is clear. */
const PATIENCE = 1000;

/**
 * The least that `parse` was seen to need. Garbage collection and the compiler, which run when they like, only ever add
 * to a time; so it is taken again until the figures are reached, or until it is clear that they never will be.
 */
export async function timingOf(
  { parse, prepare }: Timed,
  textOf: (length: number) => string,
  length: number,
): Promise<Timing> {
  const text = textOf(length);
  const twice = textOf(2 * length);
  const time = (what: string): Promise<number> => {
    prepare?.();
    return cpuTime(() => parse(what));
  };
  let [ms, msOfTwice] = [Number.POSITIVE_INFINITY, Number.POSITIVE_INFINITY];
  let spent = 0;
  // One that is slow beyond doubt need not be tried again.
  for (let turn = 0; spent < PATIENCE; turn++) {
    // oxlint-disable-next-line no-await-in-loop -- each has the processor for itself
    const [one, two] = [await time(text), await time(twice)];
    [ms, msOfTwice, spent] = [Math.min(ms, one), Math.min(msOfTwice, two), spent + one + two];
    const timing = { ms, growth: msOfTwice < TOO_SHORT ? 1 : msOfTwice / ms };
    if (turn >= 2 && isInTime(timing)) return timing;
  }
  return { ms, growth: msOfTwice / ms };
}

export function isInTime({ ms, growth }: Timing): boolean {
  return ms <= 50 && growth <= 2.5;
}
