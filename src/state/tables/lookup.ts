import type { Row } from '../../define/schema/schema.ts';

/** The cells of a table by the value of one field; kept by commits, so it never holds what is not in the table. */
export class Lookup<Cell extends object> {
  readonly field: string;
  readonly #cells = new Map<string, Set<Cell>>();

  constructor(field: string) {
    this.field = field;
  }

  add(cell: Cell, row: Row): void {
    const name = nameOf(row, this.field);
    if (name === undefined) return;
    const cells = this.#cells.get(name);
    if (cells === undefined) this.#cells.set(name, new Set([cell]));
    else cells.add(cell);
  }

  remove(cell: Cell, row: Row): void {
    const name = nameOf(row, this.field);
    if (name === undefined) return;
    const cells = this.#cells.get(name);
    cells?.delete(cell);
    if (cells?.size === 0) this.#cells.delete(name);
  }

  /** The cell that came to this value last. */
  find(value: unknown): Cell | undefined {
    let last: Cell | undefined;
    for (const cell of this.#cells.get(String(value)) ?? []) last = cell;
    return last;
  }

  get size(): number {
    return this.#cells.size;
  }
}

/** 1 and '1' are one value, as they are one pk. Objects, `null` and absent fields are not filed. */
function nameOf(row: Row, field: string): string | undefined {
  const value = Object.hasOwn(row, field)
    ? (row as Record<string, string | number | object | undefined>)[field]
    : undefined;
  return typeof value === 'object' || value === undefined ? undefined : String(value);
}
