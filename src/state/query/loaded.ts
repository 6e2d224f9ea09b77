import { SameForm } from '../../define/schema/same-form.ts';
import type { SchemaSimple } from '../../define/schema/schema.ts';

type AnswerQuery = Required<Pick<SchemaSimple, 'cell' | 'keptBy'>>;
/** Makes the arguments of a query from those of a request. */
export type ArgsOfQuery = (...args: readonly unknown[]) => readonly unknown[];

/**
 * The schema of an endpoint whose answers are read by a query. The arguments of the query are made from those of the request. The schema of
 * the original endpoint stores answers in the same form, so readers of either endpoint share requests.
 */
export class LoadedSchema extends SameForm<unknown> {
  readonly #query: AnswerQuery;
  readonly #argsOf: ArgsOfQuery;

  constructor(schema: unknown, query: AnswerQuery, argsOf: ArgsOfQuery) {
    super(schema);
    this.#query = query;
    this.#argsOf = argsOf;
  }

  /** Never called, because `cell` makes the value. */
  override denormalize(): undefined {}

  /** Always undefined: records that other requests have stored may not be all. */
  override queryKey(): undefined {}

  /** @internal */
  cell(cells: unknown, stored: unknown, args: readonly unknown[], old: unknown): unknown {
    return this.#query.cell(cells, stored, this.#query.keptBy(this.#argsOf(...args)), old);
  }
}
