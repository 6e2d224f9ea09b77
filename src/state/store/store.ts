import { pkFrom, pkMissing } from '../../define/schema/pk.ts';
import type { Denormalize, Queryable, SchemaArgs } from '../../define/schema/infer-schema.ts';
import { INVALID, type Invalid, type Row } from '../../define/schema/schema.ts';
import { QueryCell } from '../denormalize/query-cell.ts';
import type { Cell } from '../graph/cell.ts';
import type { ObservedCell } from '../graph/observed-cell.ts';
import { removeRow } from '../normalize/remove-row.ts';
import { collect } from './collector.ts';
import type { Commit } from './commit.ts';
import { freshUntil } from './freshness.ts';
import { missingIn } from './missing.ts';
import type { StoreCore } from './store-core.ts';
import { StoreWriter, type WriteOptions } from './store-writer.ts';
import type { Ticket } from './tickets.ts';
import type { Alias } from './rename.ts';
import { reset } from './reset.ts';
import { restore, type StoredRow, storedRows } from './restore.ts';
import type { Found } from './request-cell.ts';
import type { RequestRead } from './request-cells.ts';
import type { Note, RequestState, Result } from './request-state.ts';
import { isDevelopment } from '../../std/development.ts';

export interface StoreOptions {
  /** The clock, for expiry alone; nothing is ordered by it. */
  readonly now?: () => number;
  /** How many rows may be kept that no component shows. */
  readonly maxRows?: number;
  /** Whether values are frozen. Default: not in production. */
  readonly frozen?: boolean;
}

export interface RestoreOptions {
  /** Whether it is a later part of what was restored before. */
  readonly isLater?: boolean;
  /** The fields, by table, that responses had records in. */
  readonly nestedFields?: Iterable<readonly [table: string, fields: readonly string[]]>;
  /** What temporary pks stand for in the rows. */
  readonly aliases?: Iterable<Alias>;
}

/** A live value. */
export interface Readable<Value = unknown> {
  /** `undefined` while missing, `INVALID` while invalid; the same object until something it is made of changes. */
  readonly current: () => Value | Invalid | undefined;
  /** Calls `onChange` after `current` may have become another. Returns an unsubscribe function. */
  readonly subscribe: (onChange: () => void) => () => void;
}

export interface StoreStats {
  readonly rows: number;
  readonly tables: number;
  readonly results: number;
  readonly queries: number;
  readonly layers: number;
}

/** The args of a queryable, to be left out where there need be none. */
type ArgsIfAny<S> = [] extends SchemaArgs<S> ? [args?: SchemaArgs<S>] : [args: SchemaArgs<S>];

const NO_ARGS: readonly unknown[] = [];

