import { INVALID } from '../../define/schema/row.ts';
import type { Stamp } from '../../define/schema/stamp.ts';
import type { EntityPlan } from '../tables/plan.ts';
import { isRow, type RowCell } from '../tables/table.ts';
import { asIssued, type MutationAnswer, type WriteInProgress } from './write-in-progress.ts';
import { mergeByHooks, mergeFields } from './combine.ts';
import { deletionOf, issueOf, stampInOrder } from './field-order.ts';
import { hookFailed } from './input-errors.ts';
import { containsRow } from './same-fields.ts';
import type { WritableFields } from '../../std/plain.ts';

/** The value of fields that a whole record lacks. */
const ABSENT: unique symbol = Symbol('ABSENT');

/** Combines a record with its stored row, and stores the result. The cell must be in the log. */
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
  // The stamp of a deleted row is that of its deletion.
  if (existing === INVALID && answer?.isBeforeDeletion(name, cell.pk, (stamp as Stamp).issue) === true) return;
  const absent = isWhole ? absentIn(plan, isRow(existing) ? existing : {}, row) : undefined;
  const fields = { row, absent };
  if (answer === undefined) combine(plan, cell, fields, writing);
  else if (plan.hooks.merge) {
    const isOlder = answer.isOlder(name, cell.pk);
    answer.noteEdits(name, cell.pk, row);
    combine(plan, cell, fields, isOlder ? asIssued(writing) : writing);
  } else putAnswered(plan, cell, fields, writing, answer);
}

/** Stores the fields of a record that the answer of a mutation may overwrite. */
function putAnswered(
  plan: EntityPlan,
  cell: RowCell,
  { row, absent }: WrittenFields,
  writing: WriteInProgress,
  answer: MutationAnswer,
): void {
  const { log } = writing;
  const { name } = cell.table;
  const { row: existing, stamp } = log.confirmed(cell);
  // A stored row always has a stamp.
  const issueOfField = (field: string): number => issueOf(stamp as Stamp, field);
  const known = isRow(existing) ? { row: existing, issueOf: issueOfField } : undefined;
  const arriving =
    absent === undefined ? row : { ...row, ...Object.fromEntries(absent.map((field) => [field, ABSENT])) };
  const written = answer.fieldsOf(name, cell.pk, known, arriving);
  const withheld = { ...fieldsWithout(arriving, Object(written) as object), ...answer.replaced };
  if (known !== undefined && Object.keys(withheld).length > 0) log.withhold(cell, withheld);
  if (written !== undefined) combine(plan, cell, splitFields(written, absent), writing);
}

/** Returns the stored fields that a whole record lacks. Collections have rows of their own and are not counted. */
function absentIn({ current }: EntityPlan, existing: object, row: WritableFields): string[] {
  const lists = new Set(current.refs.filter(({ plan }) => plan.kind === 'rows').map(({ name }) => name));
  return Object.keys(existing).filter((field) => !Object.hasOwn(row, field) && !lists.has(field));
}

/** Returns the fields that are not written. */
function fieldsWithout(arriving: object, written: object): object {
  return Object.fromEntries(
    Object.entries(arriving).filter(([name, value]) => !Object.hasOwn(written, name) && value !== ABSENT),
  );
}

/** The fields to write, and the fields to remove. */
interface WrittenFields {
  readonly row: WritableFields;
  readonly absent: readonly string[] | undefined;
}

function splitFields(written: object, absent: readonly string[] | undefined): WrittenFields {
  if (absent === undefined) return { row: written as WritableFields, absent };
  const entries = Object.entries(written);
  return {
    row: Object.fromEntries(entries.filter(([, value]) => value !== ABSENT)),
    absent: entries.filter(([, value]) => value === ABSENT).map(([field]) => field),
  };
}

function combine(plan: EntityPlan, cell: RowCell, { row, absent }: WrittenFields, writing: WriteInProgress): void {
  const { gone, log, stamp, isOvertaking, isPart, isGuess } = writing;
  const confirmed = log.confirmed(cell);
  const existing = confirmed.row;
  const isNewer = Number(confirmed.stamp?.issue) > stamp.issue;
  if (isNewer && (plan.hooks.merge || !isRow(existing) || !containsRow(row, existing))) log.isOutdated = true;
  if (!isRow(existing)) {
    // The body that was sent, and the guess of an earlier mutation, describe the record before its deletion.
    const isGone = !isGuess || (gone?.table === cell.table.name && gone.pk === cell.pk);
    if (existing === INVALID && isPart && isGone) return;
    // An answer from before a deletion never restores the record.
    const deletion = confirmed.stamp?.issue ?? 0;
    if (deletion > stamp.issue) return;
    confirmed.row = row;
    confirmed.stamp = isOvertaking ? stampInOrder(stamp, undefined, deletion, absent && stamp.issue) : stamp;
  } else if (plan.hooks.merge) {
    try {
      const incoming = isPart && !isGuess ? { ...existing, ...row } : row;
      mergeByHooks(plan.entity, cell, existing, incoming, writing, plan.refs);
    } catch (error) {
      throw hookFailed(error, `${plan.entity.key}.merge()`);
    }
  } else if (deletionOf(confirmed.stamp) <= stamp.issue) mergeFields(cell, existing, row, writing, absent);
}
