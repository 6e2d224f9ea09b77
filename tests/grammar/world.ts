import {
  actionTypes,
  type Commit,
  Controller,
  DataError,
  dehydrate,
  type Layer,
  type Manager,
  NetworkError,
  NetworkManager,
  Slices,
  type Snapshot,
  Store,
} from 'rejoin';
import { BrokenLaw, isSame, show, type Outcome, outcomeOf } from './compare.ts';
import { type AnyEndpoint, type Described, makeEndpoints } from './endpoints.ts';
import { hookErrorOf, Hooks } from './hooks.ts';
import { makeModel, type Model } from './model.ts';
import { type BoundRead, bindReads, isOfOtherClass } from './probes.ts';
import type { Draw } from './rows.ts';

/** The error that the fake server and the listeners of programs throw. */
export class ProgramError extends Error {}

interface Sent {
  readonly name: string;
  readonly draw: Draw;
  readonly resolve: (answer: unknown) => void;
  readonly reject: (error: Error) => void;
}

/** A state that a program has kept, and the values of all reads when it was taken. */
export interface KeptState {
  readonly state: Snapshot;
  readonly present: ReadonlyMap<BoundRead, Outcome>;
  /** The values that it has returned so far. */
  readonly given: Map<BoundRead, Outcome>;
}

/** An observer of a value. */
export interface Watching {
  readonly name: string;
  read(): Outcome;
  stop(): void;
  judge(): void;
  retake(): void;
}

export interface WorldOptions {
  /** How often hooks fail by chance. */
  readonly rate: number;
  /** Whether several classes have one table. */
  readonly isMixed: boolean;
  /** Whether answers are stored in slices. */
  readonly isSliced: boolean;
  /** The kinds of steps that the program leaves out. */
  readonly without: ReadonlySet<string>;
  /** Whether the steps are recorded. */
  readonly isLogged: boolean;
}

/** The store, the server and all other objects of one program. */
export class World {
  readonly hooks: Hooks;
  readonly isMixed: boolean;
  readonly without: ReadonlySet<string>;
  readonly log: string[] | undefined;
  readonly store: Store;
  readonly controllers: Controller[];
  readonly watchers = new Set<Watching>();
  readonly sent: Sent[] = [];
  readonly layers: Layer[] = [];
  readonly collections: Generator<undefined, number>[] = [];
  readonly states: KeptState[] = [];
  /** The commits that the replica has not applied yet. */
  readonly commits: Commit[] = [];
  readonly uncaught: unknown[] = [];
  /** Slices of large answers that are due. */
  readonly slices: (() => void)[] = [];
  model: Model;
  endpoints: readonly Described[];
  reads: readonly BoundRead[];
  now = 1_000_000;
  /** Calls of listeners in the present step. */
  calls = 0;
  /** The writes that listeners have started in the present step. */
  nested = 0;
  /** The number of commits since the beginning. */
  revision = 0;
  /** Increased by steps after which values may be other objects although no data has changed. */
  renewals = 0;
  depth = 0;
  readonly #isSliced: boolean;
  /** A law that was broken at a place where no error could be thrown. */
  broken: BrokenLaw | undefined;

  constructor(seed: number, options: WorldOptions) {
    this.without = options.without;
    this.hooks = new Hooks(seed, options.rate, !options.without.has('failing hooks'));
    this.log = options.isLogged ? [] : undefined;
    this.model = makeModel(this.hooks, 0);
    this.store = new Store({ now: () => this.now });
    this.isMixed = options.isMixed;
    this.#isSliced = options.isSliced;
    this.endpoints = this.#makeEndpoints();
    this.reads = bindReads(this);
    this.controllers = [this.newController(), this.newController()];
    this.store.onCommit((commit) => {
      this.revision++;
      this.commits.push(commit);
    });
  }

  newController(): Controller {
    const { store } = this;
    const network = this.#isSliced ? [this.#slicingManager()] : [];
    return new Controller({ store, now: () => this.now, managers: [this.#comparingManager(), ...network] });
  }

  /** Every answer counts as large, and each slice does one part of the work. */
  #slicingManager(): Manager {
    let time = 0;
    const clock = { now: () => time++, setTimeout: (run: () => void) => this.slices.push(run) };
    return new NetworkManager({ slices: new Slices({ above: 1, milliseconds: 1, platform: clock }) });
  }

  /** A manager that compares states before and after each action, as managers of applications do. */
  #comparingManager(): Manager {
    return {
      middleware: (controller) => (next) => async (action) => {
        if (action.type !== actionTypes.SET || this.depth > 0 || this.without.has('takeState')) return next(action);
        const before = controller.getState();
        await next(action);
        this.compareStates(before, controller.getState());
      },
      cleanup: () => {},
    };
  }

  compareStates(before: Snapshot, after: Snapshot): void {
    const read = this.reads[0] as BoundRead;
    const reads = [before, before, after, after].map((state) => outcomeOf(() => read.of(state)));
    for (const [one, other] of [
      [0, 1],
      [2, 3],
    ] as const)
      if (!isSame(reads[one] as Outcome, reads[other] as Outcome))
        this.broken ??= new BrokenLaw('L6', 'two reads of one state in a manager gave two objects');
  }

  readonly send = (name: string, draw: Draw): Promise<unknown> =>
    new Promise((resolve, reject) => {
      this.sent.push({ name, draw, resolve, reject });
    });

  say(line: () => string): void {
    this.log?.push(`${'  '.repeat(this.depth)}${line()}`);
  }

  /** Runs something that may fail, with errors that have a type. */
  attempt(run: () => unknown): void {
    try {
      this.follow(run());
    } catch (error) {
      this.judgeError(error);
    }
  }

  /** A promise may be rejected, with errors that have a type. */
  follow(result: unknown): void {
    if (result instanceof Promise) result.catch((error: unknown) => this.judgeError(error));
  }

  judgeError(error: unknown): void {
    if (error instanceof BrokenLaw) this.broken ??= error;
    if (error instanceof DataError || error instanceof NetworkError || error instanceof ProgramError) return;
    if (hookErrorOf(error) !== undefined) return;
    const stack = error instanceof Error ? error.stack : '';
    this.broken ??= new BrokenLaw('L8', `an error without a type: ${show(error)} ${stack}`);
  }

  reload(): void {
    this.model = makeModel(this.hooks, this.model.version + 1);
    this.endpoints = this.#makeEndpoints();
    this.reads = bindReads(this);
    this.renewals++;
  }

  #makeEndpoints(): readonly Described[] {
    const all = makeEndpoints(this.model, this.send);
    return this.isMixed ? all : all.filter(({ name }) => !isOfOtherClass(name));
  }

  endpoint(name: string): AnyEndpoint {
    const found = this.endpoints.find((each) => each.name === name);
    if (found === undefined) throw new Error(`No endpoint ${name}`);
    return found.endpoint;
  }

  /** The confirmed rows and results as text. */
  text(): string {
    const { tables, results } = dehydrate(this.store);
    return JSON.stringify([tables, results.toSorted(([one], [other]) => (one < other ? -1 : 1))]);
  }

  dispose(): void {
    for (const watcher of this.watchers) watcher.stop();
    for (const controller of this.controllers) controller.dispose();
  }
}
