import { show } from './alike.ts';
import { type Command, type History, type Profile, drawHistory } from './history.ts';
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
export function live(history: History): { message: string; after: number } | undefined {
  const { theme, commands, readsAll } = history;
  const world = new World(themes[theme] as Theme);
  const chance = new Random(commands.length);
  for (const [at, command] of commands.entries()) {
    try {
      world.do(command);
      const isLast = at === commands.length - 1;
      world.judge(readsAll || isLast ? () => true : () => chance.chance(0.12));
    } catch (error) {
      const said = error instanceof Divergence ? error.message : error instanceof Error ? (error.stack ?? error.message) : String(error);
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
}): Outcome {
  const { seed, runs, length = 40, profile, until = Number.POSITIVE_INFINITY } = given;
  let steps = 0;
  for (let run = 0; run < runs; run++) {
    if (Date.now() > until) return { runs: run, steps, failure: undefined };
    const history = drawHistory(new Random(seed + run), length, profile);
    const wrong = live(history);
    steps += wrong?.after ?? length;
    if (wrong !== undefined) return { runs: run + 1, steps, failure: shrink(seed + run, history, wrong) };
  }
  return { runs, steps, failure: undefined };
}

/** Leaves out of a history whatever it goes wrong without. */
function shrink(seed: number, history: History, wrong: { message: string; after: number }): Failure {
  let least: History = { ...history, commands: history.commands.slice(0, wrong.after) };
  let { message } = live(least) ?? wrong;
  for (let size = Math.max(1, least.commands.length >> 1); size > 0; size >>= 1) {
    for (let at = least.commands.length - size; at >= 0; at -= size) {
      const commands = least.commands.toSpliced(at, size);
      const still = live({ ...least, commands });
      if (still === undefined) continue;
      least = { ...least, commands: commands.slice(0, still.after) };
      message = still.message;
      at = Math.min(at, least.commands.length);
    }
  }
  return { seed, message, history: least };
}

/** The failure as text: what went wrong, how to see it again, and the shortest history that shows it. */
export function describe(failure: Failure): string {
  const { theme, readsAll, commands } = failure.history;
  return [
    `SEED=${failure.seed} RUNS=1 shows it again.`,
    failure.message,
    `theme ${theme}, ${readsAll ? 'reading everything' : 'reading now and then'}:`,
    ...commands.map((command: Command, at) => `  ${at}. ${show(command)}`),
  ].join('\n');
}
