import { Random } from '../oracle/random.ts';
import { appKinds, judgeServer, settleApp } from './app-run.ts';
import { AppWorld } from './app-world.ts';
import { BrokenLaw } from './compare.ts';
import { judgeFresh, judgeRest, Judge, readEachOnce } from './laws.ts';
import { answer } from './steps-data.ts';
import { kinds } from './steps.ts';
import { ProgramError, World } from './world.ts';

/** One step of a program: its kind, the seed of its random values, and how it is checked. */
export interface Step {
  readonly kind: string;
  readonly seed: number;
  readonly judged: 'not' | 'live' | 'fresh';
}

export interface Program {
  readonly seed: number;
  /** `records`: a store and its readers. `application`: endpoints over HTTP, a server, a clock and managers. */
  readonly grammar: 'records' | 'application';
  /** How often hooks fail by chance. */
  readonly rate: number;
  /** Whether several classes have one table. */
  readonly isMixed: boolean;
  /** Whether answers are stored in slices, one of which may run before each step. */
  readonly isSliced: boolean;
  readonly without: ReadonlySet<string>;
  readonly steps: readonly Step[];
}

export interface Failure {
  readonly program: Program;
  readonly message: string;
  readonly log: readonly string[];
}

const weightsOf = (of: Readonly<Record<string, { readonly weight: number }>>): Record<string, number> =>
  Object.fromEntries(Object.entries(of).map(([name, { weight }]) => [name, weight]));
const weights = { records: weightsOf(kinds), application: weightsOf(appKinds) };

/** Steps that break laws today. Programs that must pass leave them out. */
export const NOT_YET: readonly string[] = [];

/** The program of a seed. */
export function drawProgram(seed: number, without: ReadonlySet<string> = new Set()): Program {
  const random = new Random(Math.imul(seed, 0x9e3779b1) ^ seed);
  const judging = random.pick([0.05, 0.2, 0.6]);
  const rate = random.pick(without.has('failing hooks') ? [0] : [0, 0, 0, 0.03, 0.15]);
  const isMixed = random.chance(0.3) && !without.has('several classes');
  // Each program leaves out some kinds of steps, because one kind of step can hide the faults of another.
  const grammar =
    without.has('records') || (random.chance(0.15) && !without.has('application')) ? 'application' : 'records';
  const all = weights[grammar];
  const chosen = Object.fromEntries(Object.entries(all).filter(([name]) => random.chance(0.7) && !without.has(name)));
  const steps = Array.from({ length: 20 + random.below(21) }, (): Step => {
    const isJudged = random.chance(judging);
    return {
      kind: random.weighted(Object.keys(chosen).length > 0 ? chosen : all),
      seed: random.below(2 ** 31),
      judged: isJudged ? (random.chance(0.15) ? 'fresh' : 'live') : 'not',
    };
  });
  const isSliced = random.chance(0.5) && !without.has('slices');
  return { seed, grammar, rate, isMixed, isSliced, without, steps };
}

/** Waits until promises that are settled, and those that depend on them, have run. */
const drain = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));

/** Runs a program. Returns the law that it broke, and the steps until then. */
async function runProgram(
  program: Program,
  isLogged = false,
): Promise<{ message: string; after: number; log: readonly string[] } | undefined> {
  if (program.grammar === 'application') return runApplication(program, isLogged);
  const world = new World(program.seed, { ...program, isLogged });
  const judge = new Judge(world);
  let after = 0;
  const onUncaught = (error: unknown): void => void world.uncaught.push(error);
  uncaught.current = onUncaught;
  try {
    for (const step of program.steps) {
      world.hooks.step = step.seed % 1009;
      after++;
      world.calls = 0;
      world.nested = 0;
      // oxlint-disable-next-line no-await-in-loop -- one slice after another
      await runSlices(world, new Random(step.seed + 2).below(2));
      kinds[step.kind]?.act(world, new Random(step.seed));
      if (after === 1 || step.kind === 'reload') readEachOnce(world);
      // oxlint-disable-next-line no-await-in-loop -- one step after another
      await drain();
      judgeLoose(world);
      if (step.judged !== 'not') judge.judge(new Random(step.seed + 1));
      if (step.judged === 'fresh') judgeFresh(world);
    }
    await settle(world);
    judge.judge(undefined);
    judgeFresh(world);
    judgeRest(world);
    judgeLoose(world);
    return undefined;
  } catch (error) {
    const message =
      error instanceof BrokenLaw ? error.message : `L8: ${error instanceof Error ? error.stack : String(error)}`;
    world.dispose();
    return { message, after, log: world.log ?? [] };
  } finally {
    uncaught.current = undefined;
  }
}

