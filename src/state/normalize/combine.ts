import { type EntityInterface, isEntity } from '../../define/schema/entity.ts';
import type { Row, Stamp } from '../../define/schema/schema.ts';
import { isMadeOf } from '../../std/entries.ts';
import { copyPlain, equalPlain, keepEqual, setOwn, TooDeep, type WritableFields } from '../../std/plain.ts';
import type { EntityPlan, FieldPlan } from '../tables/plan.ts';
import type { RowCell } from '../tables/table.ts';
import { tooDeep } from './input-errors.ts';
import { deletionOf, fieldsOf, ordered, wholeOf } from './field-order.ts';
import type { WriteLog } from './write-log.ts';

/** A row that is there, and when its fields were asked for. */
export interface KnownRow {
  readonly row: Row;
  readonly issueOf: (field: string) => number;
}

/** The answer of a mutation that other mutations overlap. Decides what it overwrites. */
export interface MutationAnswer {
  /** When the mutation was issued. */
  readonly issue: number;
  /** Returns the fields of `incoming` that are to be written; `undefined` where the record stays as it is. */
  fieldsOf(table: string, pk: string, existing: KnownRow | undefined, incoming: object): object | undefined;
  /** Whether a mutation that was issued later has said what a row is that is combined as a whole. */
  isOlder(table: string, pk: string): boolean;
  /** Whether a mutation that was issued later has edited a record that this answer deletes. */
  isDeletionOlder(table: string, pk: string): boolean;
}

/** A request that is answered. */
export interface Origin {
  readonly isMutation: boolean;
  /** Whether it is a read that no mutation has caused. */
  readonly isPlainRead?: boolean;
  /** When it was sent. */
  readonly sent: number;
  /** Told of rows of which only the server can say what is in them now. */
  doubt(table: string, pk: string): void;
  /** Whether the mutation is known to be about a record; of a read, whether one that is pending is. */
  isMutated?(table: string, pk: string): boolean;
}

/** What combining two versions of a row needs to know of the write. */
export interface WriteInProgress {
  readonly stamp: Stamp;
  readonly log: WriteLog;
  readonly answer?: MutationAnswer | undefined;
  /** Where it comes from, if that is a request. */
  readonly origin?: Origin | undefined;
  /** The place in the order that was handed out last. */
  readonly latest: number;
  /** Whether a request that began after this one was answered already, or may have been. */
  readonly isOvertaken: boolean;
  /** Whether a request that began before this one is still under way. */
  readonly isOvertaking: boolean;
  readonly isGuess: boolean;
  /** Whether what is written may be half a record: what was guessed, or asked for. Only what was answered is validated. */
  readonly isPart: boolean;
  /** Whether the records that the answer is, or lists, are whole: fields that they do not have are not there. */
  readonly isWhole: boolean;
}

/** What becomes of records that are being created. */
export interface Creating {
  /** A pk for a record that has none. */
  readonly temporaryPk: () => string;
  /** Told of every record that is filed as being created. */
  readonly created: (cell: RowCell) => void;
}

/**
 * `{ ...existing, ...incoming }`, or `existing` itself when that would say the same. WritableFields that say the same keep the
 * data they had.
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

/**
 * Merges field by field, the later request winning each: the default for entities. Earlier answers fill gaps and never
 * overwrite. Where the incoming record is whole, `absent` are the fields that it says are not there.
 */
export function mergeFields(
  cell: RowCell,
  existing: Row,
  incoming: Row,
  write: WriteInProgress,
  absent: readonly string[] | undefined,
): void {
  const { log, stamp, isOvertaking } = write;
  const known = log.confirmed(cell).stamp;
  const latest = known?.issue ?? 0;
  const issues = fieldsOf(known);
  // What nothing earlier can arrive for, needs no order of its fields.
  if (stamp.issue >= latest && !isOvertaking) {
    log.put(cell, without(overlay(existing, incoming), absent), stamp);
    return;
  }
  const since = wholeOf(known);
  const isLate = known !== undefined && stamp.issue < latest;
  const next = new Map<string, number>(issues);
  const taken: WritableFields = {};
  for (const field of Object.keys(incoming)) {
    const issue = Object.hasOwn(existing, field) ? (next.get(field) ?? latest) : since;
    if (stamp.issue < issue) continue;
    setOwn(taken, field, (incoming as WritableFields)[field]);
    if (isLate) next.set(field, stamp.issue);
    else next.delete(field);
  }
  const gone = absent?.filter((field) => (next.get(field) ?? latest) <= stamp.issue);
  for (const field of gone ?? []) next.delete(field);
  const left = without(existing, gone);
  if (stamp.issue > latest)
    for (const field of Object.keys(left))
      if (!Object.hasOwn(taken, field) && !next.has(field)) next.set(field, latest);
  const whole = absent === undefined ? since : Math.max(since, stamp.issue);
  const fields = isLate || (isOvertaking && next.size > 0) ? next : undefined;
  log.put(cell, overlay(left, taken), ordered(isLate ? known : stamp, fields, deletionOf(known), whole));
}

