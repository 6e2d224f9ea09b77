import { Cell, type Parts } from '../graph/cell.ts';
import type { AllPlan } from '../tables/plan.ts';
import type { Cells } from './cells.ts';
import { ListCell } from './list-cell.ts';
import type { Variant } from './variant.ts';

/** Every record of some tables, table by table, in the order in which the records arrived. Each table has a list, which is patched. */
export class AllCell extends Cell {
  readonly #plan: AllPlan;
  readonly #cells: Cells;
  readonly #lists: readonly ListCell[];
  /** Called when nothing is built from this cell any more. */
  readonly #onUnused: () => void;
  /** The values of the lists at the last build. */
  #seen: readonly unknown[] = [];

  constructor(plan: AllPlan, cells: Cells, variant: Variant, onUnused: () => void) {
    super();
    this.#plan = plan;
    this.#cells = cells;
    this.#onUnused = onUnused;
    this.#lists = plan.lists.map((list) => new ListCell(list, cells, variant, []));
  }

  override unlinkFrom(parent: Cell): void {
    super.unlinkFrom(parent);
    if (this.parents !== undefined) return;
    this.release();
    this.#onUnused();
  }

  override prepare(): Parts {
    const tables = this.#plan.tables.map((name) => this.#cells.space.wholeTable(name));
    for (const [at, table] of tables.entries()) this.#lists[at]?.store(table.present);
    this.link([...this.#lists, ...tables.map((table) => table.signals.members)]);
    return this.#lists;
  }

  override isChanged(): boolean {
    return this.#lists.some(({ value }, at) => value !== this.#seen[at]);
  }

  override open(isInCycle: boolean): void {
    if (isInCycle) this.value = [];
  }

  override fill(isInCycle: boolean): void {
    const values = this.#lists.map(({ value }) => value as readonly unknown[]);
    if (!isInCycle) {
      this.value = values.length === 1 ? values[0] : ([] as unknown[]).concat(...values);
      return;
    }
    const records = this.value as unknown[];
    records.length = 0;
    for (const value of values) for (const record of value) records.push(record);
  }

  override seal(): void {
    this.#seen = this.#lists.map(({ value }) => value);
    if (this.#cells.isFrozen) Object.freeze(this.value);
  }
}
