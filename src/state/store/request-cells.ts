import { QueryCell } from '../denormalize/query-cell.ts';
import type { CellFinder } from '../denormalize/cell-finder.ts';
import type { Cell } from '../graph/cell.ts';
import { CellMap } from '../graph/cell-map.ts';
import { mark, type ToNotify } from '../graph/mark.ts';
import type { Queries } from './queries.ts';
import { RequestCell } from './request-cell.ts';
import type { RequestState, Result } from './request-state.ts';

/** Reads the states of requests: those of the store, of a snapshot or of an earlier store. */
export interface StateSource {
  get(key: string): RequestState | undefined;
  /** Returns the result that a schema can read. Without a schema, the latest one. */
  readable(state: RequestState | undefined, schema: unknown): Result | undefined;
}

/** A read of a request. */
export interface RequestRead {
  readonly key: string;
  /** The schema that reads the result. Default: the schema that stored it. */
  readonly schema?: unknown;
  /** Arguments that find the value in rows of other requests, if there is no result. */
  readonly infer?: readonly unknown[] | undefined;
}

/** The cells of requests that were read, by request key and schema. */
export class RequestCells {
  readonly #reading: CellFinder;
  readonly #from: { readonly queries: Queries };
  readonly #states: StateSource;
  readonly #results = new CellMap<ResultCell>();
  readonly #requests = new CellMap<RequestCell>();

  readonly #registerSchema: (schema: unknown) => void;

  /** `registerSchema` is called with each schema before it is read for the first time. The queries are read only when they are needed. */
  constructor(
    reading: CellFinder,
    from: { readonly queries: Queries },
    states: StateSource,
    registerSchema: (schema: unknown) => void = ignore,
  ) {
    this.#reading = reading;
    this.#registerSchema = registerSchema;
    this.#from = from;
    this.#states = states;
  }

  /** Returns the cell for the value of a result. */
  result(key: string, schema: unknown): QueryCell {
    return this.#results.get(key, this.#nameOf(schema), () => {
      this.#registerSchema(schema);
      return new ResultCell(this.#reading, this.#states, key, schema);
    });
  }

  request({ key, schema, infer }: RequestRead): RequestCell {
    // A mutation and a read with the same key have different cells, because only the read has `infer`.
    const name = infer === undefined ? (schema ?? '') : this.#nameOf(schema);
    return this.#requests.get(key, name, () => {
      this.#registerSchema(schema);
      return new RequestCell(key, () => {
        const state = this.#states.get(key);
        const result = this.#states.readable(state, schema);
        return { state, result, cell: this.#valueCell({ key, schema, infer }, state, result) };
      });
    });
  }

  #valueCell(
    { key, schema, infer }: RequestRead,
    state: RequestState | undefined,
    result: Result | undefined,
  ): Cell | undefined {
    if (result !== undefined) return this.result(key, schema);
    const canInfer = infer !== undefined && state?.note?.isInvalidated !== true;
    return canInfer ? this.#from.queries.cell(schema, infer) : undefined;
  }

  /** Schemas that read the same, such as two lists of one class, share a cell. */
  #nameOf(schema: unknown): unknown {
    return schema === undefined ? '' : this.#reading.space.names.of(this.#reading.space.planOf(schema));
  }

  /** Marks the cells of a key whose state has changed. */
  noteChange(key: string, before: RequestState | undefined, after: RequestState | undefined, toNotify: ToNotify): void {
    for (const cell of this.#results.of(key)) {
      const { schema } = cell;
      if (this.#isSameResult(schema, this.#states.readable(before, schema), this.#states.readable(after, schema)))
        continue;
      mark(cell, toNotify);
      cell.noteReplaced();
    }
    for (const cell of this.#requests.of(key)) {
      mark(cell, toNotify);
      cell.noteReplaced();
    }
  }

  #isSameResult(schema: unknown, one: Result | undefined, other: Result | undefined): boolean {
    if (one === undefined || other === undefined) return one === other;
    const { planOf } = this.#reading.space;
    return one.stored === other.stored && (schema !== undefined || planOf(one.schema) === planOf(other.schema));
  }

  /** Returns a schema by which the result of a key was read. */
  schemaOf(key: string): unknown {
    return [...this.#results.of(key)].find(({ schema }) => schema !== undefined)?.schema;
  }

  /** Returns the cells of one request key. */
  *of(key: string): Generator<QueryCell | RequestCell> {
    yield* this.#requests.of(key);
    yield* this.#results.of(key);
  }

  isObserved(key: string): boolean {
    for (const cell of this.of(key)) if (cell.isObserved) return true;
    return false;
  }

  *[Symbol.iterator](): Generator<QueryCell | RequestCell> {
    yield* this.#requests;
    yield* this.#results;
  }

  /** Releases and removes the cells for which `isUsed` returns false. */
  forget(isUsed: (cell: Cell) => boolean): void {
    this.#requests.forget(isUsed);
    this.#results.forget(isUsed);
  }
}

function ignore(): void {}

/** The value of a result as one schema reads it. */
class ResultCell extends QueryCell {
  readonly schema: unknown;

  constructor(reading: CellFinder, states: StateSource, key: string, schema: unknown) {
    super(reading, () => {
      const result = states.readable(states.get(key), schema);
      return result && (schema === undefined ? result : { ...result, schema });
    });
    this.schema = schema;
  }
}
