import { show } from './alike.ts';
import { Forerunner, type Tally } from './forerunner.ts';
import { type History, type Profile, type Step, drawHistory } from './history.ts';
import { Divergence } from './judge.ts';
import { Random } from './random.ts';
import { World } from './world.ts';
import { type Theme, themes } from './zoo.ts';

/** A history that went wrong, cut down to what it takes. */
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

/** What went wrong when the history was lived through, if anything did. */
function live(history: History, ahead?: Tally): { message: string; after: number } | undefined {
  const { theme, steps } = history;
  const forerunner = ahead && new Forerunner(history, steps.length, ahead);
  const world = new World(themes[theme] as Theme, history, forerunner);
  for (const [at, { command, reads }] of steps.entries()) {
    try {
      forerunner?.step(at);
      world.do(command);
      const isWhole = reads === 'all' || at === steps.length - 1;
      const chance = new Random(isWhole ? 0 : reads);
      world.judge(isWhole ? () => true : () => chance.chance(0.12));
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

/** Draws and lives through histories, one for each seed from the first on, until one goes wrong. */
export function runHistories(given: {
  readonly seed: number;
  readonly runs: number;
  readonly length?: number;
  readonly profile?: Profile;
  readonly until?: number;
  /** Where writes are done ahead: how many. */
  readonly ahead?: Tally;
}): Outcome {
  const { seed, runs, length = 40, profile, until = Number.POSITIVE_INFINITY, ahead } = given;
  let steps = 0;
  for (let run = 0; run < runs; run++) {
    if (Date.now() > until) return { runs: run, steps, failure: undefined };
    const history = drawHistory(new Random(seed + run), length, profile);
    const wrong = live(history, ahead);
    steps += wrong?.after ?? length;
    if (wrong !== undefined) return { runs: run + 1, steps, failure: shrink(seed + run, history, wrong, ahead) };
  }
  return { runs, steps, failure: undefined };
}

/** Leaves out of a history whatever it goes wrong without. */
function shrink(
  seed: number,
  history: History,
  wrong: { message: string; after: number },
  ahead: Tally | undefined,
): Failure {
  let least: History = { ...history, steps: history.steps.slice(0, wrong.after) };
  let { message } = wrong;
  const tryOut = (steps: readonly Step[]): boolean => {
    const still = live({ ...least, steps }, ahead);
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

/** The failure as text: what went wrong, how to see it again, and the shortest history that shows it. */
export function describe(failure: Failure): string {
  const { theme, isHeard, maxRows, steps } = failure.history;
  return [
    `SEED=${failure.seed} RUNS=1 shows it again.`,
    failure.message,
    `theme ${theme}${isHeard ? ', commits heard' : ''}, at most ${maxRows} rows:`,
    ...steps.map(({ command, reads }, at) => `  ${at}. ${show(command)}${reads === 'all' ? '' : ` (reads ${reads})`}`),
  ].join('\n');
}
