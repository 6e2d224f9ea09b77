import { type EntityInterface, isEntity } from '../../define/schema/entity.ts';
import type { Row } from '../../define/schema/row.ts';
import { inDoubt, isInDoubt, type Stamp } from '../../define/schema/stamp.ts';
import { isChangedCopy } from '../../std/map-entries.ts';
import { copyPlain, equalPlain, keepEqual, setOwn, TooDeep, type WritableFields } from '../../std/plain.ts';
import type { EntityPlan, FieldPlan } from '../tables/plan.ts';
import type { RowCell } from '../tables/table.ts';
import { tooDeep } from './input-errors.ts';
import { deletionOf, fieldIssues, stampInOrder, wholeOf } from './field-order.ts';
import { isSameField } from './same-fields.ts';
import type { WriteInProgress } from './write-in-progress.ts';

/**
 * Returns `{ ...existing, ...incoming }`, or `existing` itself if nothing differs. Fields with equal data keep the object that they had.
 */
export function overlay(existing: Row, incoming: Row): Row {
  let merged: WritableFields | undefined;
  for (const field in incoming) {
    if (isSameField(existing, incoming, field)) continue;
    merged ??= { ...existing };
    setOwn(merged, field, (incoming as WritableFields)[field]);
  }
  return merged ?? existing;
}

/** The part of a write that merging by fields uses. */
type FieldsWrite = Pick<WriteInProgress, 'log' | 'stamp' | 'isOvertaking'>;

/**
 * Merges field by field. For each field, the value of the later request is kept. This is the default for entities. An earlier answer adds missing
 * fields, and overwrites none. If the incoming record is complete, `absent` has the fields that it lacks, which are removed.
 */
export function mergeFields(
  cell: RowCell,
  existing: Row,
  incoming: Row,
  writing: FieldsWrite,
  absent: readonly string[] | undefined,
): void {
  const { log, isOvertaking } = writing;
  const known = log.confirmed(cell).stamp;
  const stamp = absent === undefined ? stampOver(known, existing, incoming, writing.stamp) : writing.stamp;
  // If no earlier answer can arrive any more, the order of the fields need not be stored.
  if (stamp.issue >= issueOf(known) && !isOvertaking)
    log.put(cell, without(overlay(existing, incoming), absent), stamp);
  else mergeInOrder(cell, existing, incoming, { ...writing, stamp }, absent);
}

/** Returns the place of a row in the order; 0 for a row without a stamp. */
function issueOf(known: Stamp | undefined): number {
  return known?.issue ?? 0;
}

/** As `mergeFields`, if the order of the fields has to be stored. */
function mergeInOrder(
  cell: RowCell,
  existing: Row,
  incoming: Row,
  { log, isOvertaking, stamp }: FieldsWrite,
  absent: readonly string[] | undefined,
): void {
  const known = log.confirmed(cell).stamp;
  const latest = issueOf(known);
  const issues = fieldIssues(known);
  const wholeIssue = wholeOf(known);
  const isLate = known !== undefined && stamp.issue < latest;
  const next = new Map<string, number>(issues);
  const accepted: WritableFields = {};
  for (const field of Object.keys(incoming)) {
    const issue = Object.hasOwn(existing, field) ? (next.get(field) ?? latest) : wholeIssue;
    if (stamp.issue < issue) continue;
    setOwn(accepted, field, (incoming as WritableFields)[field]);
    if (isLate) next.set(field, stamp.issue);
    else next.delete(field);
  }
  const removed = absent?.filter((field) => (next.get(field) ?? latest) <= stamp.issue);
  for (const field of removed ?? []) next.delete(field);
  const rest = without(existing, removed);
  if (stamp.issue > latest)
    for (const field of Object.keys(rest))
      if (!Object.hasOwn(accepted, field) && !next.has(field)) next.set(field, latest);
  const whole = absent === undefined ? wholeIssue : Math.max(wholeIssue, stamp.issue);
  const fields = isLate || (isOvertaking && next.size > 0) ? next : undefined;
  log.put(cell, overlay(rest, accepted), stampInOrder(isLate ? known : stamp, fields, deletionOf(known), whole));
}

