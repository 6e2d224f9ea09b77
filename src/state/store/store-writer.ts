import type { RowState } from '../../define/schema/row.ts';
import type { Stamp } from '../../define/schema/stamp.ts';
import { DataError } from '../../std/data-error.ts';
import { inDevelopment } from '../../std/development.ts';
import { copyPlain } from '../../std/plain.ts';
import type { Creating, WriteInProgress } from '../normalize/write-in-progress.ts';
import { storeNew, NOT_NEW } from '../normalize/new-rows.ts';
import { Normalizer } from '../normalize/normalizer.ts';
import { removeDeletedFromCollections } from '../normalize/remove-row.ts';
import { WriteLog } from '../normalize/write-log.ts';
import type { Plan } from '../tables/plan.ts';
import { plansWithin } from '../tables/plan-parts.ts';
import type { RowCell, Table } from '../tables/table.ts';
import { adoptAll } from './adopt.ts';
import { Batch } from './batch.ts';
import type { RequestState } from './request-state.ts';
import { StoreCore } from './store-core.ts';
import type { Ticket } from './tickets.ts';
import type { ChangeOptions, WriteOptions } from './write-options.ts';

/** A write whose walk runs before it. */
export interface Prepared {
  /** Called with all cells that may have changed, before they are read. */
  noteTouched(cells: Iterable<RowCell>): void;
  /** Returns a function that stores the prepared rows, or `undefined` if the preparation cannot be used. Ends the preparation. */
  take(schema: unknown, input: unknown, args: readonly unknown[]): ((writing: WriteInProgress) => unknown) | undefined;
}

/** Cells whose confirmed rows changed below guesses, with the former rows. */
type CoveredChanges = Map<RowCell, RowState>;

const NO_ARGS: readonly unknown[] = [];
const NEVER: Stamp = { issue: 0, fetchedAt: 0, date: 0, expiresAt: 0 };

/** Writes to a store: puts rows into place, undoes them if something throws, and otherwise shows them. */
export class StoreWriter {
  readonly core: StoreCore;
  /** Prepared writes, by the issue of their request. */
  readonly prepared: Map<number, Prepared> = new Map();
  /** The default for created records. */
  readonly #creating: Creating = { temporaryPk: (table) => this.core.temporaryPks.make(table), created: () => {} };
  /**
   * One instance of each class that a write uses. Engines discard compiled code of a class when no instance is left, and the first write
   * after a full garbage collection would be slow.
   */
  kept: readonly object[] | undefined = undefined;
  /** Plans that were computed with all plans inside them. */
  readonly #compiled = new WeakSet<Plan>();
  #isWriting = false;

  constructor(now: () => number, isFrozen: boolean) {
    this.core = new StoreCore(now, isFrozen, {
      registerSchema: (schema) => this.registerSchema(schema, true),
      removeDeletedFromCollections: () => this.removeDeletedFromCollections(),
      finish: () => {
        const { leaving } = this.core.reading.space;
        // A guess may have been the first use of a class.
        this.#adoptAll(false);
        if (leaving.last !== undefined) this.removeDeletedFromCollections();
      },
    });
  }

  /** Registers a prepared write. It takes effect when a write with the same ticket runs. Until then, readers do not see it. */
  prepare<P extends Prepared>(ticket: Ticket, prepared: P): P {
    this.prepared.set(ticket.issue, prepared);
    return prepared;
  }

