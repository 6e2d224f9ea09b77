import type { RowState, Stamp } from '../../define/schema/schema.ts';
import { DataError } from '../../std/data-error.ts';
import { copyPlain } from '../../std/plain.ts';
import type { Creating, WriteInProgress, MutationAnswer, Origin } from '../normalize/combine.ts';
import { fileNew, NOT_NEW } from '../normalize/new-rows.ts';
import { Normalizer } from '../normalize/normalizer.ts';
import { takeOut } from '../normalize/remove-row.ts';
import { WriteLog } from '../normalize/write-log.ts';
import type { Plan } from '../tables/plan.ts';
import type { RowCell } from '../tables/table.ts';
import { adoptAll, compileAll } from './adopt.ts';
import { Batch } from './batch.ts';
import type { RequestState } from './request-state.ts';
import { StoreCore } from './store-core.ts';
import type { Ticket } from './tickets.ts';

export interface WriteOptions {
  /** The arguments of the endpoint or queryable. */
  readonly args?: readonly unknown[];
  /** The request that is answered. Without it the write counts as asked for now. */
  readonly request?: Ticket;
  /**
   * Decides what the answer of a mutation overwrites, where other mutations overlap it.
   *
   * @internal
   */
  readonly answer?: MutationAnswer | undefined;
  /**
   * Where the input comes from, if that is a request.
   *
   * @internal
   */
  readonly origin?: Origin | undefined;
  /** Whether the input is no answer but what was asked for: records may be parts, and keep the temporary pks of their guess. */
  readonly isPart?: boolean;
  /** Whether the records that the input is, or lists, are whole: fields that they do not have are not there. */
  readonly isWhole?: boolean;
  /** The places of those of a batch that are not in the input: what was guessed of them was not created. */
  readonly refused?: readonly number[] | undefined;
  /** Until when what is written counts as fresh. Default: for ever. */
  readonly expiresAt?: number;
  /** Keeps the normalized input under this request key, in the same commit. */
  readonly resultKey?: string;
}

/** A write that has begun, and is carried out later. */
export interface Prepared {
  /** Called with all cells that may have become others, before they are read. */
  touched(cells: Iterable<RowCell>): void;
  /** What files this away; `undefined` where nothing that was done counts for it. Ends it. */
  take(schema: unknown, input: unknown, args: readonly unknown[]): ((writing: WriteInProgress) => unknown) | undefined;
}

/** What there is to know of a write beside what is written. */
type About = Pick<WriteOptions, 'expiresAt' | 'isPart' | 'isWhole' | 'request'> &
  Partial<Pick<WriteInProgress, 'answer' | 'origin'>>;

/** Cells that changed under guesses, each with the row that was there before. */
type Under = Map<RowCell, RowState>;

const NO_ARGS: readonly unknown[] = [];
const NEVER: Stamp = { issue: 0, fetchedAt: 0, date: 0, expiresAt: 0 };

/** Writes to a store. A write puts rows into place, undoes them if anything throws, and otherwise shows them. */
export class StoreWriter {
  readonly core: StoreCore;
  /** Writes that have begun, by the issue of their request. */
  readonly prepared: Map<number, Prepared> = new Map();
  /** What becomes of created records without a listener. */
  readonly #creating: Creating = { temporaryPk: () => this.core.temporaryPks.make(), created: () => {} };
  /**
   * One of each class that a write makes. JavaScript engines throw machine code away when no instance is left of a class
   * that it was made for, and the first write after a full garbage collection would begin slow.
   */
  kept: readonly object[] | undefined = undefined;
  /** Plans that have been worked out, with all that is in them. */
  readonly #compiled = new WeakSet<Plan>();
  #isWriting = false;

  constructor(now: () => number, frozen: boolean) {
    this.core = new StoreCore(now, frozen, {
      know: (schema) => this.know(schema, true),
      takeOut: () => this.takeOut(),
      finish: () => {
        // Guesses can be what used a class first.
        this.#adoptAll(false);
        this.takeOut();
      },
    });
  }

