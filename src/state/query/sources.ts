import type { Cells } from '../denormalize/cells.ts';
import type { EntityPlan } from '../tables/plan.ts';
import { isRow, type RowCell } from '../tables/table.ts';
import { type Membership, RecordsCell } from './records-cell.ts';

/** Every record of an entity. */
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

/** A field, and the values of which a row has to have one there, as an index names them. */
export type Indexed = readonly [field: string, values: readonly string[]];

/** The records whose rows have these values in these fields. Those of other values are not looked at. */
export function recordsWith(cells: Cells, plan: EntityPlan, indexed: readonly Indexed[]): RecordsCell {
  const name = JSON.stringify(indexed);
  return cells.shared.get(plan, name, () => {
    const membership = (): Membership => indexedRows(cells, plan, indexed);
    return new RecordsCell(plan, cells, membership, () => cells.shared.delete(plan, name));
  }) as RecordsCell;
}

function indexedRows(cells: Cells, plan: EntityPlan, indexed: readonly Indexed[]): Membership {
  const table = cells.space.wholeTable(plan.table.name);
  const defaults = plan.entity.defaults as Readonly<Record<string, unknown>>;
  const sets = indexed.map(([field, values]) => {
    const lookup = table.lookup(field, defaults[field]);
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
