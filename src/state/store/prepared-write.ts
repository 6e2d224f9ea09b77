import type { EntityInterface } from '../../define/schema/entity.ts';
import type { RowSchema, Stamp } from '../../define/schema/schema.ts';
import { resolve } from '../graph/resolve.ts';
import { namesIn } from '../normalize/collections.ts';
import type { Creating, WriteInProgress } from '../normalize/combine.ts';
import { deletionOf, fieldsOf, ordered } from '../normalize/field-order.ts';
import { Normalizer } from '../normalize/normalizer.ts';
import { RowWriter } from '../normalize/row-writer.ts';
import { WriteLog } from '../normalize/write-log.ts';
import type { Relation, Relations } from '../tables/relations.ts';
import { Space } from '../tables/space.ts';
import type { RowCell, RowReader, Table } from '../tables/table.ts';
import type { StoreCore } from './store-core.ts';
import type { Prepared, StoreWriter } from './store-writer.ts';
import type { Ticket } from './tickets.ts';
import { cannot, RowRecorder } from './row-recorder.ts';
import { normalizeInSlices } from './sliced-normalize.ts';

/** How many cells are gathered between two chances to yield. */
const SLICE = 500;

const CREATES_NOTHING: Creating = { temporaryPk: cannot, created: cannot };

/** What is to be written. */
export interface AnswerToPrepare {
  readonly schema: unknown;
  readonly input: unknown;
  readonly args: readonly unknown[];
}

