import type { DenormalizeDelegate, NormalizeDelegate, SchemaSimple } from '../../define/schema/schema.ts';

/** The schema of an endpoint whose answers are read by a query. The arguments of the query are made from those of the request. */
export class LoadedSchema implements SchemaSimple {
  /** The schema of the original endpoint. Both store answers in the same form, so readers of either endpoint share requests. */
  readonly schema: unknown;
  readonly #query: Required<Pick<SchemaSimple, 'cell' | 'keptBy'>>;
  readonly #argsOf: (...args: readonly unknown[]) => readonly unknown[];

  constructor(
    schema: unknown,
    query: Required<Pick<SchemaSimple, 'cell' | 'keptBy'>>,
    argsOf: (...args: readonly unknown[]) => readonly unknown[],
  ) {
    this.schema = schema;
    this.#query = query;
    this.#argsOf = argsOf;
  }

  get filesAs(): unknown {
    return this.schema;
  }

  normalize(
    input: unknown,
    parent: unknown,
    key: string | undefined,
    delegate: NormalizeDelegate,
    parentEntity?: unknown,
  ): unknown {
    return delegate.visit(this.schema, input, parent, key, parentEntity);
  }

  /** Never called, because `cell` makes the value. */
  denormalize(_stored: unknown, _delegate: DenormalizeDelegate): undefined {}

  /** Always undefined: records that other requests have stored may not be all. */
  queryKey(): undefined {}

  /** @internal */
  cell(cells: unknown, stored: unknown, args: readonly unknown[], old: unknown): unknown {
    return this.#query.cell(cells, stored, this.#query.keptBy(this.#argsOf(...args)), old);
  }
}
