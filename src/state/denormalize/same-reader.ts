import { NO_PARTS, type Parts } from '../graph/cell.ts';
import type { RowCell, RowReader } from '../tables/table.ts';

/** Takes the value of a row from another space if it is the same there, and builds it otherwise. */
export class SameReader implements RowReader {
  readonly #reader: RowReader;
  readonly #sameValue: (pk: string) => { readonly value: unknown } | undefined;
  /** The cells whose value was taken. */
  readonly #taken = new WeakSet<RowCell>();
  readonly seal: RowReader['seal'];

  constructor(reader: RowReader, sameValue: (pk: string) => { readonly value: unknown } | undefined) {
    this.#reader = reader;
    this.seal = reader.seal;
    this.#sameValue = sameValue;
  }

  prepare(cell: RowCell): Parts {
    const same = this.#sameValue(cell.pk);
    if (same === undefined) return this.#reader.prepare(cell);
    this.#taken.add(cell);
    cell.value = same.value;
    cell.built = cell.row;
    return NO_PARTS;
  }

  /** The rows of a snapshot do not change, so a value that was not taken is built once. */
  isChanged(cell: RowCell): boolean {
    return !this.#taken.has(cell);
  }

  open(cell: RowCell): void {
    this.#reader.open(cell);
  }

  fill(cell: RowCell): void {
    this.#reader.fill(cell);
  }
}
