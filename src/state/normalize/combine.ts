import { type EntityInterface, isEntity } from '../../define/schema/entity.ts';
import type { Issued, Row } from '../../define/schema/schema.ts';
import { inDoubt, isInDoubt, type Stamp } from '../../define/schema/stamp.ts';
import { isChangedCopy } from '../../std/entries.ts';
import { copyPlain, equalPlain, keepEqual, setOwn, TooDeep, type WritableFields } from '../../std/plain.ts';
import type { EntityPlan, FieldPlan } from '../tables/plan.ts';
import type { RowCell } from '../tables/table.ts';
import { tooDeep } from './input-errors.ts';
import { deletionOf, fieldsOf, stampInOrder, wholeOf } from './field-order.ts';
import type { WriteLog } from './write-log.ts';

/** A stored row, with the place in the order of each field. */
export interface KnownRow {
  readonly row: Row;
  readonly issueOf: (field: string) => number;
}

/** The answer of a mutation that overlaps others. Decides which fields it overwrites. */
export interface MutationAnswer {
  /** When the mutation was issued. */
  readonly issue: number;
  /** The former values of fields that `fieldsOf` has overwritten, and that the server may have, as other answers say. */
  readonly replaced?: object;
  /** Returns the fields of `incoming` to write, or `undefined` if the record stays as it is. */
  fieldsOf(table: string, pk: string, existing: KnownRow | undefined, incoming: object): object | undefined;
  /** Returns whether a deletion with this issue, which answered no request, is newer than the answer. */
  isBeforeDeletion(table: string, pk: string, deletion: number): boolean;
  /** Returns whether a later mutation has answered for a row that is merged as a whole. */
  isOlder(table: string, pk: string): boolean;
  /** Returns whether a later mutation has edited a record that this answer deletes. */
  isDeletionOlder(table: string, pk: string): boolean;
}

/** The request that is answered. */
export interface Origin {
  readonly isMutation: boolean;
  /** Whether it is a read that no mutation caused. */
  readonly isPlainRead?: boolean;
  /** When it was sent. */
  readonly sent: number;
  /** Set for a mutation. */
  readonly issued?: Issued | undefined;
  /** Called for rows of which only the server knows the present content. */
  doubt(table: string, pk: string): void;
  /** Returns whether the mutation changes this record. For a read: whether a pending mutation does. */
  isMutated?(table: string, pk: string): boolean;
}

/** The facts about a write that are needed to combine two versions of a row. */
export interface WriteInProgress {
  readonly stamp: Stamp;
  readonly log: WriteLog;
  readonly answer?: MutationAnswer | undefined;
  /** The request that is answered, if the write comes from one. */
  readonly origin?: Origin | undefined;
  /** The last place in the order that was handed out. */
  readonly latest: number;
  /** Whether a request that began later was, or may have been, answered already. */
  readonly isOvertaken: boolean;
  /** Whether a request that began earlier is still in flight. */
  readonly isOvertaking: boolean;
  readonly isGuess: boolean;
  /** For a guess: when its mutation was issued. */
  readonly issue?: number | undefined;
  /** Whether the write may have parts of records: a guess, or the sent body in place of an answer. Only answers are validated. */
  readonly isPart: boolean;
  /** Whether the records of the answer are complete, so that fields which they lack are removed. */
  readonly isWhole: boolean;
}

/** Whether an answer has nothing to do with mutations, and may leave fields out. */
export function isPlainAnswer({ answer, isWhole, origin }: WriteInProgress): boolean {
  return answer === undefined && !isWhole && (origin === undefined || origin.isPlainRead === true);
}

/** Callbacks for records that are being created. */
export interface Creating {
  /** Returns a pk for a record that has none. */
  readonly temporaryPk: () => string;
  /** Called for every record that is stored by a create. */
  readonly created: (cell: RowCell) => void;
}

/**
 * Returns `{ ...existing, ...incoming }`, or `existing` itself if nothing differs. Fields with equal data keep the object that they had.
 */
export function overlay(existing: Row, incoming: Row): Row {
  let merged: WritableFields | undefined;
  for (const field in incoming) {
    if (isSame(existing, incoming, field)) continue;
    merged ??= { ...existing };
    setOwn(merged, field, (incoming as WritableFields)[field]);
  }
  return merged ?? existing;
}

