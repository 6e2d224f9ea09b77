import { isEmptyRef } from '../../define/schema/pk.ts';
import { INVALID } from '../../define/schema/row.ts';
import { freezePlain } from '../../std/plain.ts';
import type { Cell } from '../graph/cell.ts';
import type { Plan } from '../tables/plan.ts';
import { RowCell } from '../tables/table.ts';
import type { Cells } from './cells.ts';
import { converted } from './converted.ts';
import type { Variant } from './variant.ts';

/** Reads the items of a list or the entries of a map. Most are records, which have cells. Others are plain data. */
export class Items {
  readonly plan: Plan;
  readonly variant: Variant;
  readonly #cells: Cells;

  constructor(plan: Plan, cells: Cells, variant: Variant) {
    this.plan = plan;
    this.variant = variant;
    this.#cells = cells;
  }

  /** Returns the cell of a stored item, or `undefined` for plain data. `old` is the former cell in its place. */
  cellOf(stored: unknown, old?: Cell): Cell | undefined {
    if (stored === null) return undefined;
    const pk = stored instanceof RowCell ? stored.pk : stored;
    return this.#cells.find(this.plan, pk, this.variant, old);
  }

  /** Returns the value of an item, or `undefined` if it is missing or invalid. */
  valueOf(cell: Cell | undefined, stored: unknown): unknown {
    if (cell === undefined) return this.#plain(stored);
    return cell.value === INVALID ? undefined : cell.value;
  }

  /** Returns the value of an item without a cell. */
  #plain(given: unknown): unknown {
    const [item, stored] = this.#choose(given);
    if ((item.kind === 'entity' || item.kind === 'choice') && isEmptyRef(stored)) return undefined;
    const value = item.kind === 'convert' ? converted(item.convert, stored, {}) : stored;
    return this.#cells.isFrozen ? freezePlain(value) : value;
  }

  /** Returns a stored item, and the plan that reads it. */
  #choose(stored: unknown): readonly [Plan, unknown] {
    const { plan } = this;
    if (plan.kind !== 'choice' || !plan.choice.isRef(stored)) return [plan, stored];
    return [this.#cells.space.planOf(plan.choice.schemaOf(stored.schema)), stored.id];
  }
}
