import { ascending } from '../../define/query/compare.ts';
import { compareOrderKeys, orderKeyOf, type OrderStep } from '../../define/query/order.ts';
import type { Row } from '../../define/schema/row.ts';
import { SortedList } from '../../std/sorted-list.ts';
import type { Cells } from '../denormalize/cells.ts';
import type { RowIndex } from '../tables/lookup.ts';
import type { EntityPlan } from '../tables/plan.ts';
import { isRow, type RowCell, type Table } from '../tables/table.ts';
import { queryFailed } from './query-failed.ts';
import { isIndexed, storedField } from './row-conditions.ts';
import type { Item } from './source-cell.ts';

/** Sort before and after all rows with the same value. */
const FIRST: Item = { pk: '', arrival: 0 };
const LAST: Item = { pk: '', arrival: 0 };

/** The rows of a table in the order of one field, and then by pk. */
export class SortedRows implements RowIndex<RowCell> {
  readonly #keyOf: (row: unknown) => unknown;
  readonly #sorted: SortedList<Item>;
  readonly #table: Table;
  /** Whether the next read has to sort all rows: before the first read, and after a value could not be compared. */
  #isOutdated = true;

  constructor(table: Table, keyOf: (row: unknown) => unknown, compare: (one: unknown, other: unknown) => number) {
    this.#table = table;
    this.#keyOf = keyOf;
    this.#sorted = new SortedList(compare, (one, other) => (other === LAST ? -1 : ascending(one.pk, other.pk)));
  }

  /** The first read sorts all rows at once. */
  add(): void {}

  move(cell: RowCell, before: Row | undefined, after: Row | undefined): void {
    if (this.#isOutdated) return;
    try {
      if (before !== undefined) this.#sorted.remove(this.#keyOf(before), cell);
      if (after !== undefined) this.#sorted.insert(this.#keyOf(after), cell);
    } catch {
      // A class of values has no order, or cannot compare them all. The write goes on, and the next read throws the error.
      this.#isOutdated = true;
    }
  }

  get sorted(): SortedList<Item> {
    if (this.#isOutdated) this.#sortAll();
    this.#isOutdated = false;
    return this.#sorted;
  }

  #sortAll(): void {
    const { cells, name } = this.#table;
    const rows = Array.from(cells.values()).filter(({ row }) => isRow(row));
    try {
      this.#sorted.replaceAll(rows.map((cell) => [this.#keyOf(cell.row), cell] as const));
    } catch (error) {
      throw queryFailed('The index', name, error);
    }
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
  const table = cells.space.wholeTable(plan.table.name);
  return table.keep(name, () => new SortedRows(table, orderKeyOf([step], storedField(plan)), compareOrderKeys([step])));
}

/** Returns the rows of an entity in the order of a field that the class has an index of. */
export function indexByField(cells: Cells, plan: EntityPlan, field: string): SortedRows {
  return sortedRows(cells, plan, { by: field, options: {} }) as SortedRows;
}
