import { isTemporary, withServerPk } from '../tables/temporary-names.ts';
import { pkFrom, pkMissing } from '../../define/schema/pk.ts';
import type { Denormalize, Queryable, SchemaArgs } from '../../define/schema/infer-schema.ts';
import { INVALID, type Invalid, type Row } from '../../define/schema/row.ts';
import { QueryCell } from '../denormalize/query-cell.ts';
import type { Cell } from '../graph/cell.ts';
import { notifyEach } from '../../std/listeners.ts';
import type { ObservedCell } from '../graph/observed-cell.ts';
import { isRow, RowCell } from '../tables/table.ts';
import { removeRow } from '../normalize/remove-row.ts';
import { removeUnused } from './collector.ts';
import type { Commit } from './commit.ts';
import { freshUntil } from './freshness.ts';
import { missingPks } from './missing-pks.ts';
import type { StoreCore } from './store-core.ts';
import { statsOf, type StoreStats } from './store-stats.ts';
import { StoreWriter } from './store-writer.ts';
import type { WriteOptions } from './write-options.ts';
import type { Ticket } from './tickets.ts';
import { reset } from './reset.ts';
import { type StoredRow, storedRows } from './restore.ts';
import type { Found } from './request-cell.ts';
import type { RequestRead } from './request-cells.ts';
import type { Note, RequestState, Result } from './request-state.ts';
import { isDevelopment } from '../../std/development.ts';

/** The options of `Store`. */
export interface StoreOptions {
  /** The clock. It is used only for expiry, never for order. */
  readonly now?: () => number;
  /** How many rows that nothing shows may be kept. */
  readonly maxRows?: number;
  /** Whether values are frozen. Default: not in production. */
  readonly frozen?: boolean;
}

/** A live value. */
export interface Readable<Value = unknown> {
  /** `undefined` if missing, `INVALID` if invalid. The same object until something changes from which it is built. */
  readonly current: () => Value | Invalid | undefined;
  /** Calls `onChange` after `current` may have changed. Returns an unsubscribe function. */
  readonly subscribe: (onChange: () => void) => () => void;
}

/** The arguments of a queryable. May be left out if none is required. */
type ArgsIfAny<S> = [] extends SchemaArgs<S> ? [args?: SchemaArgs<S>] : [args: SchemaArgs<S>];

const NO_ARGS: readonly unknown[] = [];

/** All data of an application, in one place. Works without a framework and without a network. */
export class Store {
  readonly #writer: StoreWriter;
  readonly #core: StoreCore;
  readonly #maxRows: number;
  readonly #onObserve = new Set<() => void>();

  constructor(options: StoreOptions = {}) {
    const { now = () => Date.now(), maxRows = Number.POSITIVE_INFINITY, frozen = isDevelopment() } = options;
    this.#writer = new StoreWriter(now, frozen);
    this.#core = this.#writer.core;
    this.#maxRows = maxRows;
  }

  /**
   * For features that only some applications need. They are functions outside of the class, so that other applications do not load them.
   *
   * @internal
   */
  get writer(): StoreWriter {
    return this.#writer;
  }

  /** Begins a request. Its answer is ordered by when the request began, not by when it is answered. */
  begin(): Ticket {
    return this.#core.tickets.begin();
  }

  /** Ends a request without an answer. */
  settle(ticket: Ticket): void {
    this.#core.tickets.settle(ticket);
    this.#writer.prepared.delete(ticket.issue);
  }

  /** Normalizes and stores a response. Returns its stored form. If it throws, nothing is stored. */
  write(schema: unknown, input: unknown, options: WriteOptions = {}): unknown {
    return this.#writer.write(schema, input, options);
  }

