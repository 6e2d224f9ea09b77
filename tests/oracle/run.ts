import { nextTurn } from '../next-turn.ts';
import { printed } from './equality.ts';
import { PreparedWrites, type Tally } from './prepared-writes.ts';
import { type History, type Profile, type Step, drawHistory } from './history.ts';
import { Divergence } from './comparison.ts';
import { Random } from './random.ts';
import { TestedStore } from './tested-store.ts';
import { type Theme, themes } from './entities.ts';

/** A history that failed, shortened to the steps that make it fail. */
export interface Failure {
  readonly seed: number;
  readonly message: string;
  readonly history: History;
}

export interface Outcome {
  readonly runs: number;
  readonly steps: number;
  readonly failure: Failure | undefined;
}

/** Runs a history. Returns the first fault, if there is one. */
function runHistory(history: History, ahead?: Tally): { message: string; after: number } | undefined {
  const { theme, steps } = history;
  const prepared = ahead && new PreparedWrites(history, steps.length, ahead);
  const tested = new TestedStore(themes[theme] as Theme, history, prepared);
  for (const [at, { command, reads }] of steps.entries()) {
    try {
      prepared?.step(at);
      tested.do(command);
      const isWhole = reads === 'all' || at === steps.length - 1;
      const chance = new Random(isWhole ? 0 : reads);
      tested.compare(isWhole ? () => true : () => chance.chance(0.12));
    } catch (error) {
      const said =
        error instanceof Divergence
          ? error.message
          : error instanceof Error
            ? (error.stack ?? error.message)
            : String(error);
      return { message: `step ${at} (${command.do}): ${said}`, after: at + 1 };
    }
  }
  return undefined;
}

/** Draws and runs one history for each seed, beginning with `seed`, until one fails. */
export async function runHistories(given: {
  readonly seed: number;
  readonly runs: number;
  readonly length?: number;
  readonly profile?: Profile;
  readonly until?: number;
  /** If given, writes are prepared in slices, and counted here. */
  readonly ahead?: Tally;
}): Promise<Outcome> {
  const { seed, runs, length = 40, profile, until = Number.POSITIVE_INFINITY, ahead } = given;
  let steps = 0;
  for (let run = 0; run < runs; run++) {
    if (Date.now() > until) return { runs: run, steps, failure: undefined };
    const history = drawHistory(new Random(seed + run), length, profile);
    const wrong = runHistory(history, ahead);
    steps += wrong?.after ?? length;
    if (wrong !== undefined) return { runs: run + 1, steps, failure: shrink(seed + run, history, wrong, ahead) };
    await nextTurn(); // oxlint-disable-line no-await-in-loop -- one after another
  }
  return { runs, steps, failure: undefined };
}

/** Removes from a history all steps without which it still fails. */
function shrink(
  seed: number,
  history: History,
  wrong: { message: string; after: number },
  ahead: Tally | undefined,
): Failure {
  let least: History = { ...history, steps: history.steps.slice(0, wrong.after) };
  let { message } = wrong;
  const tryOut = (steps: readonly Step[]): boolean => {
    const still = runHistory({ ...least, steps }, ahead);
    if (still === undefined) return false;
    least = { ...least, steps: steps.slice(0, still.after) };
    message = still.message;
    return true;
  };
  tryOut(least.steps.map(({ command }) => ({ command, reads: 'all' })));
  for (let size = Math.max(1, least.steps.length >> 1); size > 0; size >>= 1)
    for (let at = least.steps.length - size; at >= 0; at = Math.min(at, least.steps.length) - size)
      tryOut(least.steps.toSpliced(at, size));
  return { seed, message, history: least };
}

/** The failure as text: the fault, how to repeat it, and the shortest history that has it. */
export function describe(failure: Failure): string {
  const { theme, hasListener, maxRows, steps } = failure.history;
  return [
    `Repeat it with SEED=${failure.seed} RUNS=1.`,
    failure.message,
    `theme ${theme}${hasListener ? ', with a listener for commits' : ''}, at most ${maxRows} rows:`,
    ...steps.map(
      ({ command, reads }, at) => `  ${at}. ${printed(command)}${reads === 'all' ? '' : ` (reads ${reads})`}`,
    ),
  ].join('\n');
}