/** A row without some of its fields. */
function without(row: Row, fields: readonly string[] = []): Row {
  if (fields.length === 0) return row;
  return Object.fromEntries(Object.entries(row).filter(([field]) => !fields.includes(field)));
}

/** Merges by the class's own rules. Two occurrences in one response meet in `merge` directly. */
export function mergeByHooks(
  schema: Pick<EntityInterface, 'key' | 'merge' | 'mergeWithStore' | 'mergeMetaWithStore'>,
  cell: RowCell,
  existing: Row,
  incoming: Row,
  write: WriteInProgress,
): void {
  const { log, stamp } = write;
  const known = log.confirmed(cell).stamp;
  // Code of the application may change what it is given. The members of collections look after themselves.
  const given = isEntity(schema) ? (copyPlain(existing) as Row) : existing;
  const settled = (merged: unknown): Row => {
    if (typeof merged !== 'object' || merged === null) throw new TypeError('It returned no record.');
    if (given !== existing) return keepEqual(existing, merged) as Row;
    return !isMadeOf(existing, merged) && equalPlain(existing, merged) ? existing : merged;
  };
  if (known === undefined || known.issue === stamp.issue) {
    log.put(cell, settled(schema.merge(given, incoming)), known?.sent === undefined ? stamp : known);
    return;
  }
  const merged: unknown = schema.mergeWithStore(known, stamp, given, incoming);
  const meta = schema.mergeMetaWithStore(known, stamp, existing, incoming);
  log.put(cell, settled(merged), ordered(meta, undefined, deletionOf(known)));
}

/** The write of the answer of a mutation, with the place in the order at which the mutation was issued. */
export function asIssued(write: WriteInProgress): WriteInProgress {
  const { issue } = write.answer as MutationAnswer;
  return { ...write, stamp: { ...write.stamp, issue } };
}

/** Makes the row that is stored of what `process` gave, its refs aside: no plain data is shared with the caller. */
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

/** Whether writing `incoming` over `existing` would change nothing, some fields aside. */
export function saysTheSame(existing: Row, incoming: Row, aside: ReadonlySet<string> = NONE_ASIDE): boolean {
  for (const field in incoming) if (!isSame(existing, incoming, field) && !aside.has(field)) return false;
  return true;
}

const NONE_ASIDE: ReadonlySet<string> = new Set();

/** Stands for what is in a field that refers, where that refers to nothing. */
export const AS_IT_CAME: unique symbol = Symbol('AS_IT_CAME');

/** The same of the fields that refer. `filed` are what stands for them in a row; what is filed nowhere says nothing. */
export function refersToTheSame(
  existing: Row,
  incoming: Row,
  refs: readonly FieldPlan[],
  filed: readonly unknown[],
): boolean {
  for (let at = 0; at < filed.length; at++) {
    const { name } = refs[at] as FieldPlan;
    const ref = filed[at];
    const known = (existing as WritableFields)[name];
    if (ref === known || ref === undefined) continue;
    if (
      ref !== AS_IT_CAME ? !equalPlain(known, ref) : Object.hasOwn(incoming, name) && !isSame(existing, incoming, name)
    )
      return false;
  }
  return true;
}

function isSame(existing: Row, incoming: Row, field: string): boolean {
  const known = (existing as WritableFields)[field];
  const value = (incoming as WritableFields)[field];
  if (value === known) return value !== undefined || Object.hasOwn(existing, field);
  return typeof value === 'object' && Object.hasOwn(existing, field) && equalPlain(known, value);
}
