import type { Test } from '../../define/query/condition.ts';
import type { Row } from '../../define/schema/row.ts';
import type { Fields } from '../../std/plain.ts';
import type { Cells } from '../denormalize/cells.ts';
import type { Cell } from '../graph/cell.ts';
import { SignalCell } from '../graph/signal-cell.ts';
import { byArrival } from '../tables/arrival-order.ts';
import type { Lookup } from '../tables/lookup.ts';
import type { EntityPlan } from '../tables/plan.ts';
import { isRow, type RowCell } from '../tables/table.ts';
import { type Membership, RecordsCell } from './records-cell.ts';
import type { Indexed } from './relation-path.ts';
import { renamesOf } from './renames.ts';
import type { RowsAsked } from './row-conditions.ts';
import { indexByField } from './sorted-rows.ts';
import type { Item } from './source-cell.ts';

/**
 * Returns the source for the rows or records of a membership. Queries that ask for it by the same name share it, and nothing shares one
 * without a name.
 */
export function sourceFor(
  cells: Cells,
  plan: EntityPlan,
  name: string | undefined,
  isOfRows: boolean,
  membership: () => Membership,
): RecordsCell {
  const make = (): RecordsCell =>
    new RecordsCell(plan, cells, isOfRows, membership, () => void (name && cells.shared.delete(plan, name)));
  return name === undefined ? make() : (cells.shared.get(plan, name, make) as RecordsCell);
}

/** Returns the rows that are asked for and pass tests. Only rows in the lookups or in the range are read. */
export function rowsOf(
  cells: Cells,
  plan: EntityPlan,
  { indexed, between, byName = [] }: RowsAsked,
  tests: readonly Test[],
): Membership {
  const table = cells.space.wholeTable(plan.table.name);
  const sets = indexed.map(([fields, names]) => ({ lookup: lookupOf(cells, plan, fields), names }));
  const [first] = sets;
  // A renamed temporary pk moves rows in the other lookups, too, which signal nothing here.
  const renames = indexed.slice(1).map(([fields]) => renamesOf(cells, String(fields)));
  const had = (row: unknown): boolean =>
    isRow(row as Row | undefined) &&
    sets.every(({ lookup, names }, at) => lookup.hasOne(row as Row, names, renames[at - 1]?.nameOf)) &&
    tests.every((test) => test(row));
  const found = (): readonly RowCell[] => {
    if (first !== undefined) return [...new Set(first.names.flatMap((name) => [...first.lookup.cellsOf(name)]))];
    return between ? indexByField(cells, plan, between.field).between(between.from, between.to) : table.present;
  };
  return {
    // A row that matches is in every set, so the first one signals each of its changes.
    signals: [
      ...(first?.names.map((name) => first.lookup.signalOf(name)) ?? [table.signals.rows]),
      ...renames,
      ...byName.map((field) => renamesOf(cells, field)),
    ],
    rows: () => (sets.length + tests.length === 0 ? found() : found().filter(({ row }) => had(row))),
    has: (cell) => table.cells.get(cell.pk) === cell && had(cell.row),
    had,
    end: () => first?.names.forEach((name) => first.lookup.forgetSignal(name)),
  };
}

/** Rows that are found through other rows. */
export interface FoundRows {
  /** The rows in order. Some may not be stored yet. */
  readonly order: FoundOrder;
  /** The rows that led to them. */
  readonly leads: readonly RowCell[];
  /** The lookups that led to them, with the names that were looked up. */
  readonly lookups: readonly (readonly [lookup: Lookup<RowCell>, names: readonly string[]])[];
}

/** Rows that were found, in order. */
export interface FoundOrder {
  rows(): readonly RowCell[];
  has(row: RowCell): boolean;
  compare(one: Item, other: Item): number;
  /** Lets changed rows join or leave. Returns further names to look up, or `undefined` if all rows must be found again. */
  update?(rows: readonly RowCell[]): readonly string[] | undefined;
}

/** Rows in the order of a list, which may have some of them twice. */
export class ListedRows implements FoundOrder {
  readonly #places = new Map<Item, number>();

  constructor(rows: readonly RowCell[]) {
    for (const row of rows) if (!this.#places.has(row)) this.#places.set(row, this.#places.size);
  }

  rows(): readonly RowCell[] {
    return [...this.#places.keys()] as RowCell[];
  }

  has(row: RowCell): boolean {
    return this.#places.has(row);
  }

  compare(one: Item, other: Item): number {
    return (this.#places.get(one) as number) - (this.#places.get(other) as number);
  }
}

/** Returns the source for records that are found through others, and that lookups find too. */
export function foundRecords(
  cells: Cells,
  plan: EntityPlan,
  name: string,
  indexed: readonly Indexed[],
  find: () => FoundRows,
): RecordsCell {
  return sourceFor(cells, plan, name, false, () => foundRows(cells, plan, indexed, find()));
}

function foundRows(cells: Cells, plan: EntityPlan, indexed: readonly Indexed[], found: FoundRows): Membership {
  const inner = indexed.length === 0 ? undefined : rowsOf(cells, plan, { indexed, between: undefined }, []);
  const { order } = found;
  const leads = new Set<Cell>([...found.leads, ...order.rows().filter(({ row }) => !isRow(row))]);
  const has = (row: RowCell): boolean => order.has(row) && isRow(row.row) && inner?.has(row) !== false;
  return {
    signals: [
      ...found.lookups.flatMap(([lookup, names]) => names.map((name) => lookup.signalOf(name))),
      ...(inner?.signals ?? []),
      ...leads,
    ],
    rows: () => order.rows().filter(has),
    has,
    compare: (one, other) => order.compare(one, other),
    leads: (part) => leads.has(part) || (!order.update && part instanceof SignalCell && part.isMove === true),
    update(rows) {
      const names = order.update === undefined ? [] : order.update(rows);
      // A row that was found and has no content leads to the records from now on.
      if (names === undefined || rows.some((row) => order.has(row) && !has(row))) return undefined;
      return found.lookups.flatMap(([lookup]) => names.map((name) => lookup.signalOf(name)));
    },
    end() {
      inner?.end?.();
      for (const [lookup, names] of found.lookups) for (const name of names) lookup.forgetSignal(name);
    },
  };
}

/** Sorts rows by the order in which they arrived. */
export function inOrderOfArrival(rows: RowCell[]): RowCell[] {
  return rows.sort(byArrival);
}

/** Returns the lookup for rows of an entity by the values of some fields. */
export function lookupOf(cells: Cells, { entity, table }: EntityPlan, fields: readonly string[]): Lookup<RowCell> {
  const missing = fields.map((field) => (entity.defaults as Fields)[field]);
  return cells.space.wholeTable(table.name).lookup(fields, missing);
}
