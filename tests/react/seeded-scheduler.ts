import { createRequire } from 'node:module';
import { inject } from 'vitest';
import { type Random, random } from './random.ts';
import { TurnTime } from './turn-time.ts';

type Work = (isLate: boolean) => unknown;

interface Task {
  work: Work | undefined;
  readonly priority: number;
  readonly id: number;
}

const NORMAL_PRIORITY = 3;

/**
 * React's scheduler, except that a seed decides when React has to yield. So each history of renders can be played again exactly,
 * and yields come where a busy machine would have them.
 */
class SeededScheduler {
  /** The number of tasks that React has scheduled. */
  tasks = 0;
  readonly #rate: number;
  #choice: Random = random(1);
  #now = 1000;
  #queue: Task[] = [];
  #isArmed = false;
  #priority = NORMAL_PRIORITY;

  constructor(rate: number) {
    this.#rate = rate;
  }

  begin(seed: number): void {
    this.#choice = random(seed);
    this.#now = 1000;
  }

  /** The number of tasks that React has yet to run. */
  get waiting(): number {
    return this.#queue.filter(({ work }) => work !== undefined).length;
  }

  /** What the package `scheduler` exports, as far as React uses it. */
  members(): object {
    return {
      unstable_now: () => this.#now,
      unstable_shouldYield: () => this.#shouldYield(),
      unstable_scheduleCallback: (priority: number, work: Work) => this.#schedule(priority, work),
      unstable_cancelCallback: (task: Task) => void (task.work = undefined),
      unstable_getCurrentPriorityLevel: () => this.#priority,
      unstable_runWithPriority: (priority: number, run: () => unknown) => this.#runWith(priority, run),
      unstable_requestPaint: () => {},
      unstable_forceFrameRate: () => {},
    };
  }

  #shouldYield(): boolean {
    this.#now += 0.1;
    return this.#choice.isLucky(this.#rate);
  }

  #schedule(priority: number, work: Work): Task {
    const task = { work, priority, id: this.tasks++ };
    this.#queue.push(task);
    this.#arm();
    return task;
  }

  #arm(): void {
    if (this.#isArmed) return;
    this.#isArmed = true;
    setImmediate(() => this.#run());
  }

  /** Runs some of the tasks, the most urgent first. */
  #run(): void {
    this.#isArmed = false;
    for (;;) {
      this.#queue = this.#queue.filter(({ work }) => work !== undefined);
      const [task] = this.#queue.toSorted((a, b) => a.priority - b.priority || a.id - b.id);
      if (task === undefined) return;
      this.#now += 1;
      const { work } = task;
      task.work = undefined;
      const rest = this.#runWith(task.priority, () => work?.(false));
      if (typeof rest === 'function') {
        task.work = rest as Work;
        return this.#arm();
      }
      if (this.#choice.isLucky(this.#rate)) return this.#arm();
    }
  }

  #runWith(priority: number, run: () => unknown): unknown {
    const before = this.#priority;
    this.#priority = priority;
    try {
      return run();
    } finally {
      this.#priority = before;
    }
  }
}

/** Puts a scheduler that yields at this rate into the place of React's, and a time that does not depend on the machine. */
function seedScheduler(rate: number): SeededScheduler {
  const { react } = inject('build');
  const folder = react === '19' ? '../../package.json' : `../react-${react}/package.json`;
  const reactDom = createRequire(new URL(folder, import.meta.url)).resolve('react-dom');
  const seeded = new SeededScheduler(rate);
  Object.assign(createRequire(reactDom)('scheduler') as object, seeded.members());
  new TurnTime().install();
  return seeded;
}

const YIELDS = process.env['REJOIN_YIELDS'];

/** With `REJOIN_YIELDS`, the scheduler that yields at this rate: `vitest.config.ts` loads this file before React. Otherwise React has its own. */
export const seeded: SeededScheduler | undefined = YIELDS === undefined ? undefined : seedScheduler(Number(YIELDS));
