import { isEmptyRef } from '../../define/schema/pk.ts';
import { INVALID } from '../../define/schema/schema.ts';
import { freezePlain } from '../../std/plain.ts';
import type { Cell } from '../graph/cell.ts';
import type { Plan } from '../tables/plan.ts';
import { RowCell } from '../tables/table.ts';
import type { Cells } from './cells.ts';
import { converted } from './converted.ts';
import type { Variant } from './variant.ts';

/** Reads the items of a list, or the entries of a map: most are records, which have cells, and others are plain data. */
export class Items {
  readonly plan: Plan;
  readonly variant: Variant;
  readonly #cells: Cells;

  constructor(plan: Plan, cells: Cells, variant: Variant) {
    this.plan = plan;
    this.variant = variant;
    this.#cells = cells;
  }

  /** The cell of a stored item; `undefined` where the item is plain data. `old` is the cell that was in its place. */
  cellOf(stored: unknown, old?: Cell): Cell | undefined {
    if (stored === null) return undefined;
    const pk = stored instanceof RowCell ? stored.pk : stored;
    return this.#cells.find(this.plan, pk, this.variant, old);
  }

  /** The value of an item; `undefined` where it is missing or invalid. */
  valueOf(cell: Cell | undefined, stored: unknown): unknown {
    if (cell === undefined) return this.#plain(stored);
    return cell.value === INVALID ? undefined : cell.value;
  }

  /** An item that is no record. */
  #plain(given: unknown): unknown {
    const [item, stored] = this.#chosen(given);
    if ((item.kind === 'entity' || item.kind === 'choice') && isEmptyRef(stored)) return undefined;
    const value = item.kind === 'convert' ? converted(item.convert, stored, {}) : stored;
    return this.#cells.frozen ? freezePlain(value) : value;
  }

  /** A stored item, and by what it is read. */
  #chosen(stored: unknown): readonly [Plan, unknown] {
    const { plan } = this;
    if (plan.kind !== 'choice' || !plan.choice.isRef(stored)) return [plan, stored];
    return [this.#cells.space.planOf(plan.choice.schemaOf(stored.schema)), stored.id];
  }
}