type FieldsWrite = Pick<WriteInProgress, 'log' | 'stamp' | 'isOvertaking'>;

/**
 * Merges field by field. For each field, the later request wins. This is the default for entities. An earlier answer adds missing fields
 * and never overwrites. If the incoming record is complete, `absent` has the fields that it lacks.
 */
export function mergeFields(
  cell: RowCell,
  existing: Row,
  incoming: Row,
  write: FieldsWrite,
  absent: readonly string[] | undefined,
): void {
  const { log, isOvertaking } = write;
  const known = log.confirmed(cell).stamp;
  const stamp = absent === undefined ? stampOver(known, existing, incoming, write.stamp) : write.stamp;
  // If no earlier answer can arrive any more, the order of the fields need not be stored.
  if (stamp.issue >= issueOf(known) && !isOvertaking)
    log.put(cell, without(overlay(existing, incoming), absent), stamp);
  else mergeInOrder(cell, existing, incoming, { ...write, stamp }, absent);
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
  const issues = fieldsOf(known);
  const since = wholeOf(known);
  const isLate = known !== undefined && stamp.issue < latest;
  const next = new Map<string, number>(issues);
  const accepted: WritableFields = {};
  for (const field of Object.keys(incoming)) {
    const issue = Object.hasOwn(existing, field) ? (next.get(field) ?? latest) : since;
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
  const whole = absent === undefined ? since : Math.max(since, stamp.issue);
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

/** Merges by the rules of the class. For two occurrences of a record in one response, `merge` is called directly. */
export function mergeByHooks(
  schema: Pick<EntityInterface, 'key' | 'merge' | 'mergeWithStore' | 'mergeMetaWithStore'>,
  cell: RowCell,
  existing: Row,
  incoming: Row,
  write: WriteInProgress,
): void {
  const { log, stamp } = write;
  const known = log.confirmed(cell).stamp;
  // A copy, because code of the application may change its arguments. Collections copy their members themselves.
  const given = isEntity(schema) ? (copyPlain(existing) as Row) : existing;
  const rowFrom = (merged: unknown): Row => {
    if (typeof merged !== 'object' || merged === null) throw new TypeError('It returned no record.');
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

/** Returns the write of a mutation's answer with the place in the order at which the mutation was issued. */
export function asIssued(write: WriteInProgress): WriteInProgress {
  const { issue } = write.answer as MutationAnswer;
  return { ...write, stamp: { ...write.stamp, issue } };
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

/** Returns whether writing `incoming` over `existing` changes nothing. Fields in `skipped` are not compared. */
export function changesNothing(existing: Row, incoming: Row, skipped: ReadonlySet<string> = NONE_SKIPPED): boolean {
  for (const field in incoming) {
    // Most fields are equal. Engines read a field of the object that a loop enumerates faster inside of the loop.
    const value = (incoming as WritableFields)[field];
    if (value !== undefined && value === (existing as WritableFields)[field]) continue;
    if (!skipped.has(field) && !isSame(existing, incoming, field)) return false;
  }
  return true;
}

const NONE_SKIPPED: ReadonlySet<string> = new Set();

/** Marks a relation field that is stored as it arrived, without a ref. */
export const WITHOUT_REF: unique symbol = Symbol('WITHOUT_REF');

/** As `changesNothing`, for the fields with relations. `stored` has their refs. Fields that are `undefined` there are not compared. */
export function changesNoRefs(
  existing: Row,
  incoming: Row,
  refs: readonly FieldPlan[],
  stored: readonly unknown[],
): boolean {
  for (let at = 0; at < stored.length; at++) {
    const { name } = refs[at] as FieldPlan;
    const ref = stored[at];
    const known = (existing as WritableFields)[name];
    if (ref === known || ref === undefined) continue;
    if (
      ref !== WITHOUT_REF ? !equalPlain(known, ref) : Object.hasOwn(incoming, name) && !isSame(existing, incoming, name)
    )
      return false;
  }
  return true;
}

/** Returns whether writing a field of `incoming` over that of `existing` changes nothing. */
export function isSame(existing: Row, incoming: Row, field: string): boolean {
  const known = (existing as WritableFields)[field];
  const value = (incoming as WritableFields)[field];
  if (value === known) return value !== undefined || Object.hasOwn(existing, field);
  return typeof value === 'object' && Object.hasOwn(existing, field) && equalPlain(known, value);
}