  /** A write has begun that takes effect when one is written with the same ticket. Until then no reader sees anything of it. */
  prepare<P extends Prepared>(ticket: Ticket, prepared: P): P {
    this.prepared.set(ticket.issue, prepared);
    return prepared;
  }

  /** Throws when called by a hook in the middle of a write: rows are half in place there. */
  assertIdle(): void {
    if (!this.#isWriting) return;
    throw new DataError(
      'store-busy',
      'The store was used while a write was under way. Hooks such as process() and merge() work on what they are given.',
    );
  }

  /** As `assertIdle`; throws also when called by what makes the values of a read. */
  assertWritable(): void {
    this.assertIdle();
    if (!this.core.reading.isReading) return;
    throw new DataError(
      'store-busy',
      'The store was written to while it was read. Functions of queries, and hooks that make values, must only read.',
    );
  }

  /** Runs a walk: rows are half in place meanwhile, and the store must not be used. */
  walk<T>(run: () => T): T {
    this.assertIdle();
    this.#isWriting = true;
    try {
      return run();
    } finally {
      this.#isWriting = false;
    }
  }

  /**
   * A schema is used. Where its classes know relations that were not known before, the records that rows have nested in
   * them are filed away. In a read (`isRead`), observers are notified when it is over: what renders must not notify.
   */
  know(schema: unknown, isRead: boolean): void {
    if (this.#isWriting) return;
    this.compile(schema);
    this.#adoptAll(isRead);
  }

  /** Works out what a schema and those in it say. */
  compile(schema: unknown): void {
    const { planOf } = this.core.reading.space;
    const plan = planOf(schema);
    if (!this.#compiled.has(plan)) compileAll(plan, planOf, this.#compiled);
  }

  #adoptAll(isRead: boolean): void {
    const { core } = this;
    const { space } = core.reading;
    if (space.unadopted.size === 0) return;
    const isOutermost = core.batch === undefined;
    core.runBatch((batch) => {
      batch.isLater ||= isRead && isOutermost;
      adoptAll(space, core.confirmed, (stamp, run) => this.#carryOut(batch, this.#startWrite(stamp), run));
      core.layers?.outdateAll();
    });
  }

  /** Takes deleted records out of the collections that still hold them, when one is read or the batch is over. */
  takeOut(): void {
    const { batch, covered, reading } = this.core;
    const { leaving } = reading.space;
    const { last } = leaving;
    if (last === undefined || batch === undefined || this.#isWriting) return;
    batch.onUndo(() => leaving.restore(last));
    const log = new WriteLog(covered);
    takeOut(reading.space, log);
    this.apply(log, batch);
    batch.writes--;
  }

  /** Files an input away. Returns its normalized form; `undefined` for a request from before a reset. */
  write(schema: unknown, input: unknown, options: WriteOptions, creating: Creating = this.#creating): unknown {
    const { args = NO_ARGS, request, answer, resultKey } = options;
    const { core } = this;
    this.know(schema, false);
    const file =
      (request && this.prepared.get(request.issue)?.take(schema, input, args)) ??
      ((writing: WriteInProgress) => {
        const stored = fileNew(core.reading.space.planOf(schema), input, writing);
        return stored === NOT_NEW ? this.#normalizer(writing, args, creating).run(schema, input) : stored;
      });
    return this.change(options, file, (stored, stamp) => {
      const issued = answer === undefined ? stamp : { ...stamp, issue: answer.issue };
      if (resultKey === undefined) return;
      this.setRequest(resultKey, core.states.with(resultKey, { schema, stored, args: copyOf(args), stamp: issued }));
    });
  }

  #normalizer(writing: WriteInProgress, args: readonly unknown[], creating: Creating): Normalizer {
    const { space } = this.core.reading;
    this.kept ??= [new Batch(), new Normalizer(this.#startWrite(NEVER), space, [], creating)];
    return new Normalizer(writing, space, args, creating);
  }

  /**
   * Carries a change of rows out; what `then` does belongs to the same commit. The ticket of the request is used up.
   * Returns `undefined` for a request from before a reset.
   */
  change<T>(
    about: About,
    run: (writing: WriteInProgress) => T,
    then: (made: T, stamp: Stamp) => void = () => {},
  ): T | undefined {
    this.assertWritable();
    const { request, expiresAt = Number.POSITIVE_INFINITY } = about;
    const { now, tickets } = this.core;
    const { issue, fetchedAt } = request ?? tickets.next();
    if (request !== undefined && !tickets.take(request)) return undefined;
    const stamp: Stamp = { issue, fetchedAt, date: request === undefined ? fetchedAt : now(), expiresAt };
    return this.core.runBatch((batch) => {
      const made = this.#carryOut(batch, this.#startWrite(stamp, about), run);
      then(made, stamp);
      return made;
    });
  }

  #carryOut<T>(batch: Batch, writing: WriteInProgress, run: (writing: WriteInProgress) => T): T {
    const { leaving } = this.core.reading.space;
    const { last } = leaving;
    try {
      const made = this.walk(() => run(writing));
      if (leaving.last !== last) batch.onUndo(() => leaving.restore(last));
      this.apply(writing.log, batch);
      return made;
    } catch (error) {
      writing.log.undo();
      leaving.restore(last);
      throw error;
    }
  }

  #startWrite(stamp: Stamp, { answer, origin, isPart = false, isWhole = false }: About = {}): WriteInProgress {
    const { covered, tickets } = this.core;
    const { last: latest } = tickets;
    const isOvertaking = tickets.isOvertaking(stamp.issue);
    const isOvertaken = (answer ?? stamp).issue < latest;
    const log = new WriteLog(covered);
    return { log, stamp, answer, origin, latest, isOvertaking, isOvertaken, isGuess: false, isPart, isWhole };
  }

  /** Lets what a log holds take effect. */
  apply(log: WriteLog, batch: Batch): void {
    const { core } = this;
    log.close();
    if (log.nested !== undefined) batch.onUndo(core.reading.space.nestAll(log.nested));
    batch.writes++;
    const { cells, fresh } = log;
    if (this.prepared.size > 0) this.touched([...cells, ...log.freshCells()]);
    const under: Under | undefined = core.hasLayers ? new Map() : undefined;
    for (const [table, first] of fresh ?? []) {
      core.showFirst(table, first);
      for (const cell of first) {
        under?.set(cell, undefined);
        core.commits?.row(cell, undefined);
      }
    }
    for (let at = 0; at < cells.length; at++) {
      const cell = cells[at] as RowCell;
      const before = log.before(at);
      const confirmed = log.confirmed(cell);
      if (before === confirmed.row) {
        if (core.tickets.origin > 0) core.commits?.confirmed(cell);
        continue;
      }
      under?.set(cell, before);
      if (confirmed === cell) core.show(cell, before);
      core.commits?.row(cell, before);
    }
    batch.onUndo(() => this.#undo(log));
    if (under !== undefined) core.layers?.settle(under);
  }

  /** Takes back a write that has taken effect, under the guesses that there are now. */
  #undo(log: WriteLog): void {
    const cells = [...log.cells, ...log.freshCells()];
    this.touched(cells);
    const shown = cells.map((cell) => cell.row);
    log.undo();
    for (const [at, cell] of cells.entries()) if (cell.row !== shown[at]) this.core.show(cell, shown[at]);
  }

  /** These cells may have become others: prepared writes are told. */
  touched(cells: Iterable<RowCell>): void {
    for (const prepared of this.prepared.values()) prepared.touched(cells);
  }

  /** From now on, a request key is known for this. */
  setRequest(key: string, state: RequestState | undefined): void {
    const { core } = this;
    const { states } = core;
    const before = states.confirmed.get(key);
    if (before === state) return;
    this.assertWritable();
    core.runBatch((batch) => {
      core.showRequest(key, () => states.set(key, state));
      batch.onUndo(() => core.showRequest(key, () => states.set(key, before)));
    });
  }
}

/** The caller may change what was passed. What goes in a circle, which only mutations take, is kept as it is. */
function copyOf(args: readonly unknown[]): readonly unknown[] {
  if (args.length === 0) return NO_ARGS;
  try {
    return copyPlain(args) as readonly unknown[];
  } catch {
    return args;
  }
}
