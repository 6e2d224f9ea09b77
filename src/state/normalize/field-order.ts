import type { Stamp } from '../../define/schema/schema.ts';

export type Issues = ReadonlyMap<string, number>;

/** The stamp of a row to which the order of requests makes a difference field by field. */
interface Ordered extends Stamp {
  /** The fields that come from an earlier request than the others. */
  readonly fields: Issues | undefined;
  /** The issue of the deletion after which the record came back; 0 if there was none. */
  readonly deletion: number;
  /** The issue of the answer that was the whole record; -1 if none was. Fields that it did not have are known not to be there. */
  readonly whole: number;
}

/** The stamp of one row, with what the stamp of its write does not tell. */
export function ordered(stamp: Stamp, fields: Issues | undefined, deletion: number, whole: number = -1): Stamp {
  if (fields === undefined && deletion === 0 && whole < 0) return stamp;
  const own: Ordered = { ...stamp, fields, deletion, whole };
  return own;
}

export function fieldsOf(stamp: Stamp | undefined): Issues | undefined {
  return (stamp as Ordered | undefined)?.fields;
}

export function deletionOf(stamp: Stamp | undefined): number {
  return (stamp as Ordered | undefined)?.deletion ?? 0;
}

export function wholeOf(stamp: Stamp | undefined): number {
  return (stamp as Ordered | undefined)?.whole ?? -1;
}

/** When what a field has was asked for. */
export function issueOf(stamp: Stamp, field: string): number {
  return fieldsOf(stamp)?.get(field) ?? stamp.issue;
}
