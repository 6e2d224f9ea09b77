import type { Row } from '../../define/schema/row.ts';
import { equalPlain, type WritableFields } from '../../std/plain.ts';
import type { FieldPlan } from '../tables/plan.ts';

/** Returns whether writing `incoming` over `existing` changes nothing. Fields in `skipped` are not compared. */
export function changesNothing(existing: Row, incoming: Row, skipped: ReadonlySet<string> = NONE_SKIPPED): boolean {
  for (const field in incoming) {
    // Most fields are equal. Engines read a field of the object that a loop enumerates faster inside of the loop.
    const value = (incoming as WritableFields)[field];
    if (value !== undefined && value === (existing as WritableFields)[field]) continue;
    if (!skipped.has(field) && !isSameField(existing, incoming, field)) return false;
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
      ref !== WITHOUT_REF
        ? !equalPlain(known, ref)
        : Object.hasOwn(incoming, name) && !isSameField(existing, incoming, name)
    )
      return false;
  }
  return true;
}

/** Returns whether a record has each field of a row, with equal data. */
export function containsRow(record: Row, row: Row): boolean {
  return Object.keys(row).every((field) => Object.hasOwn(record, field) && isSameField(row, record, field));
}

/** Returns whether writing a field of `incoming` over that of `existing` changes nothing. */
export function isSameField(existing: Row, incoming: Row, field: string): boolean {
  const known = (existing as WritableFields)[field];
  const value = (incoming as WritableFields)[field];
  if (value === known) return value !== undefined || Object.hasOwn(existing, field);
  return typeof value === 'object' && Object.hasOwn(existing, field) && equalPlain(known, value);
}
