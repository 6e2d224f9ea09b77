import type { DenormalizeDelegate, NormalizeDelegate, SchemaSimple } from '../../define/schema/schema.ts';

/** How the answers of an endpoint are read: by a query, which is read with what the arguments of the request come to. */
export class LoadedSchema implements SchemaSimple {
  /** That of the endpoint: what it has filed is the same, so a request is shared with all who read it otherwise. */
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

  /** Never called: it has a cell of its own. */
  denormalize(_stored: unknown, _delegate: DenormalizeDelegate): undefined {}

  /** What other requests have brought is not all of it. */
  queryKey(): undefined {}

  /** @internal */
  cell(cells: unknown, stored: unknown, args: readonly unknown[], old: unknown): unknown {
    return this.#query.cell(cells, stored, this.#query.keptBy(this.#argsOf(...args)), old);
  }
}
