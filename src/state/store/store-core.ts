import type { RowState } from '../../define/schema/row.ts';
import { CellFinder } from '../denormalize/cell-finder.ts';
import type { Cell } from '../graph/cell.ts';
import { notify, type ToNotify } from '../graph/mark.ts';
import type { Covered, Covers } from '../normalize/write-log.ts';
import { showAgain } from '../tables/row-variants.ts';
import type { RowCell, Table } from '../tables/table.ts';
import { Batch } from './batch.ts';
import { type Commit, Commits } from './commit.ts';
import { LaterNotices } from './later-notices.ts';
import type { Layers } from './layers.ts';
import { Queries } from './queries.ts';
import { RequestCells } from './request-cells.ts';
import type { RequestState } from './request-state.ts';
import { RequestStates } from './request-states.ts';
import type { Snapshots } from './snapshots.ts';
import { TemporaryPkMaker } from './temporary-pk-maker.ts';
import { Tickets } from './tickets.ts';

/** A running garbage collection. */
export interface GarbageCollection {
  use(cell: Cell): void;
}

/** Writes that must happen before the store is read, or before a batch ends. */
export interface OpenWrites {
  /** Called before a schema is read for the first time. */
  registerSchema(schema: unknown): void;
  /** Removes deleted records from the collections that still hold them. */
  removeDeletedFromCollections(): void;
  /** Called before the outermost batch ends. */
  finish(): void;
}

/** The content of a store: rows, requests, guesses, and the cells that read them. Updates what readers see after a write. */
export class StoreCore {
  readonly now: () => number;
  readonly reading: CellFinder;
  readonly tickets: Tickets;
  readonly temporaryPks: TemporaryPkMaker = new TemporaryPkMaker();
  readonly states: RequestStates;
  /** The confirmed rows that are hidden by guesses. */
  readonly covered: Covers = new Map();
  /** Made for the first listener. */
  commits: Commits | undefined = undefined;
  /** The running garbage collection, which is notified of every cell that is read or changes. */
  collection: WeakRef<GarbageCollection> | undefined = undefined;
  /** The optimistic layers. Made for the first guess. */
  layers: Layers | undefined = undefined;
  /** Made for the first snapshot. */
  snapshots: Snapshots | undefined = undefined;
  readonly #open: OpenWrites;
  #queries: Queries | undefined = undefined;
  #requestCells: RequestCells | undefined = undefined;
  #laterNotices: LaterNotices | undefined = undefined;
  #batch: Batch | undefined = undefined;
  #isUndoing = false;

  constructor(now: () => number, isFrozen: boolean, open: OpenWrites) {
    this.now = now;
    this.#open = open;
    this.reading = new CellFinder(isFrozen);
    this.tickets = new Tickets(now);
    this.states = new RequestStates(this.reading.space);
    this.reading.space.onRebuilt = this.#noteRebuilt;
  }

  /**
   * Notifies observers of values that must be rebuilt. A field, because V8 puts a function that is written as the right side of an assignment
   * to a property into its old generation. There it would keep a dropped store, as of a page rendered on a server, until a full collection.
   */
  readonly #noteRebuilt = (rebuilt: ToNotify): void => {
    if (this.#batch === undefined) return this.#notifyLater(rebuilt.keys());
    // Changes during a write are reported with the write.
    const { toNotify } = this.#batch;
    for (const [cell, known] of rebuilt) if (!toNotify.has(cell)) toNotify.set(cell, known);
  };

  /** Returns the confirmed row of a cell. An arrow function, so that it can be passed on. */
  readonly confirmed = (cell: RowCell): Covered => this.covered.get(cell) ?? cell;

  /** Whether readers may see a row that differs from the confirmed one. */
  get hasLayers(): boolean {
    return this.layers?.hasLayers === true;
  }