/** Returns whether a row is in doubt, and `incoming` lacks fields of it. */
export function leavesInDoubt(known: Stamp | undefined, existing: Row, incoming: Row): boolean {
  if (known === undefined || !isInDoubt(known)) return false;
  return Object.keys(existing).some((field) => !Object.hasOwn(incoming, field));
}

/** Returns the stamp of a row over which `incoming` was written. A row in doubt stays so until a record has all of its fields. */
function stampOver(known: Stamp | undefined, existing: Row, incoming: Row, stamp: Stamp): Stamp {
  return leavesInDoubt(known, existing, incoming) ? inDoubt(stamp) : stamp;
}

/** Returns a row without some of its fields. */
function without(row: Row, fields: readonly string[] | undefined): Row {
  if (fields === undefined || fields.length === 0) return row;
  return Object.fromEntries(Object.entries(row).filter(([field]) => !fields.includes(field)));
}

/** Merges by the hooks of the class. If a record is in one response twice, calls `merge` alone. */
export function mergeByHooks(
  schema: Pick<EntityInterface, 'key' | 'merge' | 'mergeWithStore' | 'mergeMetaWithStore'>,
  cell: RowCell,
  existing: Row,
  incoming: Row,
  writing: WriteInProgress,
  refs: readonly FieldPlan[] = [],
): void {
  const { log, stamp } = writing;
  const known = log.confirmed(cell).stamp;
  // A copy, because code of the application may change its arguments. Collections copy their members themselves.
  const given = isEntity(schema) ? (copyPlain(existing) as Row) : existing;
  const rowFrom = (returned: unknown): Row => {
    if (typeof returned !== 'object' || returned === null) throw new TypeError('It returned no record.');
    const merged = withoutRepeats(returned, refs, [given, incoming]);
    if (given !== existing) return keepEqual(existing, merged) as Row;
    return !isChangedCopy(existing, merged) && equalPlain(existing, merged) ? existing : merged;
  };
  if (known === undefined || known.issue === stamp.issue) {
    log.put(cell, rowFrom(schema.merge(given, incoming)), known?.sent === undefined ? stamp : known);
    return;
  }
  const merged: unknown = schema.mergeWithStore(known, stamp, given, incoming);
  const meta = schema.mergeMetaWithStore(known, stamp, existing, incoming);
  const next = isEntity(schema) ? stampOver(known, existing, incoming, meta) : meta;
  log.put(cell, rowFrom(merged), stampInOrder(next, undefined, deletionOf(known)));
}

/** Returns a merged record in which each list of references that `merge` has made, and not taken from a version, has each reference once. */
function withoutRepeats(merged: Row, refs: readonly FieldPlan[], versions: readonly Row[]): Row {
  const changes: WritableFields = {};
  const isOfOne = (list: unknown, name: string): boolean =>
    versions.some((version) => (version as WritableFields)[name] === list);
  for (const { name, plan } of refs) {
    const list = (merged as WritableFields)[name];
    if (plan.kind !== 'list' || !Array.isArray(list) || isOfOne(list, name)) continue;
    const once = new Map(list.map((ref: unknown) => [typeof ref === 'object' ? JSON.stringify(ref) : ref, ref]));
    if (once.size < list.length) setOwn(changes, name, [...once.values()]);
  }
  return Object.keys(changes).length === 0 ? merged : { ...merged, ...changes };
}

/** Makes a row from the result of `process`, without its refs. It shares no plain data with the caller. */
export function buildRow(plan: EntityPlan, processed: Row): WritableFields {
  const row: WritableFields = { ...processed };
  for (const field in row) {
    const value = row[field];
    if (typeof value === 'object' && value !== null && !plan.refNames.has(field))
      setOwn(row, field, copyField(plan, field, value));
  }
  return row;
}

function copyField(plan: EntityPlan, field: string, value: unknown): unknown {
  try {
    return copyPlain(value);
  } catch (error) {
    throw error instanceof TooDeep ? tooDeep(plan.entity.key, field) : error;
  }
}
