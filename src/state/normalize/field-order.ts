import type { Stamp } from '../../define/schema/stamp.ts';

/** Issues by the names of fields. */
export type Issues = ReadonlyMap<string, number>;

/** The stamp of a row whose fields come from several requests. */
interface Ordered extends Stamp {
  /** The fields that come from an earlier request than the others. */
  readonly fields: Issues | undefined;
  /** The issue of the deletion after which the record was stored again. 0 if there was none. */
  readonly deletion: number;
  /** The issue of the answer that had the whole record. -1 if there was none. The record has no field that this answer lacked. */
  readonly whole: number;
}

/** Returns the stamp of one row: that of its write, with the order of its fields if it has one. */
export function stampInOrder(stamp: Stamp, fields: Issues | undefined, deletion: number, whole: number = -1): Stamp {
  if (fields === undefined && deletion === 0 && whole < 0) return stamp;
  const own: Ordered = { ...stamp, fields, deletion, whole };
  return own;
}

/** Returns the issues of the fields that come from an earlier request than the row. */
export function fieldIssues(stamp: Stamp | undefined): Issues | undefined {
  return (stamp as Ordered | undefined)?.fields;
}

/** Returns the issue of the deletion after which the record was stored again; 0 if there was none. */
export function deletionOf(stamp: Stamp | undefined): number {
  return (stamp as Ordered | undefined)?.deletion ?? 0;
}

/** Returns the issue of the answer that had the whole record; -1 if there was none. */
export function wholeOf(stamp: Stamp | undefined): number {
  return (stamp as Ordered | undefined)?.whole ?? -1;
}

/** Returns when the value of a field was requested. */
export function issueOf(stamp: Stamp, field: string): number {
  return fieldIssues(stamp)?.get(field) ?? stamp.issue;
}