  get queries(): Queries {
    return (this.#queries ??= new Queries(this.reading, this.#open.registerSchema));
  }

  get requestCells(): RequestCells {
    return (this.#requestCells ??= new RequestCells(this.reading, this, this.states, this.#open.registerSchema));
  }

  /** Calls `listener` after every commit. Returns an unsubscribe function. */
  listen(listener: (commit: Commit) => void, needsConfirmed?: () => boolean): () => void {
    this.commits ??= new Commits({
      row: (cell) => this.confirmed(cell).row,
      request: (key) => this.states.get(key),
      isExchanged: () => this.tickets.origin > 0,
    });
    return this.commits.listen(listener, needsConfirmed);
  }

  #notifyLater(cells: Iterable<Cell>): void {
    (this.#laterNotices ??= new LaterNotices(() => this.commits?.send())).add(cells);
  }

  /** The running batch. */
  get batch(): Batch | undefined {
    return this.#batch;
  }

  /** Runs several writes as one. Observers are notified once, and a throw undoes all of them. */
  runBatch<T>(run: (batch: Batch) => T): T {
    const outer = this.#batch;
    const batch = outer ?? new Batch();
    const undone = outer?.steps ?? 0;
    const moves = batch.moves;
    const guessed = this.layers?.steps ?? 0;
    const lists = outer && (outer.lists ??= new Set());
    batch.lists = undefined;
    this.#batch = batch;
    try {
      const made = run(batch);
      if (lists === undefined) this.#open.finish();
      else batch.endPart(undone, lists);
      return made;
    } catch (error) {
      this.#isUndoing = true;
      batch.undo(undone);
      this.layers?.restore(guessed);
      batch.putBack(moves, this.#show);
      this.#isUndoing = false;
      // Cells that the batch has marked can have their former values again.
      batch.writes += 2;
      throw error;
    } finally {
      this.#batch = outer;
      batch.lists = lists;
      if (outer === undefined) this.#end(batch);
    }
  }

  #end(batch: Batch): void {
    batch.close();
    this.layers?.keep();
    if (batch.isLater) return this.#notifyLater(batch.toNotify.keys());
    this.commits?.sendRest();
    if (batch.toNotify.size > 0) {
      batch.verify((cell) => this.reading.read(cell));
      notify(batch.toNotify.keys());
    }
    this.commits?.send();
    batch.afterwards?.();
  }

  /** Updates what readers see of a request, with guesses. With `next`, sets its state before. */
  showRequest(key: string, next?: { readonly state: RequestState | undefined }): void {
    const before = this.states.get(key);
    if (next !== undefined) this.states.set(key, next.state);
    const { layers } = this;
    if (layers !== undefined) this.states.guess(key, (stored) => layers.overResult(key, stored));
    this.commits?.noteRequest(key, before);
    this.snapshots?.keepRequest(key, before);
    this.#requestCells?.noteChange(key, before, this.states.get(key), (this.#batch as Batch).toNotify);
  }

  /** Updates everything that depends on a row that readers see, after it has changed from `before`. */
  show(cell: RowCell, before: RowState): void {
    this.snapshots?.keepRow(cell, before);
    const { arrival } = cell;
    const batch = this.#batch as Batch;
    cell.table.noteChange(cell, before, batch.toNotify, this.#isUndoing);
    if (cell.arrival !== arrival) batch.move(cell, arrival);
    if (cell.table.collection !== undefined) this.reading.space.unlinked.add(cell);
    this.commits?.noteShown(cell, before);
    this.use(cell);
  }

  readonly #show = (cell: RowCell, before: RowState): void => this.show(cell, before);

  /** Puts a created record where its guess was shown, because records that are shown must not move when mutations are answered. */
  takePlace(cell: RowCell, guess: RowCell, wasShown: boolean): void {
    if (wasShown && cell.arrival < guess.arrival) return;
    showAgain(cell, this.#show);
    (this.#batch as Batch).move(cell, cell.arrival);
    cell.table.order.placeAfter(cell, guess);
  }

  /** As `show`, for the first rows of a table. Signals of the table happen once for all of them. */
  showFirst(table: Table, cells: readonly RowCell[]): void {
    table.noteFirstRows(cells, (this.#batch as Batch).toNotify);
    for (const cell of cells) {
      this.snapshots?.keepRow(cell, undefined);
      this.commits?.noteShown(cell, undefined);
      this.use(cell);
    }
  }

  /** Called before a cell is read. */
  useNow(cell: Cell): void {
    this.#open.removeDeletedFromCollections();
    this.use(cell);
  }

  /** Called when a cell is read or changes: a running garbage collection keeps what it refers to. */
  use(cell: Cell): void {
    this.collection?.deref()?.use(cell);
  }
}
