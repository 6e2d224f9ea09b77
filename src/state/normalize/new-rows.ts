import type { Row } from '../../define/schema/row.ts';
import type { EntityPlan, FieldPlan, Plan } from '../tables/plan.ts';
import { hasNestedRecords } from '../tables/normalized.ts';
import type { RowCell, Table } from '../tables/table.ts';
import { buildRow } from './combine.ts';
import { type WriteInProgress, isPlainAnswer } from './write-in-progress.ts';
import { changesNothing } from './same-fields.ts';
import { refOf } from './ref.ts';

/** Returned if nothing was stored. */
export const NOT_NEW: unique symbol = Symbol('NOT_NEW');

/**
 * A fast way to store the records of an answer in empty tables, for classes without hooks of their own. Returns the ref. In any other case, or
 * after an error, undoes its work and returns `NOT_NEW`. This code is separate and small because an application waits for its first answer.
 */
export function storeNew(plan: Plan, input: unknown, writing: WriteInProgress): unknown {
  const { log } = writing;
  if (log.newRows !== undefined || !isPlainAnswer(writing)) return NOT_NEW;
  try {
    const stored = storeValue(plan, input, writing);
    if (stored !== NOT_NEW) return stored;
  } catch {
    // The full walk will meet the same error, and report where it is.
  }
  log.removeNewRows();
  return NOT_NEW;
}

function storeValue(plan: Plan, input: unknown, writing: WriteInProgress): unknown {
  if (plan.kind === 'entity') {
    if (typeof input !== 'object') return plan.table.aliases.changed ? NOT_NEW : refOf(plan.entity.key, input);
    return Array.isArray(input) || input === null ? NOT_NEW : storeRecord(plan.current, input, writing);
  }
  if (plan.kind !== 'list' || plan.item.kind !== 'entity' || !Array.isArray(input)) return NOT_NEW;
  const stored: unknown[] = input.slice();
  for (let at = 0; at < stored.length; at++) {
    const given = stored[at];
    if (given === null) continue;
    const ref = given === undefined ? NOT_NEW : storeValue(plan.item, given, writing);
    if (ref === NOT_NEW) return NOT_NEW;
    stored[at] = ref;
  }
  return stored;
}

function storeRecord(plan: EntityPlan, input: Row, writing: WriteInProgress): unknown {
  const { hooks, refs, table } = plan;
  const cells = hooks.areInherited ? newCellsOf(table, writing) : undefined;
  if (cells === undefined) return NOT_NEW;
  // An object with another prototype may have an inherited id, which does not count. Engines check this faster than `hasOwn()`.
  if (Object.getPrototypeOf(input) !== Object.prototype) return NOT_NEW;
  const { id } = input as { readonly id: unknown };
  const pk = typeof id === 'number' && Number.isSafeInteger(id) ? String(id) : id;
  if (typeof pk !== 'string' || pk === '' || pk === 'undefined') return NOT_NEW;
  const known = table.cells.get(pk);
  if (known !== undefined) return changesNothing(known.row as Row, input) ? known.pk : NOT_NEW;
  const row = buildRow(plan, input);
  const cell = table.add(pk);
  cells.push(cell);
  cell.row = row;
  cell.stamp = writing.stamp;
  for (let at = 0; at < refs.length; at++) {
    const { name, plan: inner, relation, isForeign, isInherited } = refs[at] as FieldPlan;
    const given: unknown = (input as Record<string, unknown>)[name];
    if (given === undefined || given === null || (isInherited && !Object.hasOwn(input, name))) continue;
    if (!relation.isNested && hasNestedRecords(given)) writing.log.nest(relation, table.name);
    const ref = isForeign ? NOT_NEW : storeValue(inner, given, writing);
    if (ref === NOT_NEW) return NOT_NEW;
    row[name] = ref;
  }
  return pk;
}

/** Returns the new cells of a table, or `undefined` if the table was not empty before, or if its rows can refer to records by their former pks. */
function newCellsOf(table: Table, { log }: WriteInProgress): RowCell[] | undefined {
  const known = log.newRows?.get(table);
  if (known !== undefined || !table.isEmpty || table.aliases.owners !== undefined) return known;
  const made: RowCell[] = [];
  log.newRows ??= new Map();
  log.newRows.set(table, made);
  return made;
}
