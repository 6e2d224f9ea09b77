import { INVALID } from '../../define/schema/schema.ts';
import type { EntityPlan } from '../tables/plan.ts';
import { isRow, type RowCell } from '../tables/table.ts';
import { asIssued, type Incoming, mergeByHooks, mergeFields } from './combine.ts';
import type { EntityHooks } from './entity-hooks.ts';
import { deletionOf, ordered } from './field-order.ts';

type Fields = Record<string, unknown>;

/** Puts a record's row into its place: the cell, which has been touched, or what covers it. */
export function putRow(plan: EntityPlan, cell: RowCell, row: Fields, writing: Incoming, hooks: EntityHooks): void {
  const { answer, log } = writing;
  const { name } = cell.table;
  if (answer === undefined) return combine(plan, cell, row, writing, hooks);
  if (plan.hooks.merge)
    return combine(plan, cell, row, answer.isOlder(name, cell.pk) ? asIssued(writing) : writing, hooks);
  const existing = log.place(cell).row;
  const written = answer.fieldsOf(name, cell.pk, isRow(existing) ? existing : undefined, row);
  if (written !== undefined) combine(plan, cell, written as Fields, writing, hooks);
}

function combine(plan: EntityPlan, cell: RowCell, row: Fields, writing: Incoming, hooks: EntityHooks): void {
  const { log, stamp, isOvertaking } = writing;
  const place = log.place(cell);
  const existing = place.row;
  if (!isRow(existing)) {
    // Answers from before a deletion never bring a record back.
    const deletion = existing === INVALID ? (place.stamp?.issue ?? 0) : 0;
    if (deletion > stamp.issue) return;
    // A created record is found by its temporary pk as it will be by its own.
    if (!plan.hooks.pk && (row['id'] === undefined || row['id'] === '')) row['id'] = cell.pk;
    place.row = row;
    place.stamp = isOvertaking ? ordered(stamp, undefined, deletion) : stamp;
  } else if (plan.hooks.merge) {
    hooks.running = `${plan.entity.key}.merge()`;
    mergeByHooks(plan.entity, cell, existing, row, writing);
    hooks.running = '';
  } else if (deletionOf(place.stamp) <= stamp.issue) mergeFields(cell, existing, row, writing);
}
