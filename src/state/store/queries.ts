import { argsKey } from '../../std/args-key.ts';
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
      argsKey(args, 'a query'),
      () => new QueryCell(this.#reading, queryable(this.#reading.space, schema, args)),
    );
  }
}
