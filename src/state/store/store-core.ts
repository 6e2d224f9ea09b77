import type { Invalid, Row, Stamp } from '../../define/schema/schema.ts';
import { DataError } from '../../std/data-error.ts';
import { CellFinder } from '../denormalize/cell-finder.ts';
import type { Cell } from '../graph/cell.ts';
import { notify } from '../graph/mark.ts';
import type { Creating, Incoming } from '../normalize/combine.ts';
import { Normalizer } from '../normalize/normalizer.ts';
import { takeOut } from '../normalize/remove-row.ts';
import { type Covers, WriteLog } from '../normalize/write-log.ts';
import type { Plan } from '../tables/plan.ts';
import type { RowCell, Table } from '../tables/table.ts';
import { adoptAll, compileAll } from './adopt.ts';
import { Batch } from './batch.ts';
import { type Commit, Commits } from './commit.ts';
import { LaterNotices } from './later-notices.ts';
import { type LayerRows, LayerSpaces } from './layer-rows.ts';
import { Layers } from './layers.ts';
import { Queries } from './queries.ts';
import { Tickets, type Ticket } from './tickets.ts';
import { RequestCells } from './request-cells.ts';
import type { RequestState } from './request-state.ts';
import { RequestStates } from './request-states.ts';
import type { SnapshotReader } from './snapshot.ts';
import { Snapshots } from './snapshots.ts';

/** A write that has begun, and lands later. */
export interface Prepared {
  /** Told of all cells that may have become others, before anybody reads them. */
  touched(cells: Iterable<RowCell>): void;
  /** What files this away; `undefined` where nothing that was done counts for it. Ends it. */
  take(schema: unknown, input: unknown, args: readonly unknown[]): ((writing: Incoming) => unknown) | undefined;
}

/** A collection of garbage that is under way. */
export interface GarbageCollection {
  use(cell: Cell): void;
}

/** What there is to know of a write beside what is written. */
interface Writing extends Pick<Incoming, 'answer' | 'origin'> {
  readonly ticket: Ticket | undefined;
  readonly expiresAt: number;
  readonly isPart?: boolean | undefined;
  readonly isWhole?: boolean | undefined;
}

/** Cells that changed under guesses, each with the row that was there before. */
type Under = Map<RowCell, Row | Invalid | undefined>;

const NEVER: Stamp = { issue: 0, fetchedAt: 0, date: 0, expiresAt: 0 };

/**
 * The confirmed rows and everything that must know of a change to them. All writes go through `write`: it puts rows
 * into place, undoes them if anything throws, and otherwise lets them land: marks, layers, snapshots, listeners.
 */
export class StoreCore {
  readonly reading: CellFinder;
  readonly requests: Tickets;
  readonly states: RequestStates;
  /** Made for the first listener. */
  commits: Commits | undefined = undefined;
  /** While a collection is under way: told of every cell that is read or changes in between. */
  collection: WeakRef<GarbageCollection> | undefined = undefined;
  /**
   * One of each class that a write makes. JavaScript engines throw machine code away when no instance is left of a class
   * that it was made for, and the first write after a full garbage collection would begin slow.
   */
  kept: readonly object[] | undefined = undefined;
  /** Whether a walk is under way: rows are half in place, and the store must not be used. */
  isWriting = false;
  /** Writes that have begun, by the issue of their request. */
  readonly prepared: Map<number, Prepared> = new Map();
  readonly now: () => number;
  /** What becomes of created records without a listener. */
  readonly creating: Creating = { temporaryPk: () => this.layers.temporaryPk(), created: () => {} };
  /** The confirmed rows under the guesses. */
  readonly #covered: Covers = new Map();
  #layers: Layers | undefined = undefined;
  #queries: Queries | undefined = undefined;
  #requestCells: RequestCells | undefined = undefined;
  #laterNotices: LaterNotices | undefined = undefined;
  #snapshots: Snapshots | undefined = undefined;
  #batch: Batch | undefined = undefined;
  #isUndoing = false;

