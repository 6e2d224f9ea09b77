import { QueryCell } from '../denormalize/query-cell.ts';
import type { Parts } from '../denormalize/parts.ts';
import { DataError } from '../../std/data-error.ts';

/** The cells of queryables that were read, by schema and args. */
export class Queries {
  readonly #parts: Parts;
  readonly #cells = new Map<unknown, Map<string, QueryCell>>();

  constructor(parts: Parts) {
    this.#parts = parts;
  }

  cell(schema: unknown, args: readonly unknown[]): QueryCell {
    const name = nameOf(args);
    let cells = this.#cells.get(schema);
    if (cells === undefined) this.#cells.set(schema, (cells = new Map()));
    const found = cells.get(name);
    if (found !== undefined) return found;
    const made = new QueryCell(schema, this.#parts, { name, args, depth: Number.POSITIVE_INFINITY });
    cells.set(name, made);
    return made;
  }

  get size(): number {
    let size = 0;
    for (const cells of this.#cells.values()) size += cells.size;
    return size;
  }

  *all(): Generator<QueryCell> {
    for (const cells of this.#cells.values()) yield* cells.values();
  }

  /** Lets go of the cells that `isUsed` does not vouch for. */
  forget(isUsed: (cell: QueryCell) => boolean): void {
    for (const [schema, cells] of this.#cells) {
      for (const [name, cell] of cells) {
        if (isUsed(cell)) continue;
        cell.release();
        cells.delete(name);
      }
      if (cells.size === 0) this.#cells.delete(schema);
    }
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
