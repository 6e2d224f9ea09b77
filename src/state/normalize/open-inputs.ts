import type { RowCell } from '../tables/table.ts';

/** The objects whose content is being stored, by the place of their cell in the log. */
export class OpenInputs {
  readonly #inputs: (object | Set<object> | undefined)[] = [];

  /**
   * Returns whether the content of `input` is being stored already, because the input contains itself. If not, notes that it is from now
   * on.
   */
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
