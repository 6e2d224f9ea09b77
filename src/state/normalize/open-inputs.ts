import type { Row } from '../../define/schema/row.ts';
import type { EntityPlan } from '../tables/plan.ts';
import type { RowCell } from '../tables/table.ts';
import type { Trail } from './trail.ts';

/** A record of the store in the input, and what its class made of it. */
export interface StoredInput {
  readonly input: object;
  readonly plan: EntityPlan;
  readonly processed: Row;
}

/** A record whose content is still to be stored. */
export interface OpenRecord {
  readonly plan: EntityPlan;
  readonly cell: RowCell;
  readonly input: object;
  readonly processed: Row;
  /** The input, if it is a record of the store. */
  readonly record: StoredInput | undefined;
  readonly trail: Trail;
}

/**
 * The objects whose content is being stored, and the records of the store that were stored last, by the place of their cell in the log. Records
 * of the store refer to each other, so an input that contains one can lead to the same record in more ways than can be counted.
 */
export class OpenInputs {
  readonly #inputs: (object | Set<object> | undefined)[] = [];
  readonly #stored: (StoredInput | undefined)[] = [];

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

  /** Returns whether a record was the last one that was stored in its cell. */
  wasStored(cell: RowCell, { input, plan, processed }: StoredInput): boolean {
    const stored = this.#stored[cell.order];
    return stored?.input === input && stored.plan === plan && hasSameFields(stored.processed, processed);
  }

  /** Notes that the content of `input` is stored. `record` is the input, if it is a record of the store. */
  leave(cell: RowCell, input: object, record: StoredInput | undefined): void {
    const open = this.#inputs[cell.order];
    if (open instanceof Set) open.delete(input);
    else this.#inputs[cell.order] = undefined;
    if (record !== undefined || cell.order < this.#stored.length) this.#stored[cell.order] = record;
  }
}

function hasSameFields(one: Row, other: Row): boolean {
  const names = Object.keys(one);
  return (
    names.length === Object.keys(other).length &&
    names.every((name) => Object.is(Reflect.get(one, name), Reflect.get(other, name)))
  );
}
