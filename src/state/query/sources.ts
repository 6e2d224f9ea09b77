import type { Test } from '../../define/query/condition.ts';
import type { Fields } from '../../std/plain.ts';
import type { Cells } from '../denormalize/cells.ts';
import type { Cell } from '../graph/cell.ts';
import { SignalCell } from '../graph/signal-cell.ts';
import type { Lookup } from '../tables/lookup.ts';
import type { EntityPlan } from '../tables/plan.ts';
import { isRow, type RowCell } from '../tables/table.ts';
import type { Membership } from './members.ts';
import { RecordsCell } from './records-cell.ts';
import type { Indexed } from './relation-path.ts';
import type { Between } from './row-conditions.ts';
import { RowsCell } from './rows-cell.ts';
import { indexOf } from './sorted-rows.ts';
import type { SourceCell } from './source-cell.ts';

/**
 * Returns the rows of a table that pass a test and lie in a range. `change`: whether to signal only rows that are added or removed
 * (`members`), or also those that change (`rows`).
 */
function rowsOf(
  cells: Cells,
  plan: EntityPlan,
  change: 'members' | 'rows',
  test?: Test,
  between?: Between,
): Membership {
  const table = cells.space.wholeTable(plan.table.name);
  const has = (cell: RowCell): boolean =>
    isRow(cell.row) && table.cells.get(cell.pk) === cell && test?.(cell.row) !== false;
  return {
    signals: [table[change]],
    rows() {
      const rows = between ? indexOf(cells, plan, between.field).between(between.from, between.to) : table.present;
      return test === undefined ? rows : rows.filter(({ row }) => test(row));
    },
    has,
    end: () => {},
  };
}

function shared<Source extends SourceCell>(
  cells: Cells,
  plan: EntityPlan,
  name: string,
  make: (unused: () => void) => Source,
): Source {
  return cells.shared.get(plan, name, () => make(() => cells.shared.delete(plan, name))) as Source;
}

/** Returns the source for every record of an entity. */
export function allRecords(cells: Cells, plan: EntityPlan): RecordsCell {
  return shared(
    cells,
    plan,
    'records',
    (unused) => new RecordsCell(plan, cells, () => rowsOf(cells, plan, 'members'), unused),
  );
}

/** Returns the source for the records whose rows pass a test. Tests with the same name are equal. Other records are not built. */
export function testedRecords(
  cells: Cells,
  plan: EntityPlan,
  name: string,
  test: Test,
  between: Between | undefined,
): RecordsCell {
  return shared(
    cells,
    plan,
    `tested ${name}`,
    (unused) => new RecordsCell(plan, cells, () => rowsOf(cells, plan, 'rows', test, between), unused),
  );
}

/** Returns the source for the rows of an entity that have these field values or lie in a range. */
export function rowsWith(
  cells: Cells,
  plan: EntityPlan,
  indexed: readonly Indexed[],
  between: Between | undefined,
): RowsCell {
  const membership = (): Membership =>
    indexed.length === 0
      ? rowsOf(cells, plan, 'rows', undefined, between)
      : indexedRows(cells, plan, indexed, 'changesOf');
  const name = `rows ${JSON.stringify(indexed.length === 0 ? between : indexed)}`;
  return shared(cells, plan, name, (unused) => new RowsCell(plan, cells, membership, unused));
}

/** Returns the source for the records whose fields have these values. Only rows in the lookups are read. */
export function recordsWith(cells: Cells, plan: EntityPlan, indexed: readonly Indexed[]): RecordsCell {
  const membership = (): Membership => indexedRows(cells, plan, indexed, 'signalOf');
  const name = JSON.stringify(indexed);
  return shared(cells, plan, name, (unused) => new RecordsCell(plan, cells, membership, unused));
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
  const membership = (): Membership => foundRows(cells, plan, indexed, find());
  return shared(cells, plan, name, (unused) => new RecordsCell(plan, cells, membership, unused));
}

function foundRows(cells: Cells, plan: EntityPlan, indexed: readonly Indexed[], found: FoundRows): Membership {
  const inner = indexed.length === 0 ? undefined : indexedRows(cells, plan, indexed, 'signalOf');
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

/** Returns the lookup for rows of an entity by the values of some fields. */
export function lookupOf(cells: Cells, { entity, table }: EntityPlan, fields: readonly string[]): Lookup<RowCell> {
  const missing = fields.map((field) => (entity.defaults as Fields)[field]);
  return cells.space.wholeTable(table.name).lookup(fields, missing);
}

function indexedRows(
  cells: Cells,
  plan: EntityPlan,
  indexed: readonly Indexed[],
  change: 'signalOf' | 'changesOf',
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
      const seen = new Set<RowCell>();
      const [{ lookup, names }] = sets as [(typeof sets)[number]];
      for (const name of names) for (const row of lookup.cellsOf(name)) if (has(row)) seen.add(row);
      return seen;
    },
    has,
    end() {
      for (const { lookup, names } of sets) for (const name of names) lookup.forgetSignal(name);
    },
  };
}
