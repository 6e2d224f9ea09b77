import type { SchemaSimple } from '../../define/schema/schema.ts';
import { argsKey } from '../../std/args-key.ts';
import { copyPlain, freezePlain } from '../../std/plain.ts';
import { keptArgs } from '../denormalize/kept-args.ts';
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
    const args = keptArgs(schema, given);
    return this.get(this.#ownerOf(schema), nameOf(args), () => this.#make(schema, copyPlain(args)));
  }

  /** Returns a function that finds the cell, which may be removed while it has no observers. */
  finder(schema: unknown, given: readonly unknown[]): () => QueryCell {
    const kept = keptArgs(schema, given);
    const name = nameOf(kept);
    // A copy, because the caller may change the arguments later.
    const args = copyPlain(kept) as readonly unknown[];
    return () => this.get(this.#ownerOf(schema), name, () => this.#make(schema, args));
  }

  /** Each `new All(Post)` has the same value, also in a snapshot, which keeps the values that it has returned by cell. */
  #ownerOf(schema: unknown): unknown {
    const { allOf } = Object(schema) as Partial<SchemaSimple>;
    return allOf === undefined ? schema : this.#reading.space.planOf(schema);
  }

  #make(schema: unknown, args: unknown): QueryCell {
    const { space, isFrozen } = this.#reading;
    this.#registerSchema(schema);
    if (isFrozen) freezePlain(args);
    return new QueryCell(this.#reading, queryable(space, schema, args as readonly unknown[]));
  }
}

function nameOf(args: readonly unknown[]): string {
  return argsKey(args, 'a query');
}

function ignore(): void {}
