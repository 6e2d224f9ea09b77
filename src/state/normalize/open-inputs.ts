import type { RowCell } from '../tables/table.ts';

/** The objects whose inside is being filed, by the place of their cell in the log. */
export class OpenInputs {
  readonly #inputs: (object | Set<object> | undefined)[] = [];

  /** Whether the input goes in a circle and is back at an object whose inside is being filed. Otherwise its own is, from now on. */
  isInside(cell: RowCell, input: object): boolean {
    const open = this.#inputs[cell.order];
    if (open === undefined) this.#inputs[cell.order] = input;
    else if (open === input || (open instanceof Set && open.has(input))) return true;
    else this.#inputs[cell.order] = open instanceof Set ? open.add(input) : new Set([open, input]);
    return false;
  }

  leave(cell: RowCell, input: object): void {
    const open = this.#inputs[cell.order];
    if (open instanceof Set) open.delete(input);
    else this.#inputs[cell.order] = undefined;
  }
}