/** An application with its server, and the check that both have the same data when everything has settled. */
async function runApplication(program: Program, isLogged: boolean): ReturnType<typeof runProgram> {
  const world = new AppWorld(isLogged);
  let after = 0;
  uncaught.current = (error) => void world.uncaught.push(error);
  const drainAll = async (): Promise<void> => {
    // oxlint-disable-next-line no-await-in-loop -- bodies of responses take several turns
    for (let turn = 0; turn < 4; turn++) await drain();
  };
  const judgeUncaught = (): void => {
    for (const error of world.uncaught.splice(0))
      throw new BrokenLaw('L8', `uncaught: ${error instanceof Error ? error.stack : String(error)}`);
    if (world.broken !== undefined) throw world.broken;
  };
  try {
    for (const step of program.steps) {
      after++;
      appKinds[step.kind]?.act(world, new Random(step.seed));
      // oxlint-disable-next-line no-await-in-loop -- one step after another
      await drainAll();
      judgeUncaught();
    }
    await settleApp(world, drainAll);
    await judgeServer(world, drainAll);
    world.dispose();
    await drainAll();
    judgeUncaught();
    return undefined;
  } catch (error) {
    world.dispose();
    const message =
      error instanceof BrokenLaw ? error.message : `L8: ${error instanceof Error ? error.stack : String(error)}`;
    return { message, after, log: world.log ?? [] };
  } finally {
    uncaught.current = undefined;
  }
}

/** Runs slices that are due. */
async function runSlices(world: World, count: number): Promise<void> {
  for (let slice = 0; slice < count && world.slices.length > 0; slice++) {
    world.say(() => 'a slice runs');
    world.slices.shift()?.();
    // oxlint-disable-next-line no-await-in-loop -- one slice after another
    await drain();
  }
}

/** Ends all requests that are in flight. */
async function settle(world: World): Promise<void> {
  world.renewals++;
  for (let round = 0; world.sent.length > 0 && round < 50; round++) {
    answer(world, new Random(round));
    // oxlint-disable-next-line no-await-in-loop -- one answer after another
    await drain();
  }
  await runSlices(world, Number.POSITIVE_INFINITY);
  for (const layer of world.layers.splice(0)) layer.drop();
  world.renewals++;
  judgeLoose(world);
}

/** Laws that were broken at a place where no code could throw, and uncaught errors. */
function judgeLoose(world: World): void {
  for (const error of world.uncaught.splice(0))
    if (!(error instanceof ProgramError))
      world.judgeError(
        error instanceof BrokenLaw
          ? error
          : new BrokenLaw('L8', `uncaught: ${error instanceof Error ? error.stack : String(error)}`),
      );
  if (world.broken !== undefined) throw world.broken;
}

/** The program that runs. It takes uncaught errors. */
const uncaught: { current: ((error: unknown) => void) | undefined } = { current: undefined };

