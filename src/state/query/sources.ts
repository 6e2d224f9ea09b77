import type { Test } from '../../define/query/condition.ts';
import type { Fields } from '../../std/plain.ts';
import type { Cells } from '../denormalize/cells.ts';
import type { Cell } from '../graph/cell.ts';
import { SignalCell } from '../graph/signal-cell.ts';
import type { Lookup } from '../tables/lookup.ts';
import type { EntityPlan } from '../tables/plan.ts';
import { isRow, type RowCell } from '../tables/table.ts';
import { type Membership, RecordsCell } from './records-cell.ts';
import type { Indexed } from './relation-path.ts';
import type { Between } from './row-conditions.ts';
import { indexOf } from './sorted-rows.ts';

/** Returns the source for the rows or records of a membership. Queries that ask for it by the same name share it. */
export function sourceFor(
  cells: Cells,
  plan: EntityPlan,
  name: string,
  isOfRows: boolean,
  membership: () => Membership,
): RecordsCell {
  const unused = (): void => cells.shared.delete(plan, name);
  return cells.shared.get(plan, name, () => new RecordsCell(plan, cells, isOfRows, membership, unused)) as RecordsCell;
}

/**
 * Returns the rows of a table that pass tests and lie in a range. `change`: whether to signal only rows that are added or removed
 * (`members`), or also those that change (`rows`).
 */
export function rowsOf(
  cells: Cells,
  plan: EntityPlan,
  change: 'members' | 'rows',
  tests: readonly Test[],
  between: Between | undefined,
): Membership {
  const table = cells.space.wholeTable(plan.table.name);
  const passes = ({ row }: RowCell): boolean => tests.every((test) => test(row));
  return {
    signals: [table[change]],
    rows() {
      const rows = between ? indexOf(cells, plan, between.field).between(between.from, between.to) : table.present;
      return tests.length === 0 ? rows : rows.filter(passes);
    },
    has: (cell) => isRow(cell.row) && table.cells.get(cell.pk) === cell && passes(cell),
  };
}

/** The rows whose fields have these values. Only rows in the lookups are read. */
export function indexedRows(
  cells: Cells,
  plan: EntityPlan,
  change: 'signalOf' | 'changesOf',
  indexed: readonly Indexed[],
): Membership {
  const sets = indexed.map(([fields, names]) => ({ lookup: lookupOf(cells, plan, fields), names }));
  const has = (row: RowCell): boolean =>
    sets.every(({ lookup, names }) => names.some((name) => lookup.cellsOf(name).has(row)));
  return {
    // A row that matches is in every set, so the first one signals each of its changes.
    signals: (change === 'changesOf' ? sets.slice(0, 1) : sets).flatMap(({ lookup, names }) =>
      names.map((name) => lookup[change](name)),
    ),
    rows() {
      const [{ lookup, names }] = sets as [(typeof sets)[number]];
      return new Set(names.flatMap((name) => [...lookup.cellsOf(name)].filter(has)));
    },
    has,
    end() {
      for (const { lookup, names } of sets) for (const name of names) lookup.forgetSignal(name);
    },
  };
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
  return sourceFor(cells, plan, name, false, () => foundRows(cells, plan, indexed, find()));
}

function foundRows(cells: Cells, plan: EntityPlan, indexed: readonly Indexed[], found: FoundRows): Membership {
  const inner = indexed.length === 0 ? undefined : indexedRows(cells, plan, 'signalOf', indexed);
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
      inner?.end?.();
      for (const [lookup, names] of found.lookups) for (const name of names) lookup.forgetSignal(name);
    },
  };
}

/** Sorts rows by the order in which they arrived. */
export function inOrder(rows: RowCell[]): RowCell[] {
  return rows.sort((one, other) => one.arrival - other.arrival);
}

/** Returns the lookup for rows of an entity by the values of some fields. */
export function lookupOf(cells: Cells, { entity, table }: EntityPlan, fields: readonly string[]): Lookup<RowCell> {
  const missing = fields.map((field) => (entity.defaults as Fields)[field]);
  return cells.space.wholeTable(table.name).lookup(fields, missing);
}
