import { ascending } from '../../define/query/compare.ts';
import { compareOrderKeys, orderKeyOf, type OrderStep } from '../../define/query/order.ts';
import type { Row } from '../../define/schema/row.ts';
import { SortedList } from '../../std/sorted-list.ts';
import type { Cells } from '../denormalize/cells.ts';
import type { RowIndex } from '../tables/lookup.ts';
import type { EntityPlan } from '../tables/plan.ts';
import type { RowCell } from '../tables/table.ts';
import { isIndexed, storedField } from './row-conditions.ts';
import type { Item } from './source-cell.ts';

/** Sort before and after all rows with the same value. */
const FIRST: Item = { pk: '', arrival: 0 };
const LAST: Item = { pk: '', arrival: 0 };

/** The rows of a table in the order of one field, and then by pk. */
export class SortedRows implements RowIndex<RowCell> {
  readonly #keyOf: (row: unknown) => unknown;
  readonly #sorted: SortedList<Item>;
  /** The rows that were there before the first read, which sorts them all at once. */
  readonly #unsorted: (readonly [key: unknown, cell: Item])[] = [];
  #isSorted = false;

  constructor(keyOf: (row: unknown) => unknown, compare: (one: unknown, other: unknown) => number) {
    this.#keyOf = keyOf;
    this.#sorted = new SortedList(compare, (one, other) => (other === LAST ? -1 : ascending(one.pk, other.pk)));
  }

  add(cell: RowCell, row: Row): void {
    this.#unsorted.push([this.#keyOf(row), cell]);
  }

  move(cell: RowCell, before: Row | undefined, after: Row | undefined): void {
    const { sorted } = this;
    if (before !== undefined) sorted.remove(this.#keyOf(before), cell);
    if (after !== undefined) sorted.insert(this.#keyOf(after), cell);
  }

  get sorted(): SortedList<Item> {
    if (!this.#isSorted) this.#sorted.replaceAll(this.#unsorted.splice(0));
    this.#isSorted = true;
    return this.#sorted;
  }

  /** Returns the rows from one value to another, in order. `undefined` means the first or the last value. */
  between(from: unknown, to: unknown): readonly RowCell[] {
    const { sorted } = this;
    const start = from === undefined ? 0 : sorted.placeBehind(from, FIRST);
    // Rows without a value are the last ones, so `undefined` sorts after all.
    return sorted.tags(start, sorted.placeBehind(to, LAST)) as RowCell[];
  }
}

/** Returns the rows of an entity in the order of a step. `undefined` if the class has no index of its field. */
export function sortedRows(cells: Cells, plan: EntityPlan, step: OrderStep): SortedRows | undefined {
  const { by, options } = step;
  if (typeof by !== 'string' || options.collation !== undefined || !isIndexed(plan, by)) return undefined;
  const missing: unknown = storedField(plan)({}, by);
  const name = `${JSON.stringify([by, options.direction, options.nulls])} ${typeof missing} ${String(missing)}`;
  return cells.space
    .wholeTable(plan.table.name)
    .keep(name, () => new SortedRows(orderKeyOf([step], storedField(plan)), compareOrderKeys([step])));
}

/** Returns the rows of an entity in the order of a field that the class has an index of. */
export function indexByField(cells: Cells, plan: EntityPlan, field: string): SortedRows {
  return sortedRows(cells, plan, { by: field, options: {} }) as SortedRows;
}
