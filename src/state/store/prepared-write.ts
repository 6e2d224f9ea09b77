import type { EntityInterface } from '../../define/schema/entity.ts';
import type { RowSchema } from '../../define/schema/schema.ts';
import type { Stamp } from '../../define/schema/stamp.ts';
import { resolve } from '../graph/resolve.ts';
import { argumentNamesIn } from '../normalize/collections.ts';
import type { Creating, WriteInProgress } from '../normalize/write-in-progress.ts';
import { deletionOf, fieldIssues, stampInOrder } from '../normalize/field-order.ts';
import { Normalizer } from '../normalize/normalizer.ts';
import { RowWriter } from '../normalize/row-writer.ts';
import { WriteLog } from '../normalize/write-log.ts';
import type { Relation, Relations } from '../tables/relations.ts';
import { Space } from '../tables/space.ts';
import type { RowCell, RowReader, Table } from '../tables/table.ts';
import type { StoreCore } from './store-core.ts';
import type { Prepared, StoreWriter } from './store-writer.ts';
import type { Ticket } from './tickets.ts';
import { abandonWalk, RowRecorder } from './row-recorder.ts';
import { SlicedNormalizer } from './sliced-normalizer.ts';

/** The number of cells that are collected before each yield. */
const SLICE = 500;

const CREATES_NOTHING: Creating = { temporaryPk: abandonWalk, created: abandonWalk };

/** The answer to write. */
export interface AnswerToPrepare {
  readonly schema: unknown;
  readonly input: unknown;
  readonly args: readonly unknown[];
}

/**
 * The walk of a write, run before the write in slices. Like a layer, it has a space of its own, which is filled from the confirmed rows
 * when they are read.
 *
 * The store does not change until the write takes effect. If other writes change the same records meanwhile, these records are stored again
 * on top of those changes. If the walk depended on a stored row that has changed, or if it needs something that only the store can do, the
 * prepared walk is discarded and the whole write runs at the end. The result is always that of a write that runs at the end.
 */
export class PreparedWrite implements Prepared {
  readonly #writer: StoreWriter;
  readonly #core: StoreCore;
  readonly #given: AnswerToPrepare;
  readonly #ticket: Ticket;
  readonly #stamp: Stamp;
  readonly #log = new WriteLog();
  readonly #space: Space;
  readonly #recorder: RowRecorder;
  readonly #walk: SlicedNormalizer;
  /** The cells of the store, by cells of the walk. */
  readonly #storeCells = new Map<RowCell, RowCell>();
  /** The cells of the walk, by cells of the store. */
  readonly #walkCells = new Map<RowCell, RowCell>();
  /** Cells of the store that may have changed since the walk read them. */
  readonly #touched = new Set<RowCell>();
  /** The tables that were read as a whole. */
  readonly #tables = new Set<string>();
  /** The declared fields of classes as the walk knows them, by table, with the version at its start. */
  readonly #relations = new Map<string, { readonly own: Relations; readonly version: number }>();
  /** Schemas whose plans the store must make when the write takes effect, in the order in which the walk met them. */
  readonly #schemas: (EntityInterface | RowSchema)[] = [];
  /** Cells of the store, with the rows and stamps to put into them. */
  readonly #cells: RowCell[] = [];
  readonly #rows: RowCell['row'][] = [];
  readonly #stamps: RowCell['stamp'][] = [];
  #stored: unknown;
  #isDone = false;
  #isStale = false;

  constructor(writer: StoreWriter, ticket: Ticket, given: AnswerToPrepare) {
    const { core } = writer;
    this.#writer = writer;
    this.#core = core;
    this.#ticket = ticket;
    this.#given = given;
    this.#stamp = { ...ticket, date: core.now(), expiresAt: Number.POSITIVE_INFINITY };
    this.#space = this.#makeSpace();
    const writing = this.#writing();
    this.#recorder = new RowRecorder(new RowWriter(writing, this.#space));
    this.#walk = new SlicedNormalizer(writing, this.#space, given.args, CREATES_NOTHING, this.#recorder);
  }

  /** Runs the walk. Each step of the iterator is one slice. */
  *walk(): Generator<undefined> {
    try {
      this.#writer.registerSchema(this.#given.schema, false);
      const steps = this.#normalize();
      for (let step = this.#step(steps); step.done !== true; step = this.#step(steps)) {
        yield;
        if (this.#isStale) return;
      }
      yield* this.#gather();
      this.#isDone = true;
    } catch {
      // If the error persists, the write itself will throw it.
    }
  }

  *#normalize(): Generator<undefined, unknown> {
    const { schema, input, args } = this.#given;
    const stored = yield* this.#walk.inSlices(this.#space, [schema, input, args[0], undefined]);
    this.#walk.finish();
    return stored;
  }

  /** Lists the cells of the store that the walk has written, with their new rows and stamps. */
  *#gather(): Generator<undefined> {
    for (const cell of this.#log.cells) {
      const home = this.#storeCells.get(cell) as RowCell;
      this.#cells.push(home);
      this.#rows.push(cell.row);
      this.#stamps.push(cell.stamp);
      if (this.#cells.length % SLICE === 0) yield;
    }
  }

