import type { Row } from '../../define/schema/schema.ts';
import type { EntityPlan } from '../tables/plan.ts';
import type { RowCell } from '../tables/table.ts';

/** What a record was stored from: an object of the input, and what its class made of it. */
interface StoredInput {
  readonly input: object;
  readonly plan: EntityPlan;
  readonly processed: Row;
}

/**
 * The objects whose content is being stored, and those that were stored last, by the place of their cell in the log. Records from the store
 * refer to each other, so an input that contains one can lead to the same object in more ways than can be counted.
 */
export class OpenInputs {
  readonly #inputs: (object | Set<object> | undefined)[] = [];
  readonly #stored: (StoredInput | undefined)[] = [];

  /** Returns whether the content of `input` is being stored already, because the input contains itself, or was stored last. */
  isKnown(cell: RowCell, { input, plan, processed }: StoredInput): boolean {
    const open = this.#inputs[cell.order];
    if (open === input || (open instanceof Set && open.has(input))) return true;
    const stored = this.#stored[cell.order];
    return stored?.input === input && stored.plan === plan && hasSameFields(stored.processed, processed);
  }

  /** Notes that the content of `input` is being stored. */
  enter(cell: RowCell, { input }: StoredInput): void {
    const open = this.#inputs[cell.order];
    if (open === undefined) this.#inputs[cell.order] = input;
    else this.#inputs[cell.order] = open instanceof Set ? open.add(input) : new Set([open, input]);
  }

  leave(cell: RowCell, stored: StoredInput): void {
    const open = this.#inputs[cell.order];
    if (open instanceof Set) open.delete(stored.input);
    else this.#inputs[cell.order] = undefined;
    this.#stored[cell.order] = stored;
  }
}

function hasSameFields(one: Row, other: Row): boolean {
  const names = Object.keys(one);
  return (
    names.length === Object.keys(other).length &&
    names.every((name) => Object.is(Reflect.get(one, name), Reflect.get(other, name)))
  );
}