  /** Throws if called by a hook during a write, when only some of the rows are in place. */
  assertIdle(): void {
    if (!this.#isWriting) return;
    throw new DataError('store-busy', 'The store was used during a write.', {
      cure: inDevelopment(() => 'Hooks such as process() and merge() must use only their arguments.'),
    });
  }

  /** As `assertIdle`. Also throws during a read, if called by code that builds values. */
  assertWritable(): void {
    this.assertIdle();
    if (!this.core.reading.isReading) return;
    throw new DataError('store-busy', 'The store was written to during a read.', {
      cure: inDevelopment(() => 'Functions of queries, and hooks that create values, must only read.'),
    });
  }

  /** Runs a walk. The store must not be used meanwhile, because only some of the rows are in place. */
  walk<T>(run: () => T): T {
    this.assertIdle();
    this.core.batch?.close();
    this.#isWriting = true;
    try {
      return run();
    } finally {
      this.#isWriting = false;
    }
  }

  /**
   * Prepares for the use of a schema. If its classes declare new relations, the records nested in stored rows are stored as rows. In a read
   * (`isRead`), observers are notified after the read, because code that renders must not notify.
   */
  registerSchema(schema: unknown, isRead: boolean): void {
    if (this.#isWriting) return;
    this.compile(schema);
    if (isRead) this.core.reading.space.refresh();
    this.#adoptAll(isRead);
  }

  /** Computes the plans of a schema and of all schemas inside it. */
  compile(schema: unknown): void {
    const { planOf } = this.core.reading.space;
    const plan = planOf(schema);
    if (!this.#compiled.has(plan)) plansWithin(plan, planOf, this.#compiled);
  }

  /** Stores nested records of new relations, and makes guesses again that these relations or newly known lists change. */
  #adoptAll(isRead: boolean): void {
    const { core } = this;
    const { space } = core.reading;
    const areGuessesOutdated = space.hasNewLists && core.layers !== undefined;
    space.hasNewLists = false;
    if (space.unadopted.size === 0 && !areGuessesOutdated) return;
    const isOutermost = core.batch === undefined;
    core.runBatch((batch) => {
      batch.isLater ||= isRead && isOutermost;
      adoptAll(space, core.confirmed, (stamp, run) => this.#carryOut(batch, this.#startWrite(stamp), run));
      core.layers?.outdateAll();
    });
  }

  /** Removes deleted records from the collections that still hold them, and closes open lists. Called before a read and at the end of a batch. */
  removeDeletedFromCollections(): void {
    const { batch, covered, reading } = this.core;
    const { leaving } = reading.space;
    const { last } = leaving;
    if (batch === undefined || this.#isWriting) return;
    if (last !== undefined) {
      batch.onUndo(() => leaving.restore(last));
      const log = new WriteLog(covered);
      removeDeletedFromCollections(reading.space, log);
      this.apply(log, batch);
      batch.writes--;
    }
    batch.close();
  }

  /** Normalizes an input. Returns its stored form, or `undefined` for a request from before a reset. */
  write(
    schema: unknown,
    input: unknown,
    options: WriteOptions,
    creating: Creating = this.#creatingFor(options),
  ): unknown {
    const { args = NO_ARGS, request, answer, resultKey } = options;
    const { core } = this;
    this.registerSchema(schema, false);
    const normalize =
      (request && this.prepared.get(request.issue)?.take(schema, input, args)) ??
      ((writing: WriteInProgress) => {
        const stored = storeNew(core.reading.space.planOf(schema), input, writing);
        return stored === NOT_NEW ? this.#normalizer(writing, args, creating).run(schema, input) : stored;
      });
    if (resultKey === undefined) return this.change(options, normalize);
    return this.change(options, normalize, (stored, { log, stamp }, batch) => {
      const { confirmed } = core.states;
      if (log.isLate && request !== undefined) request.isLate = true;
      const known = log.isLate ? confirmed.readable(confirmed.get(resultKey), schema) : undefined;
      if (known !== undefined) return known.stored;
      const issued = answer === undefined ? stamp : { ...stamp, issue: answer.issue };
      // `null` for an answer without records. `undefined` would mean that the schema is not known.
      const result = {
        schema: schema ?? null,
        stored,
        args: args.length === 0 ? NO_ARGS : copyOf(args),
        stamp: issued,
        ...(log.isOfPage && { isOfPage: true }),
      };
      // What came with a page, such as the cursor of the next one, belongs to the list that is gone.
      const isCut = Array.from(log.arrived?.keys() ?? []).some(
        (cell) => log.confirmed(cell).stamp?.cut?.[0] === stamp.issue,
      );
      this.#setRequest(resultKey, core.states.withResult(resultKey, result, isCut), batch);
      return stored;
    });
  }

  #creatingFor({ isPart = false, nestedEdits, sent }: WriteOptions): Creating {
    if (nestedEdits === undefined || (!isPart && !sent?.size)) return this.#creating;
    const nested: Creating['nested'] = (...record) => nestedEdits.restrict(...record);
    return { ...this.#creating, nested, sent: isPart ? undefined : sent };
  }

  #normalizer(writing: WriteInProgress, args: readonly unknown[], creating: Creating): Normalizer {
    const { space } = this.core.reading;
    this.kept ??= [new Batch(), new Normalizer(this.#startWrite(NEVER), space, [], creating)];
    return new Normalizer(writing, space, args, creating);
  }

  /**
   * Runs a change of rows, and `then` in the same commit. Uses up the ticket of the request. Returns `undefined` for a request from before
   * a reset.
   */
  change<T>(
    about: ChangeOptions,
    run: (writing: WriteInProgress) => T,
    then: (made: T, writing: WriteInProgress, batch: Batch) => T = (made) => made,
  ): T | undefined {
    this.assertWritable();
    const { request, expiresAt: until = Number.POSITIVE_INFINITY } = about;
    // NaN and -Infinity cannot be compared or saved.
    const expiresAt = until >= 0 ? until : 1;
    const { now, tickets } = this.core;
    const { issue, fetchedAt } = request ?? tickets.next();
    if (request !== undefined && !tickets.take(request)) return undefined;
    const date = request === undefined ? fetchedAt : now();
    const stamp: Stamp = { issue, fetchedAt, date, expiresAt, latest: tickets.last };
    return this.core.runBatch((batch) => {
      const writing = this.#startWrite(stamp, about);
      return then(this.#carryOut(batch, writing, run), writing, batch);
    });
  }

  #carryOut<T>(batch: Batch, writing: WriteInProgress, run: (writing: WriteInProgress) => T): T {
    const { leaving } = this.core.reading.space;
    const { last } = leaving;
    this.#isWriting = true;
    try {
      const made = run(writing);
      this.#isWriting = false;
      if (leaving.last !== last) batch.onUndo(() => leaving.restore(last));
      this.apply(writing.log, batch);
      return made;
    } catch (error) {
      this.#isWriting = false;
      writing.log.undo();
      leaving.restore(last);
      throw error;
    }
  }

  #startWrite(
    stamp: Stamp,
    { answer, answeredRequest, isPart = false, isWhole = false }: ChangeOptions = {},
  ): WriteInProgress {
    const { covered, tickets } = this.core;
    const { last: latest } = tickets;
    const isOvertaking = tickets.isOvertaking(stamp.issue);
    const isOvertaken = (answer ?? stamp).issue < latest;
    const log = new WriteLog(covered);
    return { log, stamp, answer, answeredRequest, latest, isOvertaking, isOvertaken, isGuess: false, isPart, isWhole };
  }

  /** Makes the rows of a log take effect. */
  apply(log: WriteLog, batch: Batch): void {
    const { core } = this;
    log.close();
    const { cells, newRows, nested } = log;
    if (nested !== undefined) {
      core.reading.space.nest(nested, true);
      batch.onUndo(() => core.reading.space.nest(nested, false));
    }
    batch.writes++;
    if (this.prepared.size > 0) this.noteTouched([...cells, ...log.newCells()]);
    const under: CoveredChanges | undefined = core.hasLayers ? new Map() : undefined;
    if (newRows !== undefined) this.#showNew(newRows, under);
    const needsConfirmed = core.commits?.needsConfirmed === true;
    for (let at = 0; at < cells.length; at++) {
      const cell = cells[at] as RowCell;
      const before = log.before(at);
      const confirmed = log.confirmed(cell);
      if (before === confirmed.row) {
        if (needsConfirmed) core.commits?.noteConfirmed(cell);
        continue;
      }
      if (under !== undefined) under.set(cell, before);
      else if (cell.table.collection !== undefined) batch.open(confirmed.row, before);
      if (confirmed === cell) core.show(cell, before);
      core.commits?.noteRow(cell, before);
    }
    batch.onUndo(Object.assign(() => this.#undo(log), { log }));
    if (under !== undefined) core.layers?.settle(under, log.arrived?.keys());
  }

  #showNew(newRows: ReadonlyMap<Table, readonly RowCell[]>, under: CoveredChanges | undefined): void {
    const { core } = this;
    for (const [table, first] of newRows) {
      core.showFirst(table, first);
      for (const cell of first) {
        under?.set(cell, undefined);
        core.commits?.noteRow(cell, undefined);
      }
    }
  }

  /** Undoes a write that has taken effect, below the present guesses. */
  #undo(log: WriteLog): void {
    const cells = [...log.cells, ...log.newCells()];
    this.noteTouched(cells);
    const shown = cells.map((cell) => cell.row);
    log.undo();
    for (const [at, cell] of cells.entries()) if (cell.row !== shown[at]) this.core.show(cell, shown[at]);
  }

  /** Notifies prepared writes that these cells may have changed. */
  noteTouched(cells: Iterable<RowCell>): void {
    for (const prepared of this.prepared.values()) prepared.noteTouched(cells);
  }

  /** Sets the state of a request key. */
  setRequest(key: string, state: RequestState | undefined): void {
    if (this.core.states.confirmed.get(key) === state) return;
    this.assertWritable();
    this.core.runBatch((batch) => this.#setRequest(key, state, batch));
  }

  #setRequest(key: string, state: RequestState | undefined, batch: Batch): void {
    const { core } = this;
    const before = core.states.confirmed.get(key);
    core.showRequest(key, { state });
    batch.onUndo(() => core.showRequest(key, { state: before }));
  }
}

/**
 * Returns a copy, because the caller may change the arguments. Arguments that contain themselves, which only mutations accept, are not
 * copied.
 */
function copyOf(args: readonly unknown[]): readonly unknown[] {
  try {
    return copyPlain(args) as readonly unknown[];
  } catch {
    return args;
  }
}
