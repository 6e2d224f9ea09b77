import { DataError } from '../../std/data-error.ts';
import { QueryCell } from '../denormalize/query-cell.ts';
import { queryable } from '../denormalize/query-key.ts';
import type { Reading } from '../denormalize/reading.ts';
import { CellMap } from '../graph/cell-map.ts';

/** The cells of queryables that were read, by schema and args. */
export class Queries extends CellMap<QueryCell> {
  readonly #reading: Reading;

  constructor(reading: Reading) {
    super();
    this.#reading = reading;
  }

  cell(schema: unknown, args: readonly unknown[]): QueryCell {
    return this.get(
      schema,
      nameOf(args),
      () => new QueryCell(this.#reading, queryable(this.#reading.space, schema, args)),
    );
  }
}

function nameOf(args: readonly unknown[]): string {
  const [first] = args;
  if (args.length === 1 && (typeof first === 'string' || typeof first === 'number')) return `=${first}`;
  try {
    return JSON.stringify(args);
  } catch (error) {
    throw new DataError('args-invalid', 'The arguments of a query cannot be written as JSON. Pass plain data.', {
      cause: error,
    });
  }
}
