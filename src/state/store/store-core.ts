import type { RowState } from '../../define/schema/schema.ts';
import { CellFinder } from '../denormalize/cell-finder.ts';
import type { Cell } from '../graph/cell.ts';
import { notify } from '../graph/mark.ts';
import type { Covered, Covers } from '../normalize/write-log.ts';
import type { RowCell, Table } from '../tables/table.ts';
import { Batch } from './batch.ts';
import { type Commit, Commits } from './commit.ts';
import { LaterNotices } from './later-notices.ts';
import type { Layers } from './layers.ts';
import { Queries } from './queries.ts';
import { RequestCells } from './request-cells.ts';
import { RequestStates } from './request-states.ts';
import type { Snapshots } from './snapshots.ts';
import { TemporaryPkMaker } from './temporary-pk-maker.ts';
import { Tickets } from './tickets.ts';

/** A collection of garbage that is under way. */
export interface GarbageCollection {
  use(cell: Cell): void;
}

/** What is to be written before the store is read, or a batch is over. */
export interface OpenWrites {
  /** A schema is about to be read by for the first time. */
  know(schema: unknown): void;
  /** Takes deleted records out of the collections that still hold them. */
  takeOut(): void;
  /** The outermost batch is about to end. */
  finish(): void;
}

/** What a store holds: rows, requests, guesses, and the cells that read them. It shows what a write has changed. */
export class StoreCore {
  readonly now: () => number;
  readonly reading: CellFinder;
  readonly tickets: Tickets;
  readonly temporaryPks: TemporaryPkMaker = new TemporaryPkMaker();
  readonly states: RequestStates;
  /** The confirmed rows under the guesses. */
  readonly covered: Covers = new Map();
  /** Made for the first listener. */
  commits: Commits | undefined = undefined;
  /** While a collection is under way: told of every cell that is read or changes in between. */
  collection: WeakRef<GarbageCollection> | undefined = undefined;
  /** The pile of guesses; made for the first guess. */
  layers: Layers | undefined = undefined;
  /** Made for the first snapshot. */
  snapshots: Snapshots | undefined = undefined;
  readonly #open: OpenWrites;
  #queries: Queries | undefined = undefined;
  #requestCells: RequestCells | undefined = undefined;
  #laterNotices: LaterNotices | undefined = undefined;
  #batch: Batch | undefined = undefined;
  #isUndoing = false;

  constructor(now: () => number, frozen: boolean, open: OpenWrites) {
    this.now = now;
    this.#open = open;
    this.reading = new CellFinder(frozen);
    this.tickets = new Tickets(now);
    this.states = new RequestStates(this.reading.space);
    this.reading.space.onRebuilt = (rebuilt) => {
      if (this.#batch === undefined) return this.#notifyLater(rebuilt.keys());
      // What a write rebuilds is told with what it changes.
      const { toNotify } = this.#batch;
      for (const [cell, known] of rebuilt) if (!toNotify.has(cell)) toNotify.set(cell, known);
    };
  }

  /** What is confirmed of a cell, whatever guesses show. An arrow, so that it can be handed on. */
  readonly confirmed = (cell: RowCell): Covered => this.covered.get(cell) ?? cell;

  /** Whether a row can be another for readers than the confirmed one. */
  get hasLayers(): boolean {
    return this.layers?.hasLayers === true;
  }

  get queries(): Queries {
    return (this.#queries ??= new Queries(this.reading, this.#open.know));
  }

  get requestCells(): RequestCells {
    return (this.#requestCells ??= new RequestCells(this.reading, this.queries, this.states, this.#open.know));
  }

  /** Calls `listener` after every commit. Returns an unsubscribe function. */
  listen(listener: (commit: Commit) => void): () => void {
    this.commits ??= new Commits({
      row: (cell) => this.confirmed(cell).row,
      request: (key) => this.states.get(key),
    });
    return this.commits.listen(listener);
  }

  #notifyLater(cells: Iterable<Cell>): void {
    (this.#laterNotices ??= new LaterNotices(() => this.commits?.send())).add(cells);
  }

  /** The writes that are under way. */
  get batch(): Batch | undefined {
    return this.#batch;
  }

  /** Runs several writes as one: observers hear of all of them once, and a throw undoes them all. */
  runBatch<T>(run: (batch: Batch) => T): T {
    const outer = this.#batch;
    const batch = outer ?? new Batch();
    const undone = batch.steps;
    const noted = batch.toNotify.size;
    const guessed = this.layers?.steps ?? 0;
    this.#batch = batch;
    try {
      const made = run(batch);
      if (outer === undefined) this.#open.finish();
      return made;
    } catch (error) {
      this.#isUndoing = true;
      batch.undo(undone);
      this.layers?.restore(guessed);
      this.#isUndoing = false;
      batch.doubt(noted);
      throw error;
    } finally {
      this.#batch = outer;
      if (outer === undefined) this.#end(batch);
    }
  }

  #end(batch: Batch): void {
    this.layers?.keep();
    if (batch.isLater) return this.#notifyLater(batch.toNotify.keys());
    if (batch.hasMarked) {
      batch.verify((cell) => this.reading.read(cell));
      notify(batch.toNotify.keys());
    }
    this.commits?.send();
    batch.afterwards?.();
  }

  /** Readers see of a request what it is after a change, with what guesses make of it. */
  showRequest(key: string, change: () => void = () => {}): void {
    const before = this.states.get(key);
    change();
    const { layers } = this;
    if (layers !== undefined) this.states.guess(key, (stored) => layers.overResult(key, stored));
    this.commits?.request(key, before);
    this.snapshots?.requestChanged(key, before);
    this.#requestCells?.changed(key, before, this.states.get(key), (this.#batch as Batch).toNotify);
  }

  /** Everything that follows from readers seeing another row than `before`. */
  show(cell: RowCell, before: RowState): void {
    this.snapshots?.changed(cell, before);
    cell.table.changed(cell, before, (this.#batch as Batch).toNotify, this.#isUndoing);
    if (cell.table.collection !== undefined) this.reading.space.unlinked.add(cell);
    this.commits?.shown(cell, before);
    this.use(cell);
  }

  /** The same of the first rows of a table: what does not look at each of them alone, hears of all at once. */
  showFirst(table: Table, cells: readonly RowCell[]): void {
    table.filled(cells, (this.#batch as Batch).toNotify);
    for (const cell of cells) {
      this.snapshots?.changed(cell, undefined);
      this.commits?.shown(cell, undefined);
      this.use(cell);
    }
  }

  /** A cell is about to be read. */
  useNow(cell: Cell): void {
    this.#open.takeOut();
    this.use(cell);
  }

  /** A cell is read, or has changed: a collection that is under way keeps what it refers to now. */
  use(cell: Cell): void {
    this.collection?.deref()?.use(cell);
  }
}
