import { pkIfAny } from '../../define/schema/pk.ts';
import type { EntityPlan, FieldPlan, Plan } from '../tables/plan.ts';
import { isRow, type RowCell } from '../tables/table.ts';
import { changesNothing, isSame, type WriteInProgress } from './combine.ts';

/** How many levels of records are compared at once. A difference inside of a record makes each record around it be compared again. */
const DEEPEST = 3;

/**
 * Returns the cells of a record and of the records in it, the record itself last, if all of them are stored with equal content, as when a
 * list is fetched again. `undefined` if anything differs, or needs more than a comparison: then the walk decides. Changes nothing.
 */
export function equalRows(plan: EntityPlan, input: object, writing: WriteInProgress): readonly RowCell[] | undefined {
  const { answer, isOvertaking, isWhole, origin } = writing;
  if (answer !== undefined || isOvertaking || isWhole || origin?.isMutation === true) return undefined;
  const cells: RowCell[] = [];
  return addRecord(plan, input, writing, cells, DEEPEST) === undefined ? undefined : cells;
}

/** Adds the cells of a record that is stored with equal content, and returns its pk. */
function addRecord(
  { hooks, refs, refNames, table }: EntityPlan,
  input: object,
  writing: WriteInProgress,
  cells: RowCell[],
  levels: number,
): string | undefined {
  if (levels === 0 || !hooks.areInherited || table.aliases.size > 0) return undefined;
  const pk = pkIfAny((input as { readonly id?: unknown }).id);
  const cell = pk === undefined ? undefined : table.cells.get(pk);
  if (cell === undefined || writing.origin?.isMutated?.(table.name, cell.pk) === true) return undefined;
  const { row, stamp } = writing.log.confirmed(cell);
  // In a later row, each field has to be compared by its own order.
  if (!isRow(row) || (stamp !== undefined && writing.stamp.issue < stamp.issue)) return undefined;
  if (!changesNothing(row, input, refNames)) return undefined;
  for (let at = 0; at < refs.length; at++) {
    const { name, plan, relation, isForeign, isInherited } = refs[at] as FieldPlan;
    const given = (input as Readonly<Record<string, unknown>>)[name];
    if (typeof given !== 'object' || given === null) {
      if (Object.hasOwn(input, name) && !isSame(row, input, name)) return undefined;
      continue;
    }
    if (isForeign || isInherited || !relation.isNested) return undefined;
    const stored = (row as Readonly<Record<string, unknown>>)[name];
    if (!addRecords(plan, given, stored, writing, cells, levels - 1)) return undefined;
  }
  cells.push(cell);
  return cell.pk;
}

/** Adds the cells of a nested record or list, and returns whether it is stored as `stored`. */
function addRecords(
  plan: Plan,
  given: unknown,
  stored: unknown,
  writing: WriteInProgress,
  cells: RowCell[],
  levels: number,
): boolean {
  if (typeof given !== 'object' || given === null) return given === stored;
  if (plan.kind === 'entity') {
    const pk = addRecord(plan.current, given, writing, cells, levels);
    return pk !== undefined && pk === stored;
  }
  if (plan.kind !== 'list' || !Array.isArray(given) || !Array.isArray(stored)) return false;
  if (given.length !== stored.length) return false;
  for (let at = 0; at < given.length; at++)
    if (!addRecords(plan.item, given[at], stored[at], writing, cells, levels)) return false;
  return true;
}
