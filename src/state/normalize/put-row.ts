import { INVALID, type Stamp } from '../../define/schema/schema.ts';
import type { EntityPlan } from '../tables/plan.ts';
import { isRow, type RowCell } from '../tables/table.ts';
import { asIssued, type WriteInProgress, mergeByHooks, mergeFields } from './combine.ts';
import { deletionOf, issueOf, ordered } from './field-order.ts';
import { hookFailed } from './input-errors.ts';
import type { WritableFields } from '../../std/plain.ts';

/** Stands in the fields that a whole record does not have. */
const ABSENT: unique symbol = Symbol('ABSENT');

/** Puts a record's row into its place: the cell, which has been touched, or what covers it. */
export function putRow(
  plan: EntityPlan,
  cell: RowCell,
  row: WritableFields,
  writing: WriteInProgress,
  isWhole: boolean,
): void {
  const { answer, log } = writing;
  const { name } = cell.table;
  const { row: existing, stamp } = log.confirmed(cell);
  const absent = isWhole ? absentIn(plan, isRow(existing) ? existing : {}, row) : undefined;
  if (answer === undefined) return combine(plan, cell, { row, absent }, writing);
  if (plan.hooks.merge)
    return combine(plan, cell, { row, absent }, answer.isOlder(name, cell.pk) ? asIssued(writing) : writing);
  // Where there is a row there is its stamp.
  const issueOfField = (field: string): number => issueOf(stamp as Stamp, field);
  const known = isRow(existing) ? { row: existing, issueOf: issueOfField } : undefined;
  const arriving =
    absent === undefined ? row : { ...row, ...Object.fromEntries(absent.map((field) => [field, ABSENT])) };
  const written = answer.fieldsOf(name, cell.pk, known, arriving);
  if (known !== undefined && written !== arriving)
    log.withhold(cell, fieldsWithout(arriving, Object(written) as object));
  if (written !== undefined) combine(plan, cell, taken(written, absent), writing);
}

/** The fields of a row that a whole record does not have. Lists with an identity of their own are no part of a record. */
function absentIn({ current }: EntityPlan, existing: object, row: WritableFields): string[] {
  const lists = new Set(current.refs.filter(({ plan }) => plan.kind === 'rows').map(({ name }) => name));
  return Object.keys(existing).filter((field) => !Object.hasOwn(row, field) && !lists.has(field));
}

/** The fields that are not written. */
function fieldsWithout(arriving: object, written: object): object {
  return Object.fromEntries(
    Object.entries(arriving).filter(([name, value]) => !Object.hasOwn(written, name) && value !== ABSENT),
  );
}

/** What is to be written, and which fields are to go. */
interface Written {
  readonly row: WritableFields;
  readonly absent: readonly string[] | undefined;
}

function taken(written: object, absent: readonly string[] | undefined): Written {
  if (absent === undefined) return { row: written as WritableFields, absent };
  const entries = Object.entries(written);
  return {
    row: Object.fromEntries(entries.filter(([, value]) => value !== ABSENT)),
    absent: entries.filter(([, value]) => value === ABSENT).map(([field]) => field),
  };
}

function combine(plan: EntityPlan, cell: RowCell, { row, absent }: Written, writing: WriteInProgress): void {
  const { log, stamp, isOvertaking, isPart, isGuess } = writing;
  const confirmed = log.confirmed(cell);
  const existing = confirmed.row;
  if (!isRow(existing)) {
    // What was asked for, and has been done, was done before the record was deleted.
    if (existing === INVALID && isPart && !isGuess) return;
    // Answers from before a deletion never bring a record back.
    const deletion = existing === INVALID ? (confirmed.stamp?.issue ?? 0) : 0;
    if (deletion > stamp.issue) return;
    // A created record is found by its temporary pk as it will be by its own.
    if (!plan.hooks.pk && (row['id'] === undefined || row['id'] === '')) row['id'] = cell.pk;
    confirmed.row = row;
    confirmed.stamp = isOvertaking ? ordered(stamp, undefined, deletion, absent && stamp.issue) : stamp;
  } else if (plan.hooks.merge) {
    try {
      mergeByHooks(plan.entity, cell, existing, isPart && !isGuess ? { ...existing, ...row } : row, writing);
    } catch (error) {
      throw hookFailed(error, `${plan.entity.key}.merge()`);
    }
  } else if (deletionOf(confirmed.stamp) <= stamp.issue) mergeFields(cell, existing, row, writing, absent);
}
