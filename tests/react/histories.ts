/** The parts that all random histories of pages share. */
import { seeded } from './seeded-scheduler.ts';
import { startTransition } from 'react';
import { click } from './harness.tsx';

export interface HistoryOptions {
  readonly steps: number;
  /** The steps to play. Default: all. */
  readonly only?: ReadonlySet<number> | undefined;
  /** The kinds of steps that are left out. */
  readonly without: ReadonlySet<string>;
}

export interface Outcome {
  /** The broken laws. Empty if all held. */
  readonly faults: readonly string[];
  /** The steps that ran. */
  readonly log: readonly string[];
}

type Play<One extends Outcome> = (seed: number, options: HistoryOptions) => Promise<One>;

/** The versions of each record that a frame shows. */
export function versionsIn(frame: string): ReadonlyMap<string, ReadonlySet<string>> {
  const versions = new Map<string, Set<string>>();
  for (const [, name = '', version = ''] of frame.matchAll(/ ([\w.]+):([^\s)\]]*)/g))
    versions.set(name, (versions.get(name) ?? new Set()).add(version));
  return versions;
}

/** The records of which a frame shows two versions. */
export function recordsInTwoVersions(frame: string): readonly string[] {
  return [...versionsIn(frame)]
    .filter(([, versions]) => versions.size > 1)
    .map(([name, versions]) => `${name} is ${[...versions].join(' and ')}: ${frame}`);
}

/** Reports the torn frames of a screen, each once. */
export class FrameCheck {
  readonly #frames: readonly string[];
  #checked = 0;

  constructor({ frames }: { readonly frames: readonly string[] }) {
    this.#frames = frames;
  }

  /** The faults of the frames since the last call. */
  take(): readonly string[] {
    const faults = this.#frames.slice(this.#checked).flatMap(recordsInTwoVersions);
    this.#checked = this.#frames.length;
    return faults;
  }
}

/** The ways in which a step is run: by other code, by a click, or in a transition. */
export const LANES = ['plain', 'click', 'transition'] as const;

export function runIn(lane: (typeof LANES)[number], run: () => void): void {
  if (lane === 'transition') startTransition(run);
  else if (lane === 'click') click(run);
  else run();
}

/** Waits until a server has had no request in flight, and React no task, for some turns. Returns false if that takes too long. */
export async function idle(server: { readonly open: number }, pass: () => Promise<void>): Promise<boolean> {
  let turns = 0;
  for (let quiet = 0; quiet < 12; quiet++) {
    // oxlint-disable-next-line no-await-in-loop -- one turn after another
    await pass();
    if (server.open > 0 || (seeded?.waiting ?? 0) > 0) quiet = 0;
    if (++turns > 3000) return false;
  }
  return true;
}

/**
 * Removes steps from a failing history as long as it has a fault of the same kind. A fault may need the timing of its first run: then
 * nothing is removed.
 */
async function shrink<One extends Outcome>(
  play: Play<One>,
  seed: number,
  failed: One,
  options: HistoryOptions,
  kindOf: (fault: string) => string | undefined,
): Promise<One> {
  let kept = Array.from({ length: options.steps }, (_, at) => at);
  let best = failed;
  const kind = kindOf(failed.faults[0] ?? '');
  for (let size = kept.length / 2; size >= 1; size = Math.floor(size / 2)) {
    for (let at = 0; at < kept.length;) {
      const fewer = [...kept.slice(0, at), ...kept.slice(at + size)];
      // oxlint-disable-next-line no-await-in-loop -- each try depends on the one before
      const outcome = await play(seed, { ...options, only: new Set(fewer) });
      if (outcome.faults.some((fault) => kindOf(fault) === kind)) [kept, best] = [fewer, outcome];
      else at += size;
    }
  }
  return best;
}

export interface Played<One extends Outcome> {
  readonly outcomes: readonly One[];
  /** The seeds of the histories that broke a law. */
  readonly failed: readonly number[];
  /** The shortest form of the first of them: its steps and its faults. */
  readonly least: readonly string[] | undefined;
}

/** Plays the histories of `runs` seeds. `kindOf` returns the law of a fault. */
export async function playAll<One extends Outcome>(
  play: Play<One>,
  { seed: first, runs }: { readonly seed: number; readonly runs: number },
  options: HistoryOptions,
  kindOf: (fault: string) => string | undefined = () => undefined,
): Promise<Played<One>> {
  const outcomes: One[] = [];
  const playSeeded: Play<One> = (seed, given) => {
    seeded?.begin(seed);
    return play(seed, given);
  };
  // oxlint-disable-next-line no-await-in-loop -- one after the other
  for (let seed = first; seed < first + runs; seed++) outcomes.push(await playSeeded(seed, options));
  if (seeded?.tasks === 0) throw new Error('React was loaded before its scheduler was replaced.');
  const failed = outcomes.flatMap(({ faults }, at) => (faults.length > 0 ? [first + at] : []));
  const at = outcomes.findIndex(({ faults }) => faults.length > 0);
  const found = outcomes[at];
  const shortest = found && (await shrink(playSeeded, first + at, found, options, kindOf));
  return { outcomes, failed, least: shortest && [...shortest.log, ...shortest.faults] };
}
