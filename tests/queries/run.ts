import { nextTurn } from '../next-turn.ts';
import { History } from './history.ts';

const STEPS = 30;

export interface QueriesOutcome {
  readonly runs: number;
  /** The seed, the step and the fault; `undefined` if there was no fault. */
  readonly failure: string | undefined;
}

/** Random histories, each compared with loops over plain arrays after every step. */
export async function runQueries(
  seed: number,
  runs: number,
  until: number = Number.POSITIVE_INFINITY,
): Promise<QueriesOutcome> {
  const { stackTraceLimit } = Error;
  // Some cases throw for every record, and their stacks are not used.
  Error.stackTraceLimit = 0;
  try {
    for (let run = 0; run < runs; run++) {
      if (Date.now() >= until) return { runs: run, failure: undefined };
      const failure = historyOf(seed + run);
      if (failure !== undefined) return { runs: run + 1, failure };
      await nextTurn(); // oxlint-disable-line no-await-in-loop -- one after another
    }
  } finally {
    Error.stackTraceLimit = stackTraceLimit;
  }
  return { runs, failure: undefined };
}

function historyOf(seed: number): string | undefined {
  const history = new History(seed);
  for (let step = 0; step < STEPS; step++) {
    const wrong = checked(history);
    if (wrong !== undefined) return `seed ${seed}, step ${step}: ${wrong}`;
  }
  history.end();
  return undefined;
}

function checked(history: History): string | undefined {
  try {
    history.step();
    return history.check();
  } catch (error) {
    return String(error);
  }
}
