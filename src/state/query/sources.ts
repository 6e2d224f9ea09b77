import type { Cells } from '../denormalize/cells.ts';
import type { Cell } from '../graph/cell.ts';
import { SignalCell } from '../graph/signal-cell.ts';
import type { Lookup } from '../tables/lookup.ts';
import type { EntityPlan } from '../tables/plan.ts';
import { isRow, type RowCell } from '../tables/table.ts';
import { type Membership, RecordsCell } from './records-cell.ts';

/** Returns the source for every record of an entity. */
export function allRecords(cells: Cells, plan: EntityPlan): RecordsCell {
  return cells.shared.get(plan, 'records', () => {
    const membership = (): Membership => {
      const table = cells.space.wholeTable(plan.table.name);
      return {
        signals: [table.members],
        rows: () => table.present,
        has: (row: RowCell) => isRow(row.row) && table.cells.get(row.pk) === row,
        end: () => {},
      };
    };
    return new RecordsCell(plan, cells, membership, () => cells.shared.delete(plan, 'records'));
  }) as RecordsCell;
}

/** A field, and the values of which a row must have one, by their names in an index. */
export type Indexed = readonly [field: string, values: readonly string[]];

/** Returns the source for the records whose fields have these values. Only rows in the lookups are read. */
export function recordsWith(cells: Cells, plan: EntityPlan, indexed: readonly Indexed[]): RecordsCell {
  const name = JSON.stringify(indexed);
  return cells.shared.get(plan, name, () => {
    const membership = (): Membership => indexedRows(cells, plan, indexed);
    return new RecordsCell(plan, cells, membership, () => cells.shared.delete(plan, name));
  }) as RecordsCell;
}

/** Rows that are found through other rows. */
export interface FoundRows {
  /** The rows in order. Some may not be stored yet, and some may occur twice. */
  readonly rows: readonly RowCell[];
  /** The rows that led to them. */
  readonly leads: readonly RowCell[];
  /** The lookups that led to them, with the names that were looked up. */
  readonly lookups: readonly (readonly [lookup: Lookup<RowCell>, names: readonly string[]])[];
}

/** Returns the source for records that are found through others and that also have these field values. */
export function foundRecords(
  cells: Cells,
  plan: EntityPlan,
  name: string,
  indexed: readonly Indexed[],
  find: () => FoundRows,
): RecordsCell {
  return cells.shared.get(plan, name, () => {
    const membership = (): Membership => foundRows(cells, plan, indexed, find());
    return new RecordsCell(plan, cells, membership, () => cells.shared.delete(plan, name));
  }) as RecordsCell;
}

function foundRows(cells: Cells, plan: EntityPlan, indexed: readonly Indexed[], found: FoundRows): Membership {
  const inner = indexed.length === 0 ? undefined : indexedRows(cells, plan, indexed);
  const places = new Map<RowCell, number>();
  for (const row of found.rows) if (!places.has(row)) places.set(row, places.size);
  const leads = new Set<Cell>([...found.leads, ...found.rows.filter(({ row }) => !isRow(row))]);
  const has = (row: RowCell): boolean => places.has(row) && isRow(row.row) && inner?.has(row) !== false;
  return {
    signals: [
      ...found.lookups.flatMap(([lookup, names]) => names.map((name) => lookup.signalOf(name))),
      ...(inner?.signals ?? []),
      ...leads,
    ],
    rows: () => [...places.keys()].filter(has),
    has,
    places,
    leads: (part) => part instanceof SignalCell || leads.has(part),
    end() {
      inner?.end();
      for (const [lookup, names] of found.lookups) for (const name of names) lookup.forgetSignal(name);
    },
  };
}

/** Sorts rows by the order in which they arrived. */
export function inOrder(rows: RowCell[]): RowCell[] {
  return rows.sort((one, other) => one.arrival - other.arrival);
}

/** Returns the lookup of an entity for a field. */
export function lookupOf(cells: Cells, { entity, table }: EntityPlan, field: string): Lookup<RowCell> {
  const defaults = entity.defaults as Readonly<Record<string, unknown>>;
  return cells.space.wholeTable(table.name).lookup(field, defaults[field]);
}

function indexedRows(cells: Cells, plan: EntityPlan, indexed: readonly Indexed[]): Membership {
  const sets = indexed.map(([field, values]) => {
    const lookup = lookupOf(cells, plan, field);
    return { lookup, values, cells: (): ReadonlySet<RowCell>[] => values.map((value) => lookup.cellsOf(value)) };
  });
  const has = (row: RowCell): boolean => sets.every((set) => set.cells().some((some) => some.has(row)));
  return {
    signals: sets.flatMap(({ lookup, values }) => values.map((value) => lookup.signalOf(value))),
    rows() {
      const seen = new Set<RowCell>();
      const [begin] = sets as [(typeof sets)[number]];
      for (const some of begin.cells()) for (const row of some) if (has(row)) seen.add(row);
      return seen;
    },
    has,
    end() {
      for (const { lookup, values } of sets) for (const value of values) lookup.forgetSignal(value);
    },
  };
}