/** Everything that an application knows of its records, in one place. Works alone: no framework, no network. */
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
   * What only some applications need works with this from outside of the class, so that the others do not carry it.
   *
   * @internal
   */
  get writer(): StoreWriter {
    return this.#writer;
  }

  /** A request starts. What it answers will be ordered by when it started, not by when it is answered. */
  begin(): Ticket {
    return this.#core.tickets.begin();
  }

  /** A request ended without an answer. */
  settle(ticket: Ticket): void {
    this.#core.tickets.settle(ticket);
    this.#writer.prepared.delete(ticket.issue);
  }

  /** Files a response away and gives its normalized form. All of it takes effect, or, with an error, nothing. */
  write(schema: unknown, input: unknown, options: WriteOptions = {}): unknown {
    return this.#writer.write(schema, input, options);
  }

  /** Deletes a record. It reads as invalid until an answer to a later request brings it back. */
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

  /** Runs several writes as one commit. If `run` throws, none of them has happened. */
  batch<T>(run: () => T): T {
    return this.#core.runBatch(run);
  }

  /** The value of a queryable; `undefined` where there is none. */
  get<S extends Queryable>(schema: S, ...args: SchemaArgs<S>): Denormalize<S> | undefined {
    const value = this.#resolve(this.#core.queries.cell(schema, args));
    // What a schema makes of rows is for its types to say; the engine moves values about without looking.
    return value === INVALID ? undefined : (value as Denormalize<S>);
  }

  /** A queryable, live. */
  query<S extends Queryable>(schema: S, ...rest: ArgsIfAny<S>): Readable<Denormalize<S>> {
    const args: readonly unknown[] = rest[0] ?? NO_ARGS;
    const cell = this.#core.queries.cell(schema, args);
    return this.#readable(() => cell);
  }

  /** Until when `get` gives a fresh value: as long as every record that it shows is. `Infinity` where it shows none. */
  expiresAt<S extends Queryable>(schema: S, ...args: SchemaArgs<S>): number {
    const cell = this.#core.queries.cell(schema, args);
    this.#resolve(cell);
    return freshUntil(cell, this.#core.now());
  }

  /** The value of a normalized form, such as `write` gives. */
  read<S>(schema: S, stored: unknown, args: readonly unknown[] = NO_ARGS): Denormalize<S> | Invalid | undefined {
    this.#writer.know(schema, true);
    const cell = new QueryCell(this.#core.reading, () => ({ schema, stored, args }));
    const value = this.#resolve(cell);
    cell.release();
    return value as Denormalize<S>;
  }

  /** What a request answered last, in refs, without what guesses make of it. */
  result(key: string): Result | undefined {
    return this.request(key)?.results[0];
  }

  /** All that is known of a request key, without what guesses make of it. */
  request(key: string): RequestState | undefined {
    return this.#core.states.confirmed.get(key);
  }

  /** The value of what a request answered, live, as `schema` reads it; without one, as the schema that filed it does. */
  resultView<S = unknown>(key: string, schema?: S): Readable<Denormalize<S>> {
    this.use(key);
    return this.#readable(() => this.#core.requestCells.result(key, schema));
  }

  /** What a request has to say: its value, and what else is known of it. */
  readRequest(read: RequestRead): Found {
    return this.#resolve(this.#core.requestCells.request(read)) as Found;
  }

  /** Calls `onChange` after `readRequest` may give something else. Returns an unsubscribe function. */
  watchRequest(read: RequestRead, onChange: () => void): () => void {
    return this.#subscribe(this.#core.requestCells.request(read), onChange);
  }

  /** Notes something of a request beside its results. */
  note(key: string, note: Note | undefined): void {
    this.#writer.setRequest(key, this.#core.states.noted(key, note));
  }

  /** Notifies the observers of a request, although nothing of it has changed. */
  touch(key: string): void {
    this.#writer.setRequest(key, this.#core.states.again(key));
  }

  /** Counts a request as used now: of those that nothing shows, the one used longest ago is thrown away first. */
  use(key: string): void {
    if (this.#maxRows < Number.POSITIVE_INFINITY) this.#core.states.use(key);
  }

  dropResult(key: string): void {
    this.#writer.setRequest(key, this.#core.states.without(key));
  }

  /** Forgets all that is known of a request. */
  dropRequest(key: string): void {
    this.#writer.setRequest(key, undefined);
  }

  /** The pks of records that something observed refers to and that are not there. Deleted ones are not missing. */
  missing(entity: { readonly key: string }): string[] {
    return missingIn(this.#core.reading.space.tables.get(entity.key));
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

  /** A row as it is stored, in plain data. */
  row(table: string, pk: string): Row | Invalid | undefined {
    this.#writer.takeOut();
    return this.#core.reading.space.tables.get(table)?.find(pk)?.row;
  }

  /** The pk that a temporary one stands for since its create was confirmed; any other, as it is. */
  pkOf(table: string, pk: string): string {
    return this.#core.reading.space.tables.get(table)?.aliases.get(pk) ?? pk;
  }

  /** What the temporary pks stand for whose creates were confirmed. */
  *aliases(): Generator<Alias> {
    for (const { name: table, aliases } of this.#core.reading.space.tables.values())
      for (const [temporary, pk] of aliases) yield { table, temporary, pk };
  }

  /** Every confirmed row, deleted ones included. */
  rows(): Generator<StoredRow> {
    return storedRows(this.#writer);
  }

  /** Every latest result, by request key. */
  results(): Iterable<readonly [key: string, result: Result]> {
    return this.#core.states.results();
  }

  /** All that is known of each request, by request key. */
  requests(): Iterable<readonly [key: string, state: RequestState]> {
    return this.#core.states.entries();
  }

  /**
   * Puts rows and results from elsewhere where there are none yet, in one commit. They count as older than any request.
   * With `isLater` they also take the place of what was restored before, and not written to since.
   */
  restore(
    rows: Iterable<StoredRow>,
    results: Iterable<readonly [key: string, result: Result]>,
    { isLater = false, nestedFields = [], aliases = [] }: RestoreOptions = {},
  ): void {
    this.#core.runBatch(() => {
      restore(this.#writer, rows, results, isLater, aliases);
      this.#core.reading.space.restoreNested(nestedFields);
    });
  }

  /** The fields, by table, that responses had records in: rows hold the pks of those. */
  nestedFields(): Iterable<readonly [table: string, fields: readonly string[]]> {
    return this.#core.reading.space.nestedFields();
  }

  #resolve(cell: Cell): unknown {
    this.#writer.assertIdle();
    this.#writer.takeOut();
    this.#core.use(cell);
    return this.#core.reading.read(cell);
  }

  /** A cell that nothing observes may be thrown away, so `find` finds the one that there is. */
  #readable<Value>(find: () => ObservedCell): Readable<Value> {
    return {
      current: () => this.#resolve(find()) as Value,
      subscribe: (onChange) => this.#subscribe(find(), onChange),
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
    for (const listener of this.#onObserve) listener();
    return stop;
  }

  stats(): StoreStats {
    const { layers, queries, reading, states } = this.#core;
    let rows = 0;
    for (const table of reading.space.tables.values()) rows += table.size;
    return {
      rows,
      tables: reading.space.tables.size,
      results: Array.from(states.results()).length,
      queries: Array.from(queries).length,
      layers: layers?.size ?? 0,
    };
  }

  /**
   * Removes data that no component shows and that is past its time, with what only that leads to. Each step of the iterator is a
   * slice of the work; the application runs on in between.
   */
  collect(): Generator<undefined, number> {
    return collect(this.#writer, this.#maxRows);
  }

  /** Forgets everything. What was asked for before will not be stored when it is answered. */
  reset(): void {
    reset(this.#writer);
  }
}