  /** Runs one slice of the walk. */
  #step(steps: Generator<undefined, unknown>): IteratorResult<undefined, unknown> {
    const step = this.#writer.walk(() => steps.next());
    if (step.done === true) this.#stored = step.value;
    return step;
  }

  #writing(): WriteInProgress {
    const { tickets } = this.#core;
    return {
      log: this.#log,
      stamp: this.#stamp,
      latest: tickets.last,
      isOvertaking: tickets.isOvertaking(this.#ticket.issue),
      // It matters only for collections, and `#apply` stores these again.
      isOvertaken: false,
      isGuess: false,
      isPart: false,
      isWhole: false,
    };
  }

  #makeSpace(): Space {
    const core = this.#core.reading.space;
    // The values of this space are never read.
    const unread = {} as RowReader;
    return new Space(
      (plan) => {
        this.#schemas.push(plan.kind === 'entity' ? plan.entity : plan.schema);
        return unread;
      },
      {
        copyRow: (cell) => this.#copyRow(cell, core.table(cell.table.name)),
        copyAll: (table) => {
          this.#tables.add(table.name);
          table.arrange(core.table(table.name).order.cells.keys());
        },
        aliases: (name) => core.table(name).aliases,
        names: () => core.tables.keys(),
        relations: (name) => {
          const own = core.relationsOf(name).copy();
          this.#relations.set(name, { own, version: own.version });
          return own;
        },
        followers: core.followers,
        argumentNames: (name) => argumentNamesIn(core.table(name)),
        notes: abandonWalk,
      },
    );
  }

  #copyRow(cell: RowCell, table: Table): void {
    const home = table.cellOf(cell.pk);
    const { row, stamp } = this.#core.confirmed(home);
    cell.row = row;
    cell.stamp = stamp;
    this.#storeCells.set(cell, home);
    this.#walkCells.set(home, cell);
  }

  noteTouched(cells: Iterable<RowCell>): void {
    for (const cell of cells) {
      if (this.#walkCells.has(cell)) this.#touched.add(cell);
      this.#isStale ||= this.#tables.has(cell.table.name);
    }
  }

  take(schema: unknown, input: unknown, args: readonly unknown[]): ((writing: WriteInProgress) => unknown) | undefined {
    const given = this.#given;
    this.#writer.prepared.delete(this.#ticket.issue);
    const isSame =
      this.#isDone &&
      !this.#isStale &&
      !Array.from(this.#touched).some((home) => this.#invalidatesWalk(home)) &&
      !Array.from(this.#relations).some(([name, known]) => this.#hasOtherRelations(name, known)) &&
      schema === given.schema &&
      input === given.input &&
      args.length === given.args.length &&
      args.every((arg, at) => arg === given.args[at]);
    return isSame ? (writing) => this.#apply(writing) : undefined;
  }

  /** Returns whether a change of this row makes the walk unusable, so that storing its record again is not enough. */
  #invalidatesWalk(home: RowCell): boolean {
    const { name, aliases } = home.table;
    const isRenamed = aliases.has(home.pk) || aliases.changed !== undefined;
    return isRenamed || this.#tables.has(name) || this.#recorder.readCells.has(this.#walkCells.get(home));
  }

  /** Returns whether the declared fields of a table have changed since the walk began, or by the walk. */
  #hasOtherRelations(table: string, { own, version }: { readonly own: Relations; readonly version: number }): boolean {
    return own.version !== version || this.#core.reading.space.relationsOf(table).version !== version;
  }

  /** Puts the rows of the walk into the cells of the store. */
  #apply(writing: WriteInProgress): unknown {
    const { log, stamp, isOvertaken } = writing;
    const { space } = this.#core.reading;
    for (const schema of this.#schemas) space.planOf(schema);
    for (const [{ name }, table] of this.#log.nested ?? []) {
      const relation = space.relationsOf(table).get(name) as Relation;
      if (!relation.isNested) log.nest(relation, table);
    }
    const again = new Set<RowCell>();
    for (let at = 0; at < this.#cells.length; at++) {
      const home = this.#cells[at] as RowCell;
      const known = this.#stamps[at];
      // A list that arrives late must not contain records that were deleted after it was requested.
      if (this.#touched.has(home) || (isOvertaken && home.table.collection !== undefined)) again.add(home);
      else log.put(home, this.#rows[at], known?.issue === stamp.issue ? withTimes(known, stamp) : known);
    }
    log.isOfPage = this.#log.isOfPage;
    log.isLate = this.#log.isLate;
    log.isOutdated = this.#log.isOutdated;
    for (const [cell, sent] of this.#log.arrived ?? []) log.arrive(this.#storeCells.get(cell) as RowCell, sent);
    const rows = new RowWriter(writing, space);
    if (again.size > 0) this.#storeAgain(again, writing, rows);
    new Normalizer(writing, space, this.#given.args, CREATES_NOTHING, rows).follow();
    return this.#stored;
  }

  /** Repeats the writes of records that have changed in the store since the walk read them. */
  #storeAgain(homes: ReadonlySet<RowCell>, writing: WriteInProgress, rows: RowWriter): void {
    const cells = new Map<RowCell, RowCell>();
    for (const home of homes) {
      // A cell that was removed meanwhile is replaced by a new one.
      const own = home.table.cellOf(home.pk);
      writing.log.touch(own);
      cells.set(this.#walkCells.get(home) as RowCell, own);
    }
    for (const { cell, repeat } of this.#recorder.recordedWrites) {
      const own = cells.get(cell);
      if (own !== undefined) repeat(rows, own);
    }
    writing.log.keepUnchanged(cells.values());
  }

  /** Builds the values of the written rows, so that the first read is fast. */
  *read(): Generator<undefined> {
    for (const home of this.#cells) {
      if (home.clean || !home.table.hasReader || home.table.collection !== undefined) continue;
      this.#core.use(home);
      try {
        resolve(home);
      } catch {
        // A read of the row throws this error to its caller.
      }
      yield;
    }
  }
}

/** Returns a stamp of the walk with the times of the write. */
function withTimes(known: Stamp, stamp: Stamp): Stamp {
  return stampInOrder(stamp, fieldIssues(known), deletionOf(known));
}
