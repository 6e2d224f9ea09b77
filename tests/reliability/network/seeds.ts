import { type Profile, simulate } from './run.ts';

export interface Runs {
  readonly runs: number;
  readonly events: number;
  readonly faults: number;
  /** How many kinds of faults there were. */
  readonly kinds: number;
  /** A checksum of all events. The same seeds give the same checksum. */
  readonly trace: number;
  readonly failure: string | undefined;
}

/** Simulates one world for each seed, from the first seed on, until one breaks a promise. */
export async function runSeeds(given: {
  readonly profile: Profile;
  readonly seed: number;
  readonly runs: number;
  readonly until?: number;
}): Promise<Runs> {
  const { profile, seed, runs, until = Number.POSITIVE_INFINITY } = given;
  const kinds = new Set<string>();
  const sum = { runs: 0, events: 0, faults: 0, trace: 0 };
  let failure: string | undefined;
  while (sum.runs < runs && failure === undefined && Date.now() <= until) {
    const at = seed + sum.runs;
    // oxlint-disable-next-line no-await-in-loop -- one world at a time
    const outcome = await simulate(at, profile);
    sum.runs++;
    sum.events += outcome.events;
    sum.trace = Math.imul(sum.trace ^ outcome.trace, 0x01000193) >>> 0;
    for (const [kind, count] of outcome.faults) {
      kinds.add(kind);
      sum.faults += count;
    }
    if (outcome.wrong !== undefined) failure = `SEED=${at} RUNS=1 shows it again.\n${outcome.wrong}`;
  }
  return { ...sum, kinds: kinds.size, failure };
}