  constructor(now: () => number, frozen: boolean) {
    this.now = now;
    this.reading = new CellFinder(frozen);
    this.requests = new Tickets(now);
    this.states = new RequestStates(this.reading.space);
    this.reading.space.onRebuilt = (rebuilt) => {
      if (this.#batch === undefined) return this.#notifyLater(rebuilt.keys());
      // What a write rebuilds is told with what it changes.
      const { toNotify } = this.#batch;
      for (const [cell, known] of rebuilt) if (!toNotify.has(cell)) toNotify.set(cell, known);
    };
  }

  /** The pile of guesses; made for the first guess. */
  get layers(): Layers {
    return (this.#layers ??= this.#makeLayers());
  }

  #makeLayers(): Layers {
    const spaces = new LayerSpaces(this.reading.space, this.reading.frozen);
    return new Layers(spaces, this.#covered, this.now, this.show, (key) => this.#showRequest(key));
  }

  get queries(): Queries {
    return (this.#queries ??= new Queries(this.reading, this.#read));
  }

  get requestCells(): RequestCells {
    return (this.#requestCells ??= new RequestCells(this.reading, this.queries, this.states, this.#read));
  }

  readonly #read = (schema: unknown): void => this.know(schema, true);

  /** Calls `listener` after every commit. Returns an unsubscribe function. */
  listen(listener: (commit: Commit) => void): () => void {
    this.commits ??= new Commits({
      row: (cell) => this.layers.confirmed(cell).row,
      request: (key) => this.states.get(key),
    });
    return this.commits.listen(listener);
  }

  /** The store as it is now, to be read later. */
  snapshot(): SnapshotReader {
    const { queries, reading, requestCells: requests, states } = this;
    this.#snapshots ??= new Snapshots({ reading, states, queries, requests, use: (cell) => this.useNow(cell) });
    return this.#snapshots.take();
  }

  #notifyLater(cells: Iterable<Cell>): void {
    (this.#laterNotices ??= new LaterNotices(() => this.commits?.send())).add(cells);
  }

  /**
   * A schema is used. Where its classes know relations that were not known before, the records that rows have nested in
   * them are filed away. In a read (`isRead`), observers are notified when it is over: what renders must not notify.
   */
  know(schema: unknown, isRead: boolean): void {
    if (this.isWriting) return;
    this.compile(schema);
    this.#adoptAll(isRead);
  }

  #adoptAll(isRead: boolean): void {
    const { space } = this.reading;
    if (space.unadopted.size === 0) return;
    const isOutermost = this.#batch === undefined;
    this.batch((batch) => {
      batch.isLater ||= isRead && isOutermost;
      adoptAll(space, this.layers.confirmed, (stamp, run) => this.#carryOut(batch, this.#incoming(stamp), run));
      this.#layers?.outdateAll();
    });
  }

  /** Works out what a schema and those in it say. */
  compile(schema: unknown): void {
    const { planOf } = this.reading.space;
    const plan = planOf(schema);
    if (!this.#compiled.has(plan)) compileAll(plan, planOf, this.#compiled);
  }

  /** Plans that have been worked out, with all that is in them. */
  readonly #compiled = new WeakSet<Plan>();

  /** Runs several writes as one: observers hear of all of them once, and a throw undoes them all. */
  batch<T>(run: (batch: Batch) => T): T {
    const outer = this.#batch;
    const batch = outer ?? new Batch();
    const undone = batch.steps;
    const noted = batch.toNotify.size;
    const guessed = this.#layers?.steps ?? 0;
    this.#batch = batch;
    try {
      const made = run(batch);
      if (outer === undefined) {
        // Guesses can be what used a class first.
        this.#adoptAll(false);
        this.takeOut();
      }
      return made;
    } catch (error) {
      this.#isUndoing = true;
      batch.undo(undone);
      this.#layers?.restore(guessed);
      this.#isUndoing = false;
      batch.doubt(noted);
      throw error;
    } finally {
      this.#batch = outer;
      if (outer === undefined) this.#end(batch);
    }
  }

  #end(batch: Batch): void {
    this.#layers?.keep();
    if (batch.isLater) return this.#notifyLater(batch.toNotify.keys());
    if (batch.hasMarked) {
      batch.verify();
      notify(batch.toNotify.keys());
    }
    this.commits?.send();
    batch.afterwards?.();
  }

  /**
   * Carries one write out; `landed` belongs to the same commit. `ticket` is used up. Returns `undefined` for a request from
   * before a reset.
   */
  write<T>(
    given: Writing,
    run: (writing: Incoming) => T,
    landed: (made: T, stamp: Stamp) => void = () => {},
  ): T | undefined {
    this.assertIdle();
    const { ticket, expiresAt } = given;
    const { issue, fetchedAt } = ticket ?? this.requests.next();
    if (ticket !== undefined && !this.requests.take(ticket)) return undefined;
    const stamp: Stamp = { issue, fetchedAt, date: ticket === undefined ? fetchedAt : this.now(), expiresAt };
    return this.batch((batch) => {
      const made = this.#carryOut(batch, this.#incoming(stamp, given), run);
      landed(made, stamp);
      return made;
    });
  }

  /** Takes deleted records out of the collections that still hold them, when one is read or the batch is over. */
  takeOut(): void {
    const { leaving } = this.reading.space;
    const { last } = leaving;
    if (last === undefined || this.#batch === undefined || this.isWriting) return;
    this.#batch.onUndo(() => leaving.restore(last));
    const log = new WriteLog(this.#covered);
    takeOut(this.reading.space, log);
    this.land(log, this.#batch);
    this.#batch.writes--;
  }

  #carryOut<T>(batch: Batch, writing: Incoming, run: (writing: Incoming) => T): T {
    const { log } = writing;
    const { leaving } = this.reading.space;
    const { last } = leaving;
    this.isWriting = true;
    try {
      const made = run(writing);
      this.isWriting = false;
      if (leaving.last !== last) batch.onUndo(() => leaving.restore(last));
      this.land(log, batch);
      return made;
    } catch (error) {
      log.undo();
      leaving.restore(last);
      throw error;
    } finally {
      this.isWriting = false;
    }
  }

  #incoming(stamp: Stamp, { answer, origin, isPart = false, isWhole = false }: Partial<Writing> = {}): Incoming {
    const { last: latest } = this.requests;
    const isOvertaking = this.requests.isAnyOlder(stamp.issue);
    const isOvertaken = (answer ?? stamp).issue < latest;
    const log = new WriteLog(this.#covered);
    return { log, stamp, answer, origin, latest, isOvertaking, isOvertaken, isGuess: false, isPart, isWhole };
  }

  /** These cells may have become others: writes that have begun are told. */
  touched(cells: Iterable<RowCell>): void {
    for (const prepared of this.prepared.values()) prepared.touched(cells);
  }

  /** Throws when called by a hook in the middle of a write: rows are half in place there. */
  assertIdle(): void {
    if (!this.isWriting) return;
    throw new DataError(
      'store-busy',
      'The store was used while a write was under way. Hooks such as process() and merge() work on what they are given.',
    );
  }

  /** What files an input away. */
  normalizer(writing: Incoming, args: readonly unknown[], creating: Creating): Normalizer {
    const { space } = this.reading;
    this.kept ??= [new Batch(), new Normalizer(this.#incoming(NEVER), space, [], creating)];
    return new Normalizer(writing, space, args, creating);
  }

  /** From now on, a request key is known for this. */
  setRequest(key: string, state: RequestState | undefined): void {
    const before = this.states.confirmed.get(key);
    if (before === state) return;
    this.batch((batch) => {
      this.#showRequest(key, () => this.states.set(key, state));
      batch.onUndo(() => this.#showRequest(key, () => this.states.set(key, before)));
    });
  }

  /** Readers see of a request what it is after a change, with what guesses make of it. */
  #showRequest(key: string, change: () => void = () => {}): void {
    const before = this.states.get(key);
    change();
    if (this.#layers !== undefined) this.states.guess(key, (stored) => this.layers.overResult(key, stored));
    this.commits?.request(key, before);
    this.#snapshots?.requestChanged(key, before);
    this.#requestCells?.changed(key, before, this.states.get(key), (this.#batch as Batch).toNotify);
  }

  /** Takes a guess out of the pile; what `replace` puts in its place is seen at the same moment. */
  drop(layer: LayerRows, replace?: (batch: Batch) => readonly RowCell[]): void {
    this.batch((batch) => {
      batch.writes++;
      this.layers.replace(layer, () => {
        const gone = replace?.(batch) ?? [];
        this.touched(gone);
        return gone;
      });
    });
  }

  /** Lets what a log holds take effect. */
  land(log: WriteLog, batch: Batch): void {
    log.close();
    if (log.nested !== undefined) batch.onUndo(this.reading.space.nestAll(log.nested));
    batch.writes++;
    const { cells, fresh } = log;
    if (this.prepared.size > 0) this.touched([...cells, ...log.freshCells()]);
    const under = this.#layers?.hasLayers === true ? (new Map() as Under) : undefined;
    if (fresh !== undefined) for (const [table, filled] of fresh) this.#landFresh(table, filled, batch, under);
    for (let at = 0; at < cells.length; at++) {
      const cell = cells[at] as RowCell;
      const before = log.before(at);
      const place = log.place(cell);
      if (before === place.row) continue;
      under?.set(cell, before);
      if (place === cell) this.show(cell, before);
      this.commits?.row(cell, before);
    }
    batch.onUndo(() => this.#unland(log));
    if (under !== undefined) this.#layers?.settle(under);
  }

  /** The first rows of a table: what does not look at each of them alone, hears of all at once. */
  #landFresh(table: Table, cells: readonly RowCell[], { toNotify }: Batch, under: Under | undefined): void {
    table.filled(cells, toNotify);
    for (const cell of cells) {
      under?.set(cell, undefined);
      this.#snapshots?.changed(cell, undefined);
      this.commits?.row(cell, undefined);
      this.commits?.shown(cell, undefined);
      this.use(cell);
    }
  }

  /** Takes a landed write back, under the guesses that there are now. */
  #unland(log: WriteLog): void {
    const cells = [...log.cells, ...log.freshCells()];
    this.touched(cells);
    const shown = cells.map((cell) => cell.row);
    log.undo();
    for (const [at, cell] of cells.entries()) if (cell.row !== shown[at]) this.show(cell, shown[at]);
  }

  /** Everything that follows from readers seeing another row than `before`. An arrow, so that it can be handed on. */
  readonly show = (cell: RowCell, before: Row | Invalid | undefined): void => {
    this.#snapshots?.changed(cell, before);
    cell.table.changed(cell, before, (this.#batch as Batch).toNotify, this.#isUndoing);
    if (cell.table.collection !== undefined) this.reading.space.unlinked.add(cell);
    this.commits?.shown(cell, before);
    this.use(cell);
  };

  /** A cell is about to be read. */
  useNow(cell: Cell): void {
    this.takeOut();
    this.use(cell);
  }

  /** A cell is read, or has changed: a collection that is under way keeps what it refers to now. */
  use(cell: Cell): void {
    this.collection?.deref()?.use(cell);
  }
}
