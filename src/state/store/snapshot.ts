import type { Denormalize, Queryable, SchemaArgs } from '../../define/schema/infer-schema.ts';
import { INVALID, type Invalid, type Row } from '../../define/schema/row.ts';
import { QueryCell } from '../denormalize/query-cell.ts';
import type { CellFinder } from '../denormalize/cell-finder.ts';
import type { Cell } from '../graph/cell.ts';
import { resolve } from '../graph/resolve.ts';
import { Queries } from './queries.ts';
import type { Found } from './request-cell.ts';
import { RequestCells, type RequestRead, type StateSource } from './request-cells.ts';

/** The cells that are read: those of a store or of a snapshot. */
export interface ReadCells {
  readonly queries: Queries;
  readonly requests: RequestCells;
}

/** Reads values of the present store that are the same as in a snapshot. */
export interface Present {
  /** Returns a value wrapped in an object. `undefined` if it may differ from the snapshot. */
  sameValue(find: (cells: ReadCells) => Cell): { readonly value: unknown } | undefined;
}

/** Returns a row as it is stored. The caller then depends only on these fields, and on whether the row exists. */
export type ReadRowFields = (table: string, pk: string, fields: readonly string[]) => Row | Invalid | undefined;

const NO_STATES: StateSource = { get: () => undefined, readable: () => undefined };

/** Reads a store as it was at one moment, or as it is below an optimistic layer. Repeated reads return the same object. */
export class SnapshotReader {
  readonly #reading: CellFinder;
  readonly #states: StateSource;
  readonly #present: Present | undefined;
  readonly #readRowFields: ReadRowFields;
  readonly #registerSchema: ((schema: unknown) => void) | undefined;
  #cells: ReadCells | undefined;
  /** The values that were returned before, by cell. */
  readonly #given = new Map<Cell, unknown>();

  constructor(
    reading: CellFinder,
    states: StateSource = NO_STATES,
    present?: Present,
    readRowFields: ReadRowFields = (table, pk) => this.row(table, pk),
    registerSchema?: (schema: unknown) => void,
  ) {
    this.#reading = reading;
    this.#states = states;
    this.#present = present;
    this.#readRowFields = readRowFields;
    this.#registerSchema = registerSchema;
  }

  /** Returns a reader of the same rows with other requests. `registerSchema` is called with each schema before it is read for the first time. */
  of(states: StateSource, registerSchema: (schema: unknown) => void): SnapshotReader {
    return new SnapshotReader(this.#reading, states, this.#present, this.#readRowFields, registerSchema);
  }

  /** Returns the value of a queryable, or `undefined` if there is none. */
  get<S extends Queryable>(schema: S, ...args: SchemaArgs<S>): Denormalize<S> | undefined {
    const value = this.#read(({ queries }) => queries.cell(schema, args));
    return value === INVALID ? undefined : (value as Denormalize<S>);
  }

  /** Returns the value of a stored form: `undefined` if missing, `INVALID` if invalid. */
  read(schema: unknown, stored: unknown, args: readonly unknown[] = []): unknown {
    this.#registerSchema?.(schema);
    return resolve(new QueryCell(this.#reading, () => ({ schema, stored, args })));
  }

  /** Returns the state and value of a request. */
  request(read: RequestRead): Found {
    return this.#read(({ requests }) => requests.request(read)) as Found;
  }

  row(table: string, pk: string): Row | Invalid | undefined {
    return this.#reading.space.find(table, pk)?.row;
  }

  /** Returns the pk that has replaced a temporary pk. Returns any other pk unchanged. */
  pkOf(table: string, pk: string): string {
    return this.#reading.space.table(table).cellOf(pk).pk;
  }

  /**
   * Returns a row as it is stored. A guess that calls this depends only on these fields, and on whether the row exists.
   *
   * @internal
   */
  rowFields(table: string, pk: string, fields: readonly string[]): Row | Invalid | undefined {
    return this.#readRowFields(table, pk, fields);
  }

  #read(find: (cells: ReadCells) => Cell): unknown {
    const own = find(this.#own);
    if (this.#given.has(own)) return this.#given.get(own);
    const same = this.#present?.sameValue(find);
    const value = same === undefined ? resolve(own) : same.value;
    if (this.#present !== undefined) this.#given.set(own, value);
    return value;
  }

  /** Made at the first read, because most guesses read one record or none. */
  get #own(): ReadCells {
    if (this.#cells !== undefined) return this.#cells;
    const queries = new Queries(this.#reading, this.#registerSchema);
    return (this.#cells = {
      queries,
      requests: new RequestCells(this.#reading, { queries }, this.#states, this.#registerSchema),
    });
  }
}
