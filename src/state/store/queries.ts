import type { SchemaSimple } from '../../define/schema/schema.ts';
import { argsKey } from '../../std/args-key.ts';
import { copyPlain, freezePlain } from '../../std/plain.ts';
import { QueryCell } from '../denormalize/query-cell.ts';
import { queryable } from '../denormalize/query-key.ts';
import type { CellFinder } from '../denormalize/cell-finder.ts';
import { CellMap } from '../graph/cell-map.ts';

/** The cells of queryables that were read, by schema and arguments. */
export class Queries extends CellMap<QueryCell> {
  readonly #reading: CellFinder;

  readonly #registerSchema: (schema: unknown) => void;

  /** `registerSchema` is called with each schema before it is read for the first time. */
  constructor(reading: CellFinder, registerSchema: (schema: unknown) => void = ignore) {
    super();
    this.#reading = reading;
    this.#registerSchema = registerSchema;
  }

  cell(schema: unknown, given: readonly unknown[]): QueryCell {
    const { allOf, keptBy } = Object(schema) as Partial<SchemaSimple>;
    const args = keptBy?.call(schema, given) ?? given;
    // Each `new All(Post)` has the same value, also in a snapshot, which keeps the values that it has returned by cell.
    const owner = allOf === undefined ? schema : this.#reading.space.planOf(schema);
    return this.get(owner, argsKey(args, 'a query'), () => this.#make(schema, args));
  }

  #make(schema: unknown, args: readonly unknown[]): QueryCell {
    const { space, frozen } = this.#reading;
    this.#registerSchema(schema);
    // A copy, because the caller may change the arguments later.
    const own = copyPlain(args) as readonly unknown[];
    if (frozen) freezePlain(own);
    return new QueryCell(this.#reading, queryable(space, schema, own));
  }
}

function ignore(): void {}
