import { pkIfAny } from '../../define/schema/pk.ts';
import type { EntityPlan, FieldPlan, Plan } from '../tables/plan.ts';
import { isRow, type RowCell } from '../tables/table.ts';
import { changesNothing, isSameField } from './same-fields.ts';
import { isPlainAnswer, type WriteInProgress } from './write-in-progress.ts';
import { leavesInDoubt } from './combine.ts';

/** How many levels of records are compared at once. A difference inside of a record makes each record around it be compared again. */
const MAX_DEPTH = 3;

/**
 * Returns the pk of a record if it and the records in it are stored with equal content, as when a list is fetched again. Each record that is
 * equal with all of its content is fresh afterwards. If anything differs, or needs more than a comparison, the walk decides.
 */
export function renewSame(plan: EntityPlan, input: object, writing: WriteInProgress): string | undefined {
  if (!isPlainAnswer(writing) || writing.isOvertaking) return undefined;
  const pk = pkOf(input);
  return renew(plan, input, pk, writing, MAX_DEPTH) ? pk : undefined;
}

/** Returns the cell of a record that needs no walk: its table knows it, it has no relations, its class has no hooks, and no request decides about it. */
export function plainCellOf(plan: EntityPlan, input: object, writing: WriteInProgress): RowCell | undefined {
  const { hooks, refs, table } = plan;
  if (writing.answeredRequest !== undefined || !isPlainAnswer(writing) || !hooks.areInherited) return undefined;
  const { changed, owners, size } = table.aliases;
  if (size > 0 || changed !== undefined || owners !== undefined) return undefined;
  for (let at = 0; at < refs.length; at++) if ((refs[at] as FieldPlan).name in input) return undefined;
  const pk = pkOf(input);
  return pk === undefined ? undefined : table.cells.get(pk);
}

function pkOf(input: object): string | undefined {
  return pkIfAny((input as { readonly id?: unknown }).id);
}

/** Makes a record or a list of records fresh if its stored form `stored` has equal content. Returns whether it has. */
function renew(plan: Plan, given: unknown, stored: unknown, writing: WriteInProgress, levels: number): boolean {
  if (typeof given !== 'object' || given === null) return given === stored;
  if (plan.kind === 'list') {
    if (!Array.isArray(given) || !Array.isArray(stored) || given.length !== stored.length) return false;
    for (let at = 0; at < given.length; at++)
      if (!renew(plan.item, given[at], stored[at], writing, levels)) return false;
    return true;
  }
  if (plan.kind !== 'entity' || levels === 0 || typeof stored !== 'string' || pkOf(given) !== stored) return false;
  const { hooks, refs, refNames, table } = plan.current;
  const cell = hooks.areInherited && table.aliases.size === 0 ? table.cells.get(stored) : undefined;
  if (cell === undefined) return false;
  const confirmed = writing.log.confirmed(cell);
  const { row, stamp } = confirmed;
  // In a later row, each field has to be compared by its own order.
  if (!isRow(row) || (stamp !== undefined && writing.stamp.issue < stamp.issue)) return false;
  if (leavesInDoubt(stamp, row, given) || !changesNothing(row, given, refNames)) return false;
  for (let at = 0; at < refs.length; at++) {
    const { name, plan: inner, relation } = refs[at] as FieldPlan;
    const value = (given as Readonly<Record<string, unknown>>)[name];
    const isEqual =
      typeof value === 'object' && value !== null
        ? relation.isNested &&
          renew(inner, value, (row as Readonly<Record<string, unknown>>)[name], writing, levels - 1)
        : !Object.hasOwn(given, name) || isSameField(row, given, name);
    if (!isEqual) return false;
  }
  writing.log.touch(cell);
  confirmed.stamp = writing.stamp;
  return true;
}