/**
 * The walk of a write, done ahead of it in slices: as that of a layer, in a space of its own that is filled from the
 * confirmed rows as they are asked for.
 *
 * The store does not change until the write takes effect. What other writes put into the same records meanwhile is not
 * lost: what was walked for those is filed again then, on top of what is there. Where the walk was decided
 * by what it found in the store, and that has changed, and where it cannot be done ahead, the write is done whole. So
 * whatever is written between two slices, the result is that of a write that is done whole at its end.
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
  readonly #walk: Normalizer;
  /** By the cell of the walk, the cell of the store. */
  readonly #homes = new Map<RowCell, RowCell>();
  /** By the cell of the store, that of the walk. */
  readonly #looked = new Map<RowCell, RowCell>();
  /** The cells of the store that may be others than when the walk looked at them. */
  readonly #touched = new Set<RowCell>();
  /** The tables that were looked at as a whole. */
  readonly #tables = new Set<string>();
  /** What the classes say of their fields as the walk knows it, by table; and the version that it began with. */
  readonly #relations = new Map<string, { readonly own: Relations; readonly version: number }>();
  /** What the store has to work out when it takes effect, in the order in which the walk came upon it. */
  readonly #claims: (EntityInterface | RowSchema)[] = [];
  /** Cells of the store, with what is put into them. */
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
    this.#walk = new Normalizer(writing, this.#space, given.args, CREATES_NOTHING, this.#recorder);
  }

  /** Each step of the iterator is a part of the work; the application runs on in between. */
  *walk(): Generator<undefined> {
    try {
      this.#writer.know(this.#given.schema, false);
      const steps = this.#file();
      for (let step = this.#step(steps); step.done !== true; step = this.#step(steps)) {
        yield;
        if (this.#isStale) return;
      }
      yield* this.#gather();
      this.#isDone = true;
    } catch {
      // The write will come upon it too, if it is still so, and say what it is.
    }
  }

  *#file(): Generator<undefined, unknown> {
    const { schema, input, args } = this.#given;
    const stored = yield* normalizeInSlices(this.#walk, this.#space, [schema, input, args[0], undefined]);
    this.#walk.finish();
    return stored;
  }

  *#gather(): Generator<undefined> {
    for (const cell of this.#log.cells) {
      const home = this.#homes.get(cell) as RowCell;
      this.#cells.push(home);
      this.#rows.push(cell.row);
      this.#stamps.push(cell.stamp);
      if (this.#cells.length % SLICE === 0) yield;
    }
  }

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
      // It makes a difference to collections, and those are filed again.
      isOvertaken: false,
      isGuess: false,
      isPart: false,
      isWhole: false,
    };
  }

  #makeSpace(): Space {
    const core = this.#core.reading.space;
    // What the walk makes is not read.
    const unread = {} as RowReader;
    const claim = (schema: EntityInterface | RowSchema): RowReader => {
      this.#claims.push(schema);
      return unread;
    };
    return new Space(
      { entity: ({ entity }) => claim(entity), rows: ({ schema }) => claim(schema) },
      {
        fetch: (cell) => this.#fetch(cell, core.table(cell.table.name)),
        fetchAll: (table) => {
          this.#tables.add(table.name);
          table.arrange(core.table(table.name).cells.keys());
        },
        aliases: (name) => core.table(name).aliases,
        relations: (name) => {
          const own = core.relationsOf(name).copy();
          this.#relations.set(name, { own, version: own.version });
          return own;
        },
        followers: core.followers,
        argumentNames: (name) => namesIn(core.table(name)),
        notes: cannot,
      },
    );
  }

  #fetch(cell: RowCell, table: Table): void {
    const home = table.cellOf(cell.pk);
    const { row, stamp } = this.#core.confirmed(home);
    cell.row = row;
    cell.stamp = stamp;
    this.#homes.set(cell, home);
    this.#looked.set(home, cell);
  }

  touched(cells: Iterable<RowCell>): void {
    for (const cell of cells) {
      if (this.#looked.has(cell)) this.#touched.add(cell);
      this.#isStale ||= this.#tables.has(cell.table.name);
    }
  }

  take(schema: unknown, input: unknown, args: readonly unknown[]): ((writing: WriteInProgress) => unknown) | undefined {
    const given = this.#given;
    this.#writer.prepared.delete(this.#ticket.issue);
    const isSame =
      this.#isDone &&
      !this.#isStale &&
      !Array.from(this.#touched).some((home) => this.#isDecisive(home)) &&
      !Array.from(this.#relations).some(([name, known]) => this.#isFiledOtherwise(name, known)) &&
      schema === given.schema &&
      input === given.input &&
      args.length === given.args.length &&
      args.every((arg, at) => arg === given.args[at]);
    return isSame ? (writing) => this.#apply(writing) : undefined;
  }

  /** Whether more depends on a row than what is in its cell. */
  #isDecisive(home: RowCell): boolean {
    const { name, aliases } = home.table;
    return aliases.has(home.pk) || this.#tables.has(name) || this.#recorder.asked.has(this.#looked.get(home));
  }

  /** Whether something that is news to the walk, or to the store, was said of the fields of a table since. */
  #isFiledOtherwise(table: string, { own, version }: { readonly own: Relations; readonly version: number }): boolean {
    return own.version !== version || this.#core.reading.space.relationsOf(table).version !== version;
  }

  /** Puts what was walked into the cells of the store. */
  #apply(writing: WriteInProgress): unknown {
    const { log, stamp, isOvertaken } = writing;
    const { space } = this.#core.reading;
    for (const schema of this.#claims) space.planOf(schema);
    for (const [{ name }, table] of this.#log.nested ?? [])
      log.nest(space.relationsOf(table).find(name) as Relation, table);
    const again = new Set<RowCell>();
    for (let at = 0; at < this.#cells.length; at++) {
      const home = this.#cells[at] as RowCell;
      const known = this.#stamps[at];
      // A late list holds nothing that was deleted after it was asked for.
      if (this.#touched.has(home) || (isOvertaken && home.table.collection !== undefined)) again.add(home);
      else log.put(home, this.#rows[at], known?.issue === stamp.issue ? dated(known, stamp) : known);
    }
    for (const cell of this.#log.arrived ?? []) log.arrive(this.#homes.get(cell) as RowCell);
    const rows = new RowWriter(writing, space);
    if (again.size > 0) this.#fileAgain(again, writing, rows);
    new Normalizer(writing, space, this.#given.args, CREATES_NOTHING, rows).follow();
    return this.#stored;
  }

  #fileAgain(homes: ReadonlySet<RowCell>, writing: WriteInProgress, rows: RowWriter): void {
    const cells = new Map<RowCell, RowCell>();
    for (const home of homes) {
      // One that was thrown away meanwhile has a new cell.
      const own = home.table.cellOf(home.pk);
      writing.log.touch(own);
      cells.set(this.#looked.get(home) as RowCell, own);
    }
    for (const { cell, again } of this.#recorder.filings) {
      const own = cells.get(cell);
      if (own !== undefined) again(rows, own);
    }
    writing.log.keepUnchanged(cells.values());
  }

  /** Builds the values of what has been written, so that the first read has little left to do. */
  *read(): Generator<undefined> {
    for (const home of this.#cells) {
      if (home.clean || !home.table.isClaimed || home.table.collection !== undefined) continue;
      this.#core.use(home);
      try {
        resolve(home);
      } catch {
        // A read of it throws, and says why.
      }
      yield;
    }
  }
}

/** A stamp of the walk, as the write gives it. */
function dated(known: Stamp, stamp: Stamp): Stamp {
  return ordered(stamp, fieldsOf(known), deletionOf(known));
}
