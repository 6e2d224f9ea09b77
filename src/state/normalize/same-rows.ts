import { pkIfAny } from '../../define/schema/pk.ts';
import type { EntityPlan, FieldPlan, Plan } from '../tables/plan.ts';
import { isRow, type RowCell } from '../tables/table.ts';
import { changesNothing, isPlainAnswer, isSame, leavesInDoubt, type WriteInProgress } from './combine.ts';

/** How many levels of records are compared at once. A difference inside of a record makes each record around it be compared again. */
const DEEPEST = 3;

/**
 * Returns the cells of a record and of the records in it, the record itself last, if all of them are stored with equal content, as when a
 * list is fetched again. Returns none if anything differs, or needs more than a comparison: then the walk decides.
 */
export function sameRows(plan: EntityPlan, input: object, writing: WriteInProgress): readonly RowCell[] {
  const cells: RowCell[] = [];
  const isEqual =
    isPlainAnswer(writing) && !writing.isOvertaking && find(plan, input, pkOf(input), writing, cells, DEEPEST);
  return isEqual ? cells : [];
}

function pkOf(input: object): string | undefined {
  return pkIfAny((input as { readonly id?: unknown }).id);
}

/** Adds the cells of a record, or of a list of records. Returns whether they are stored with equal content, as `stored`. */
function find(
  plan: Plan,
  given: unknown,
  stored: unknown,
  writing: WriteInProgress,
  cells: RowCell[],
  levels: number,
): boolean {
  if (typeof given !== 'object' || given === null) return given === stored;
  if (plan.kind === 'list') {
    if (!Array.isArray(given) || !Array.isArray(stored) || given.length !== stored.length) return false;
    for (let at = 0; at < given.length; at++)
      if (!find(plan.item, given[at], stored[at], writing, cells, levels)) return false;
    return true;
  }
  if (plan.kind !== 'entity' || levels === 0 || typeof stored !== 'string' || pkOf(given) !== stored) return false;
  const { hooks, refs, refNames, table } = plan.current;
  const cell = hooks.areInherited && table.aliases.size === 0 ? table.cells.get(stored) : undefined;
  if (cell === undefined) return false;
  const { row, stamp } = writing.log.confirmed(cell);
  // In a later row, each field has to be compared by its own order.
  if (!isRow(row) || (stamp !== undefined && writing.stamp.issue < stamp.issue)) return false;
  if (leavesInDoubt(stamp, row, given) || !changesNothing(row, given, refNames)) return false;
  for (let at = 0; at < refs.length; at++) {
    const { name, plan: inner, relation } = refs[at] as FieldPlan;
    const value = (given as Readonly<Record<string, unknown>>)[name];
    const isEqual =
      typeof value === 'object' && value !== null
        ? relation.isNested &&
          find(inner, value, (row as Readonly<Record<string, unknown>>)[name], writing, cells, levels - 1)
        : !Object.hasOwn(given, name) || isSame(row, given, name);
    if (!isEqual) return false;
  }
  cells.push(cell);
  return true;
}