/** Takes uncaught errors away from the test runner while `run` runs. */
async function withUncaught<T>(run: () => Promise<T>): Promise<T> {
  const events = ['uncaughtException', 'unhandledRejection'] as const;
  const others = events.map((event) => process.listeners(event as 'uncaughtException'));
  const own = (error: unknown): void => uncaught.current?.(error);
  // Many errors of the programs are intended, and their stacks are not read.
  const { stackTraceLimit } = Error;
  Error.stackTraceLimit = 0;
  // The intended mistakes of programs print no warnings.
  const { warn } = console;
  console.warn = () => {};
  for (const event of events) process.removeAllListeners(event).on(event as 'uncaughtException', own);
  try {
    return await run();
  } finally {
    await drain();
    console.warn = warn;
    Error.stackTraceLimit = stackTraceLimit;
    events.forEach((event, at) => {
      process.removeAllListeners(event);
      for (const other of others[at] ?? []) process.on(event as 'uncaughtException', other);
    });
  }
}

export interface Outcome {
  readonly runs: number;
  readonly steps: number;
  readonly failure: Failure | undefined;
}

/** Runs the program of one seed after another, until one breaks a law. */
export async function runPrograms(given: {
  readonly seed: number;
  readonly runs: number;
  readonly until?: number;
  /** The kinds of steps and of listeners to leave out; also `several classes` and `failing hooks`. */
  readonly without?: readonly string[];
}): Promise<Outcome> {
  const { seed, runs, until = Number.POSITIVE_INFINITY } = given;
  const without = new Set(given.without);
  return withUncaught(async () => {
    let steps = 0;
    for (let run = 0; run < runs && Date.now() < until; run++) {
      const program = drawProgram(seed + run, without);
      steps += program.steps.length;
      // oxlint-disable-next-line no-await-in-loop -- one program after another
      const wrong = await runProgram(program);
      // oxlint-disable-next-line no-await-in-loop -- the last thing that is done
      if (wrong !== undefined) return { runs: run + 1, steps, failure: await shrink(program, wrong) };
    }
    return { runs, steps, failure: undefined };
  });
}

/** Removes all steps without which a program still breaks the same law. */
async function shrink(program: Program, wrong: { message: string; after: number }): Promise<Failure> {
  let least: Program = { ...program, steps: program.steps.slice(0, wrong.after) };
  const law = wrong.message.slice(0, 2);
  let tries = 150;
  const attempt = async (next: Program): Promise<void> => {
    if (tries-- <= 0) return;
    const still = await runProgram(next);
    if (still?.message.slice(0, 2) === law) least = { ...next, steps: next.steps.slice(0, still.after) };
  };
  await attempt({ ...least, rate: 0 });
  await attempt({ ...least, isMixed: false });
  await attempt({ ...least, isSliced: false });
  for (let size = Math.max(1, least.steps.length >> 1); size > 0; size >>= 1)
    for (let at = least.steps.length - size; at >= 0; at = Math.min(at, least.steps.length) - size)
      // oxlint-disable-next-line no-await-in-loop -- each try begins where the last one ended
      await attempt({ ...least, steps: least.steps.toSpliced(at, size) });
  for (let at = 0; at < least.steps.length; at++) {
    const step = least.steps[at] as Step;
    // oxlint-disable-next-line no-await-in-loop -- as above
    if (step.judged !== 'not') await attempt({ ...least, steps: least.steps.with(at, { ...step, judged: 'not' }) });
  }
  Error.stackTraceLimit = 20;
  const last = await runProgram(least, true);
  return { program: least, message: last?.message ?? wrong.message, log: last?.log ?? [] };
}

/** Returns a failure as text: the fault, the command that repeats it, and the smallest program. */
export function describeFailure({ program, message, log }: Failure): string {
  return [
    `SEED=${program.seed} RUNS=1 npx vitest run --project unit tests/grammar shows it again.`,
    message,
    `hooks fail at a rate of ${program.rate}; judged after: ${program.steps.map(({ judged }) => judged).join(', ')}`,
    ...log.map((line) => `  ${line}`),
  ].join('\n');
}
