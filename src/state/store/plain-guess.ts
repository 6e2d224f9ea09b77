import type { Row, RowState } from '../../define/schema/row.ts';
import { buildRow } from '../normalize/combine.ts';
import type { EntityPlan } from '../tables/plan.ts';
import type { Space } from '../tables/space.ts';
import type { RowCell } from '../tables/table.ts';
import { listsName, NO_READS, type Reads } from './layer-space.ts';

/** A guess that is one plain record. To apply it, its fields are put over the row below. */
export interface Patch {
  readonly plan: EntityPlan;
  readonly cell: RowCell;
  readonly reads: Reads;
}

/** If a guess is one plain record, replaces its row by its fields alone, and returns the patch. */
export function patchOf(
  guess: { readonly schema: unknown; readonly response: unknown } | undefined,
  rows: Map<RowCell, RowState>,
  space: Space,
): Patch | undefined {
  const plan = space.planOf(guess?.schema);
  const [cell] = rows.keys();
  if (plan.kind !== 'entity' || cell === undefined || rows.size > 1) return undefined;
  const { merge, isProcessing, pk, validate } = plan.hooks;
  if (merge || isProcessing || pk || validate) return undefined;
  const fields = patchedFields({ plan, cell }, guess?.response, space);
  if (fields === undefined) return undefined;
  rows.set(cell, fields);
  // Lists may arrive that follow the changed fields.
  const tables = new Set([listsName(plan.table.name)]);
  return { plan, cell, reads: { ...NO_READS, tables } };
}

/** Returns the fields that a response puts over the row of a patch. `undefined` if it needs more than that. */
export function patchedFields(
  { cell, plan }: Pick<Patch, 'cell' | 'plan'>,
  response: unknown,
  space: Space,
): Row | undefined {
  if (!isRecordOf(cell, response) || plan.current.refs.length > 0 || isRenamed(cell)) return undefined;
  const fields = buildRow(plan, response);
  return isFollowed(plan, fields, space) ? undefined : fields;
}

/** Returns whether the fields that a guess changes can move its record between lists. */
function isFollowed(plan: EntityPlan, row: Row, space: Space): boolean {
  const fields = Object.keys(row);
  return space.followers
    .of(plan.table.name)
    .some((schema) => schema.dependsOn?.(fields, space.namesBelow(schema.key) as ReadonlySet<string>) === true);
}

/** Returns whether the pk of a cell has become an alias of another record. */
export function isRenamed(cell: RowCell): boolean {
  return cell.table.find(cell.pk) !== cell;
}

/** Returns whether an input is the record of a cell, by its `id`. */
function isRecordOf({ pk }: RowCell, input: unknown): input is Row {
  if (typeof input !== 'object' || input === null || Array.isArray(input)) return false;
  const { id } = input as { readonly id?: unknown };
  return id === pk || (Number.isSafeInteger(id) && String(id) === pk);
}