  /** Deletes a record. It reads as invalid until the answer of a later request stores it again. */
  invalidate(entity: { readonly key: string }, pk: string | number, options: Pick<WriteOptions, 'request'> = {}): void {
    const { space } = this.#core.reading;
    const text = pkFrom(pk, entity.key);
    if (text === undefined) throw pkMissing(entity.key, pk);
    this.#writer.change(options, (writing) => {
      const cell = space.table(entity.key).cellOf(text);
      writing.log.touch(cell);
      removeRow(cell, space, writing);
    });
  }

  /** Runs several writes as one commit. If `run` throws, all of them are undone. */
  batch<T>(run: () => T): T {
    return this.#core.runBatch(run);
  }

  /** Returns the value of a queryable, or `undefined` if there is none. */
  get<S extends Queryable>(schema: S, ...args: SchemaArgs<S>): Denormalize<S> | undefined {
    const value = this.#resolve(this.#core.queries.cell(schema, args));
    // The type follows from the schema, which the store does not check.
    return value === INVALID ? undefined : (value as Denormalize<S>);
  }

  /** Returns the live value of a queryable. */
  query<S extends Queryable>(schema: S, ...rest: ArgsIfAny<S>): Readable<Denormalize<S>> {
    const args: readonly unknown[] = rest[0] ?? NO_ARGS;
    const find = this.#core.queries.finder(schema, args);
    find();
    return this.#readable(find);
  }

  /** Returns until when the value of `get` is fresh: until the first record that it shows expires. `Infinity` if it shows none. */
  expiresAt<S extends Queryable>(schema: S, ...args: SchemaArgs<S>): number {
    return this.#freshUntil(this.#core.queries.cell(schema, args));
  }

  /** As `expiresAt`, for the value of `readRequest`. */
  requestExpiresAt(read: RequestRead): number {
    return this.#freshUntil(this.#core.requestCells.request(read));
  }

  #freshUntil(cell: Cell): number {
    this.#resolve(cell);
    return freshUntil(cell, this.#core.now());
  }

  /** Returns the value of a stored form, such as `write` returns. */
  read<S>(schema: S, stored: unknown, args: readonly unknown[] = NO_ARGS): Denormalize<S> | Invalid | undefined {
    this.#writer.registerSchema(schema, true);
    const { reading } = this.#core;
    const plan = reading.space.planOf(schema);
    const variant = { name: '', args, depth: Number.POSITIVE_INFINITY };
    const record = plan.kind === 'entity' ? reading.find(plan, stored, variant, undefined) : undefined;
    if (record instanceof RowCell && isRow(record.row)) return this.#resolve(record) as Denormalize<S>;
    const cell = new QueryCell(reading, () => ({ schema, stored, args }));
    try {
      return this.#resolve(cell) as Denormalize<S>;
    } finally {
      cell.release();
    }
  }

  /** Returns the last answer of a request in refs, without guesses. */
  result(key: string): Result | undefined {
    return this.request(key)?.results[0];
  }

  /** Returns the results and the note of a request key, without guesses. */
  request(key: string): RequestState | undefined {
    return this.#core.states.confirmed.get(key);
  }

  /** Returns the live value of the answer of a request, as `schema` reads it. Default: the schema that stored it. */
  resultView<S = unknown>(key: string, schema?: S): Readable<Denormalize<S>> {
    this.use(key);
    return this.#readable(() => this.#core.requestCells.result(key, schema));
  }

  /** Returns the state and value of a request. */
  readRequest(read: RequestRead): Found {
    return this.#resolve(this.#core.requestCells.request(read)) as Found;
  }

  /** Calls `onChange` after the result of `readRequest` may have changed. Returns an unsubscribe function. */
  watchRequest(read: RequestRead, onChange: () => void): () => void {
    return this.#subscribe(this.#core.requestCells.request(read), onChange);
  }

  /** Sets the note of a request. */
  note(key: string, note: Note | undefined): void {
    this.#writer.setRequest(key, this.#core.states.withNote(key, note));
  }

  /** Notifies the observers of a request without a change. */
  touch(key: string): void {
    this.#writer.setRequest(key, this.#core.states.copyOf(key));
  }

  /** Marks a request as used now. Of the requests that nothing shows, the least recently used one is removed first. */
  use(key: string): void {
    if (this.#maxRows < Number.POSITIVE_INFINITY) this.#core.states.use(key);
  }

  /** Removes the results of a request, and keeps its note. */
  dropResult(key: string): void {
    this.#writer.setRequest(key, this.#core.states.withoutResults(key));
  }

  /** Removes the results and the note of a request. */
  dropRequest(key: string): void {
    this.#writer.setRequest(key, undefined);
  }

  /** Returns the pks to which observed values refer and that have no record. Deleted records are not included. */
  missing(entity: { readonly key: string }): string[] {
    return missingPks(this.#core.reading.space.tables.get(entity.key));
  }

  /** Calls `listener` after every commit. Returns an unsubscribe function. */
  onCommit(listener: (commit: Commit) => void): () => void {
    return this.#core.listen(listener);
  }

  /** Calls `listener` when a value gets an observer. Returns an unsubscribe function. */
  onObserve(listener: () => void): () => void {
    const own = (): void => listener();
    this.#onObserve.add(own);
    return () => void this.#onObserve.delete(own);
  }

  /** Returns a row as it is stored, as plain data. */
  row(table: string, pk: string): Row | Invalid | undefined {
    this.#writer.removeDeletedFromCollections();
    return this.#core.reading.space.tables.get(table)?.find(pk)?.row;
  }

  /**
   * Returns the pk that replaced a temporary pk when its create was confirmed, also inside of a pk that is made of several fields. Returns any
   * other pk unchanged.
   */
  pkOf(table: string, pk: string): string {
    const { space } = this.#core.reading;
    return space.tables.get(table)?.aliases.get(pk) ?? (isTemporary(pk) ? withServerPk(pk, space.serverPk) : pk);
  }

  /**
   * Whether readers may see a row that differs from the confirmed one.
   *
   * @internal
   */
  get hasLayers(): boolean {
    return this.#core.hasLayers;
  }

  /** Returns every confirmed row, including deleted ones. */
  rows(): Generator<StoredRow> {
    return storedRows(this.#writer);
  }

  /** Returns the latest result of each request. */
  results(): Iterable<readonly [key: string, result: Result]> {
    return [...this.#core.states.results()];
  }

  /** Returns the results and the note of each request. */
  requests(): Iterable<readonly [key: string, state: RequestState]> {
    // A copy, because the caller may change requests, which moves their keys to the end.
    return [...this.#core.states.entries()];
  }

  #resolve(cell: Cell): unknown {
    this.#writer.assertIdle();
    this.#writer.removeDeletedFromCollections();
    this.#core.use(cell);
    return this.#core.reading.read(cell);
  }

  /** `find` is called again while there are no observers, because then the cell may be removed. */
  #readable<Value>(find: () => ObservedCell): Readable<Value> {
    let observed: ObservedCell | undefined;
    return {
      current: () => this.#resolve(observed ?? find()) as Value,
      subscribe: (onChange) => {
        const cell = (observed ??= find());
        const stop = this.#subscribe(cell, onChange);
        return () => {
          stop();
          if (!cell.isObserved) observed = undefined;
        };
      },
    };
  }

  #subscribe(cell: ObservedCell, onChange: () => void): () => void {
    this.#writer.assertIdle();
    const stop = cell.observe(onChange);
    try {
      this.#resolve(cell);
    } catch {
      // `current()` throws this error to its caller. The observer is still notified when the value can be read.
    }
    notifyEach(this.#onObserve, undefined);
    return stop;
  }

  /** Returns how much the store contains. */
  stats(): StoreStats {
    return statsOf(this.#core);
  }

  /** Removes expired data that nothing shows. Each step of the iterator is one slice of the work; the application can run in between. */
  collect(): Generator<undefined, number> {
    return removeUnused(this.#writer, this.#maxRows);
  }

  /** Removes all data. Answers of requests that began before are not stored. */
  reset(): void {
    reset(this.#writer);
  }
}
