import { INVALID, type Invalid, type Row, type Stamp } from '../../define/schema/schema.ts';
import { equalPlain, setOwn, type WritableFields } from '../../std/plain.ts';
import { deletionOf, issueOf, stampInOrder, wholeOf } from './field-order.ts';

/** A confirmed row of a store with its stamp. */
export interface RowVersion {
  readonly row: Row | Invalid;
  readonly stamp: Stamp;
}

/**
 * Merges the versions of one record in two stores. For each field, the value that was requested later wins; if both were requested at the
 * same place in the order, `incoming` wins. A deletion removes values that were requested before it.
 */
export function joinVersions(known: RowVersion, incoming: RowVersion, isWhole: boolean): RowVersion {
  const later = incoming.stamp.issue >= known.stamp.issue ? incoming : known;
  if (isWhole || later.row === INVALID) return later;
  const deletion = Math.max(deletionIn(known), deletionIn(incoming));
  const living = [known, incoming].filter(isNotDeleted).filter(({ stamp }) => deletion === 0 || stamp.issue > deletion);
  if (living.length === 0) return later;
  const joined = fieldsOfBoth(living, later.stamp, deletion);
  return equalPlain(joined.row, known.row) ? { row: known.row, stamp: joined.stamp } : joined;
}

type LiveVersion = RowVersion & { readonly row: Row };

function isNotDeleted(version: RowVersion): version is LiveVersion {
  return version.row !== INVALID;
}

function deletionIn({ row, stamp }: RowVersion): number {
  return row === INVALID ? stamp.issue : deletionOf(stamp);
}

function fieldsOfBoth(versions: readonly LiveVersion[], later: Stamp, deletion: number): RowVersion {
  const row: WritableFields = {};
  const issues = new Map<string, number>();
  for (const field of new Set(versions.flatMap((version) => Object.keys(version.row)))) {
    const { issue, value, isThere } = versions.map((version) => fieldOf(version, field)).reduce(laterField);
    if (!isThere || (deletion > 0 && issue <= deletion)) continue;
    setOwn(row, field, value);
    if (issue !== later.issue) issues.set(field, issue);
  }
  const { issue, fetchedAt, date, expiresAt } = later;
  const fields = issues.size > 0 ? issues : undefined;
  const whole = Math.max(...versions.map(({ stamp }) => wholeOf(stamp)));
  return { row, stamp: stampInOrder({ issue, fetchedAt, date, expiresAt }, fields, deletion, whole) };
}

/** One field of a version: its value, or that the record lacks it. */
interface FieldVersion {
  readonly issue: number;
  readonly value: unknown;
  readonly isThere: boolean;
}

function fieldOf({ row, stamp }: LiveVersion, field: string): FieldVersion {
  const isThere = Object.hasOwn(row, field);
  return { issue: isThere ? issueOf(stamp, field) : wholeOf(stamp), value: (row as WritableFields)[field], isThere };
}

function laterField(one: FieldVersion, other: FieldVersion): FieldVersion {
  return other.issue >= one.issue ? other : one;
}
